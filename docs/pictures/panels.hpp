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

/// What the marks of draw_requests mean, once under all panels; nothing if none is one of its.
void draw_requests_key(Svg& svg, const nlohmann::json& panels);

/// The passes of a request through the 32 banks of shared memory.
void draw_banks(Svg& svg, const Scene& scene);

/// Who touches which element of a matrix.
void draw_elements(Svg& svg, const Scene& scene);

/// Warps and lanes of the threads of a block.
void draw_block(Svg& svg, const Scene& scene);

/// One thread's requests in the order of its program.
void draw_sequence(Svg& svg, const Scene& scene);

/// A line of code or words, and at its right whose it is.
void draw_heading(Svg& svg, const std::string& code, const std::string& words);

/// What the panel comes to.
void draw_caption(Svg& svg, const std::string& words);

}  // namespace pictures
