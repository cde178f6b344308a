#pragma once

/// @file
/// The kinds of panels in a picture. Each function draws at svg.y and moves it down.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/draw/svg.hpp"
#include "tools/draw/trace.hpp"

namespace pictures {

/// The data that a panel of pictures.json is drawn from.
struct Scene {
  const Trace& trace;
  const nlohmann::json& panel;
  std::filesystem::path chapter;   ///< folder of the sources
  std::filesystem::path programs;  ///< folder of the programs

  /// Returns a launch of each kernel that the panel names.
  std::vector<const Launch*> launches() const;
  /// Returns the launch of the panel's only kernel.
  const Launch& launch() const;
  /// Returns the request that `which` names: {"warp": 0, "request": 0}; omitted numbers are 0. With
  /// "kind_of_request" and "space", only such requests are numbered. Every kernel of the panel must
  /// make the same request.
  const Request& request(const nlohmann::json& which) const;
  /// Returns the panel's heading, or `usual` if it has none.
  std::string heading(const std::string& usual) const { return panel.value("heading", usual); }
};

/// Returns a kernel's name in the program's options: "naive" for "naive::sgemm".
std::string option_of(const std::string& kernel);

/// Returns whether a request has the kind ("kind_of_request") and space ("space") in `which`.
bool matches(const Request& request, const nlohmann::json& which);

// Settings of a panel in pictures.json. Settings of the picture apply to all of its panels.
// Defaults are in parentheses.
//   program   the chapter's program and its arguments; --kernel is added if they name none
//   kernel    whose launches; a list for "requests", "banks" and "overview", if all kernels make
//             the same requests
//   launch    number of the launch (0)
//   requests_per_instruction   number of traced requests (8)
//   heading   (the request's source line, or the kernel's name)
//   words     text to the right of the heading

/// Kind "requests": lanes and the bytes of global memory that their request touches, with sectors
/// and lines, used and unused bytes.
///
///   of              requests to one array: {"warp": 0, "request": 0, "name": "..."}; names are for
///                   the colours of two requests with equal costs
///   array           name of the array
///   layout          "strip" (default): up to three lines side by side; "rows": a line per row
///   lines           least number of lines in a strip (the touched lines)
///   columns         what the columns of "rows" are called, to number them (none)
///   element_bytes   size of the elements that indices count (the access's)
///   array_begins    index in the allocation of the element called 0 (0)
///   needed_bytes    how many of the bytes that a lane accesses the kernel needs (all), for a
///                   picture whose requests together access whole sectors
void draw_requests(Svg& svg, const Scene& scene);

/// Kind "banks": the wavefronts of a request, "warp" and "request" (of "kind_of_request" and
/// "space"), in the 32 banks of shared memory. Banks are counted from the beginning of the
/// variable, because its address depends on the compiler.
///
///   pitch           words from a row of the array to the next: shows the array in rows of 32 words
///                   instead of the wavefronts
void draw_banks(Svg& svg, const Scene& scene);

/// Kind "elements": which lane touches which element of a matrix. No two lanes may touch the same.
///
///   kind_of_request, space   which requests to consider, in all warps or in
///   warp                     one warp
///   first, count             number of the first request of each warp, and how many
///   stride          elements between rows or, with
///   column_major    between columns
///   rows            how many rows to show
///   colour          by "warp" (default) or "lane"; or only the "first warp" has one
///   joined          draws neighbouring rows of a lane as one rectangle
///   mark            a lane of warp 0 to mark
///   cell, cell_height, element_bytes   (what fits, the cell's width, 4)
void draw_elements(Svg& svg, const Scene& scene);

/// Kind "block": warps and lanes of the threads of a block, whose shape "block" gives in the
/// source's words.
void draw_block(Svg& svg, const Scene& scene);

/// Kind "sequence": the requests of thread 0 in program order. "names" are the arrays' names, in
/// the order of first access.
///
///   wait      how long the thread waits for its loads before a store, in widths of a request (0)
///   length    how many widths a row has room for (what the sequence needs without waits)
///   before_a_store   whether to say how much is loaded before a store (true)
void draw_sequence(Svg& svg, const Scene& scene);

/// Kind "overview": a summary of the memory requests of a kernel's warp 0. Shows the first request
/// of each kind to each array, without repeats; for shared memory, only the request that is
/// furthest from its ideal.
///
///   arrays          names of the allocations, in the order of the warps' first accesses
///   words           optional
///   shared          false if another picture shows the shared memory (true)
void draw_overview(Svg& svg, const Scene& scene);

/// Kind "image": the image that the program writes to the file behind "option" (--picture), a
/// square for each pixel.
void draw_image(Svg& svg, const Scene& scene);

/// Kind "mirror": that image, and beside it the image mirrored at its diagonal. Both are dim but
/// for the 32 pixels of "row" from column "first" on, which one warp moves.
void draw_mirror(Svg& svg, const Scene& scene);

/// Kind "halves": the bits of "value" and of the two halves that it is split into.
void draw_halves(Svg& svg, const nlohmann::json& panel);

/// Kind "cut": the bits of "sum" and of "products", which are pairs of halves, as a tensor core
/// adds them: the bits that are cut off, and the result. The emulator's tensor core must give the
/// same result.
void draw_cut(Svg& svg, const nlohmann::json& panel);

/// Kind "ring": a ring of "stages" over time. Filling a stage takes "copy" units of time,
/// multiplying "multiply" units, until "multiplied" panels are done.
void draw_ring(Svg& svg, const nlohmann::json& panel);

/// Kind "machine": a GPU and its memories. "lit", which is optional, highlights schedulers,
/// registers, l1, l2 or dram.
void draw_machine(Svg& svg, const nlohmann::json& panel);

/// Kind "turns": one scheduler over time until cycle "end", for "warps" warps that repeatedly
/// execute for "work" cycles and wait for "wait" cycles.
void draw_turns(Svg& svg, const nlohmann::json& panel);

/// Kind "shuffles": how many values each lane holds while shuffles of a "form" ("xor", "down") add
/// up a warp, and the path of the values that "lane" holds at the end.
void draw_shuffles(Svg& svg, const nlohmann::json& panel);

/// Kind "terminal": a session at a shell, whose lines appear one after the other where the viewer
/// moves pictures. On paper, all of them stand there.
///
///   lines      what is typed, after "$ ", and what is printed
///   page       the page that has each of these lines; a test compares them
void draw_terminal(Svg& svg, const nlohmann::json& panel);

/// Draws a key of the marks in panels of kind "requests", below all panels; nothing if there are
/// none.
void draw_requests_key(Svg& svg, const nlohmann::json& panels);
void draw_banks_key(Svg& svg, const nlohmann::json& panels);
void draw_elements_key(Svg& svg, const nlohmann::json& panels);
void draw_sequence_key(Svg& svg, const nlohmann::json& panels);
void draw_overview_key(Svg& svg, const nlohmann::json& panels);
void draw_turns_key(Svg& svg, const nlohmann::json& panels);
void draw_shuffles_key(Svg& svg, const nlohmann::json& panels);

/// Draws a line of code or words, and its owner at the right edge.
void draw_heading(Svg& svg, const std::string& code, const std::string& words);

constexpr double kAboveKey = 8, kKeyHeight = 17;

/// Moves to the next row of a key if these words and their mark do not fit at `*x`.
void make_room(Svg& svg, double* x, const std::string& words);

/// Draws a mark and its meaning at `*x`, or in the next row if there is no room, and moves `*x`.
/// Without a mark, only reserves the room.
void draw_swatch(Svg& svg, double* x, const std::string& marks, const std::string& words);

/// Numbers the 32 columns of the drawn width, and names them at the left.
void draw_column_numbers(Svg& svg, const std::string& name);

/// Draws the wavefronts of a request in the banks, and returns a summary for a caption.
std::string draw_wavefronts(Svg& svg, const Request& request, const char* fill);

/// Returns "1 sector", "2 sectors".
std::string counted(std::size_t number, const char* one);

/// Draws a panel's caption.
void draw_caption(Svg& svg, const std::string& words);

}  // namespace pictures
