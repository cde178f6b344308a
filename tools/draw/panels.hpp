#pragma once

/// @file
/// The kinds of panels a picture is made of. Each draws at svg.y and moves it on.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/draw/svg.hpp"
#include "tools/draw/trace.hpp"

namespace pictures {

/// What a panel of pictures.json is drawn from.
struct Scene {
  const Trace& trace;
  const nlohmann::json& panel;
  std::filesystem::path chapter;   ///< folder of the sources
  std::filesystem::path programs;  ///< folder of the programs

  /// One of each kernel that the panel names.
  std::vector<const Launch*> launches() const;
  /// That of the panel's only kernel.
  const Launch& launch() const;
  /// The request that `which` names: {"warp": 0, "request": 0}, both 0 if they are left out. With
  /// "kind_of_request" and "space", only such requests are numbered. Every kernel of the panel
  /// makes the same.
  const Request& request(const nlohmann::json& which) const;
  /// What the panel says, or else what is usual.
  std::string heading(const std::string& usual) const { return panel.value("heading", usual); }
};

/// Whether a request is of the kind ("kind_of_request") and space ("space") that `which` names.
bool matches(const Request& request, const nlohmann::json& which);

// What pictures.json says of a panel; what all panels of a picture share may be said of the
// picture.
//   program   the chapter's program and its arguments; --kernel is added if they name none
//   kernel    of which kernel's launches; a list, for "requests", "banks" and "overview", where
//             each must make the same requests; and
//   launch    which one (0)
//   requests_per_instruction   that are traced (8)
//   heading   (the source line of the request, or the kernel's name)
//   words     at its right

/// kind "requests": lanes, and the bytes of global memory that their request touches; sectors and
/// lines, what is used of them and what is not.
///
///   of              requests of one array: {"warp": 0, "request": 0, "name": "..."}; the name is
///                   for the colours of two, which cost the same
///   array           its name
///   layout          "strip": lines side by side, at most three (so unless said); "rows": one a row
///   lines           at least so many in a strip (as many as are touched)
///   element_bytes   of what indices count (the access's)
///   array_begins    the element of the allocation that is called 0 (0)
void draw_requests(Svg& svg, const Scene& scene);

/// kind "banks": the wavefronts of a request, "warp" and "request" (of "kind_of_request" and
/// "space"), in the 32 banks of shared memory. Banks count from the beginning of the variable:
/// where that lies is the compiler's business.
void draw_banks(Svg& svg, const Scene& scene);

/// kind "elements": which lane touches which element of a matrix. No two may touch the same.
///
///   kind_of_request, space   those of the requests that are looked at, in all warps or in
///   warp                     one, and of each warp
///   first, count             only so many, from the first one or that one on
///   stride          elements from row to row, or with
///   column_major    from column to column
///   rows            only the first so many
///   colour          "warp" (so unless said) or "lane"
///   joined          whether neighbouring rows of a lane are one rectangle
///   mark            a lane of warp 0
///   cell, cell_height, element_bytes   (as large as there is room, as wide, 4)
void draw_elements(Svg& svg, const Scene& scene);

/// kind "block": warps and lanes of the threads of a block, which "block" says in the source's
/// words.
void draw_block(Svg& svg, const Scene& scene);

/// kind "sequence": the requests of thread 0 in the order of its program; "names" are those of the
/// arrays, in the order in which it first touches them.
void draw_sequence(Svg& svg, const Scene& scene);

/// kind "overview": what a kernel's warp 0 asks of memory, in short. The first request of each kind
/// to each array, those that are alike once; of shared memory, the one that is furthest from its
/// ideal.
///
///   arrays          names of the allocations, in the order in which the warps first touch them
///   words           may be left out
///   shared          false where another picture shows the shared memory (true)
void draw_overview(Svg& svg, const Scene& scene);

/// kind "image": what the program writes with --picture, a square for each pixel.
void draw_image(Svg& svg, const Scene& scene);

/// kind "halves": the bits of "value", and those of the two halves that it becomes.
void draw_halves(Svg& svg, const nlohmann::json& panel);

/// kind "cut": the bits of "sum" and of "products", pairs of halves, as a tensor core adds them up;
/// what it cuts off, and the result. The emulator's tensor core must come to the same.
void draw_cut(Svg& svg, const nlohmann::json& panel);

/// kind "ring": "stages" in turn over time, each filled in "copy" units of time and multiplied in
/// "multiply", until so many panels are "multiplied".
void draw_ring(Svg& svg, const nlohmann::json& panel);

/// kind "machine": a GPU and its memories; "lit", which may be left out, is the part in question:
/// schedulers, registers, l1, l2 or dram.
void draw_machine(Svg& svg, const nlohmann::json& panel);

/// kind "turns": what one scheduler does over time, up to cycle "end", for so many "warps" that
/// execute for "work" cycles, wait for "wait", and begin again.
void draw_turns(Svg& svg, const nlohmann::json& panel);

/// kind "shuffles": how many values each lane holds while shuffles of a "form" ("xor", "down") add
/// up a warp, and the way of those that "lane" holds in the end.
void draw_shuffles(Svg& svg, const nlohmann::json& panel);

/// What their marks mean, once under all panels; nothing where no panel is of the kind.
void draw_requests_key(Svg& svg, const nlohmann::json& panels);
void draw_banks_key(Svg& svg, const nlohmann::json& panels);
void draw_elements_key(Svg& svg, const nlohmann::json& panels);
void draw_sequence_key(Svg& svg, const nlohmann::json& panels);
void draw_overview_key(Svg& svg, const nlohmann::json& panels);
void draw_turns_key(Svg& svg, const nlohmann::json& panels);
void draw_shuffles_key(Svg& svg, const nlohmann::json& panels);

/// A line of code or words, and at its right whose it is.
void draw_heading(Svg& svg, const std::string& code, const std::string& words);

constexpr double kAboveKey = 8, kKeyHeight = 17;

/// Moves to the next row of a key if these words and their mark find no room at `*x`.
void make_room(Svg& svg, double* x, const std::string& words);

/// A mark and what it means, at `*x`, which moves on, in the next row if there is no more room;
/// without a mark, only its room.
void draw_swatch(Svg& svg, double* x, const std::string& marks, const std::string& words);

/// The wavefronts of a request in the banks. Returns what they come to, for a caption.
std::string draw_wavefronts(Svg& svg, const Request& request, const char* fill);

/// "1 sector", "2 sectors".
std::string counted(std::size_t number, const char* one);

/// What the panel comes to.
void draw_caption(Svg& svg, const std::string& words);

}  // namespace pictures
