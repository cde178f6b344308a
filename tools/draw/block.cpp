#include <fmt/format.h>

#include <algorithm>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kMostCell = 22, kCellHeight = 20, kSliceGap = 26;
constexpr double kNarrowCell = 18;  // narrower cells would let neighbouring numbers touch
constexpr double kBaseline = 4;

}  // namespace

void draw_block(Svg& svg, const Scene& scene) {
  const Launch& launch = scene.launch();
  const auto [cols, rows, slices] = launch.block;
  const double gaps = kSliceGap * (slices - 1);
  const double cell = std::min(kMostCell, (kDrawnWidth - gaps) / (cols * slices));
  const auto left_of = [&](unsigned slice) { return kLeft + slice * (cols * cell + kSliceGap); };
  draw_heading(
      svg,
      fmt::format("{}<<<grid, {}>>>", launch.kernel, scene.panel.at("block").get<std::string>()),
      scene.panel.at("words"));

  if (slices > 1) {
    for (unsigned z = 0; z < slices; ++z)
      svg.text(left_of(z), svg.y + 8, fmt::format("z = {}", z), "small strong");
    svg.y += 16;
  }
  svg.text(kLeft - 6, svg.y + 9, "x =", "small muted", Anchor::end);
  const unsigned every = cell < kNarrowCell ? 4 : 1;
  for (unsigned z = 0; z < slices; ++z)
    for (unsigned x = 0; x < cols; x += every)
      svg.text(left_of(z) + (x + 0.5) * cell, svg.y + 9, std::to_string(x), "small muted",
               Anchor::middle);
  svg.y += 14;
  for (unsigned y = 0; y < rows && rows > 1; ++y)
    svg.text(kLeft - 6, svg.y + (y + 0.5) * kCellHeight + kBaseline, fmt::format("y = {}", y),
             "small muted", Anchor::end);
  for (std::size_t warp = 0; warp < launch.warps.size(); ++warp) {
    const auto& threads = launch.warps[warp].threads;
    for (std::size_t lane = 0; lane < threads.size(); ++lane) {
      const auto [x, y, z] = threads[lane];
      const double left = left_of(z) + x * cell, top = svg.y + y * kCellHeight;
      svg.rect(left, top, cell, kCellHeight, "tile " + tint(warp));
      svg.text(left + cell / 2, top + kCellHeight / 2 + kBaseline, std::to_string(lane), "small",
               Anchor::middle);
    }
  }
  svg.y += rows * kCellHeight + 8;

  double left = kLeft;
  for (std::size_t warp = 0; warp < launch.warps.size(); ++warp) {
    const std::size_t lanes = launch.warps[warp].threads.size();
    draw_swatch(svg, &left, "tile " + tint(warp),
                lanes == kLanes ? fmt::format("warp {}", warp)
                                : fmt::format("warp {}, {} lanes", warp, lanes));
  }
  svg.y += kKeyHeight;
}

}  // namespace pictures
