#pragma once

/// @file
/// The kinds of panels a picture is made of. Each draws at svg.y and moves it on.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "svg.hpp"
#include "trace.hpp"

namespace pictures {

/// What a panel of pictures.json is drawn from.
struct Scene {
  const Trace& trace;
  const nlohmann::json& panel;
  std::filesystem::path chapter;  ///< folder of the sources

  const Launch& launch() const;
  /// The request that `which` names: {"warp": 0, "request": 0}, both 0 if they are left out.
  const Request& request(const nlohmann::json& which) const;
};

/// Lanes, and the bytes of global memory that their request touches: sectors and lines, what is
/// used of them and what is fetched for nothing.
void draw_requests(Svg& svg, const Scene& scene);

/// The passes of a request through the 32 banks of shared memory.
void draw_banks(Svg& svg, const Scene& scene);

/// Who touches which element of a matrix.
void draw_elements(Svg& svg, const Scene& scene);

/// Warps and lanes of the threads of a block.
void draw_block(Svg& svg, const Scene& scene);

/// One thread's requests in the order of its program.
void draw_sequence(Svg& svg, const Scene& scene);

/// What their marks mean, once under all panels; nothing where no panel is of the kind.
void draw_requests_key(Svg& svg, const nlohmann::json& panels);
void draw_banks_key(Svg& svg, const nlohmann::json& panels);
void draw_elements_key(Svg& svg, const nlohmann::json& panels);
void draw_sequence_key(Svg& svg, const nlohmann::json& panels);

/// A line of code or words, and at its right whose it is.
void draw_heading(Svg& svg, const std::string& code, const std::string& words);

constexpr double kAboveKey = 8, kKeyHeight = 17;

/// A mark and what it means, at `*x`, which moves on; without a mark, only its room.
void draw_swatch(Svg& svg, double* x, const std::string& marks, const std::string& words);

/// What the panel comes to.
void draw_caption(Svg& svg, const std::string& words);

}  // namespace pictures
