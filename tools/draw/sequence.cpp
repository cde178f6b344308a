#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kChipHeight = 22, kMostChip = 56, kChipGap = 3;
constexpr double kBaseline = 4;

/// Returns "A[512]", or "A[0-3]" for a wide access.
std::string element_name(const Request& request, const Place& place, const nlohmann::json& names) {
  const std::uint64_t first = place.offset / kWordBytes;
  const unsigned count = request.access_bytes / kWordBytes;
  const std::string name = names.at(place.object);
  return count == 1 ? fmt::format("{}[{}]", name, first)
                    : fmt::format("{}[{}-{}]", name, first, first + count - 1);
}

}  // namespace

void draw_sequence(Svg& svg, const Scene& scene) {
  std::vector<const Request*> requests;
  for (const Request& request : scene.launch().warps.at(0).requests)
    if (request.lanes[0] && !request.is_shared) requests.push_back(&request);
  draw_heading(svg, scene.launch().kernel, scene.panel.at("words"));

  const double chip = std::min(kMostChip, kDrawnWidth / static_cast<double>(requests.size()));
  std::size_t loads = 0, together = 0, most_together = 0, bytes = 0, most_bytes = 0, first = 0;
  const auto bracket = [&](std::size_t end) {  // below loads without a store in between
    if (together == 0) return;
    const double from = kLeft + static_cast<double>(first) * chip + 1;
    const double to = kLeft + static_cast<double>(end) * chip - kChipGap - 1;
    const double y = svg.y + kChipHeight + 5;
    svg.line(from, y, to, y, "rule");
    svg.line(from, y - 3, from, y, "rule");
    svg.line(to, y - 3, to, y, "rule");
    svg.text((from + to) / 2, y + 13, fmt::format("{} bytes", bytes), "small muted",
             Anchor::middle);
    most_together = std::max(most_together, together);
    most_bytes = std::max(most_bytes, bytes);
    together = bytes = 0;
  };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const bool is_load = requests[i]->kind == "load";
    if (is_load && together++ == 0) first = i;
    if (!is_load) bracket(i);
    if (is_load) bytes += requests[i]->access_bytes;
    loads += is_load ? 1 : 0;
    const double x = kLeft + static_cast<double>(i) * chip;
    svg.rect(x, svg.y, chip - kChipGap, kChipHeight, is_load ? "used" : "second", 4);
    svg.text(x + (chip - kChipGap) / 2, svg.y + kChipHeight / 2 + kBaseline,
             element_name(*requests[i], *requests[i]->lanes[0], scene.panel.at("names")),
             "small code on", Anchor::middle);
  }
  bracket(requests.size());
  svg.y += kChipHeight + 22;
  const std::size_t stores = requests.size() - loads;
  draw_caption(svg, fmt::format("{} loads and {}; at most {} loads, {} bytes, before a store",
                                loads, counted(stores, "store"), most_together, most_bytes));
}

void draw_sequence_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels,
                           [](const auto& panel) { return panel.at("kind") == "sequence"; }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "load");
  draw_swatch(svg, &x, "second", "store");
  draw_swatch(svg, &x, "", "in the order of the program, from left to right");
  svg.y += kKeyHeight;
}

}  // namespace pictures
