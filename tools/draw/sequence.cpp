#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kChipHeight = 22, kMostChip = 56, kChipGap = 3;
constexpr double kBaseline = 4, kLetter = 6.6;

/// Returns "A[512]", or "A[0-3]" for a wide access.
std::string element_name(const Request& request, const Place& place, const nlohmann::json& names) {
  const std::uint64_t first = place.offset / kWordBytes;
  const unsigned count = request.access_bytes / kWordBytes;
  const std::string name = names.at(place.object);
  return count == 1 ? fmt::format("{}[{}]", name, first)
                    : fmt::format("{}[{}-{}]", name, first, first + count - 1);
}

/// Returns the element's name, or the array's alone where a chip has no room for more.
std::string chip_label(const Request& request, const nlohmann::json& names, double room) {
  const Place& place = *request.lanes[0];
  const std::string name = element_name(request, place, names);
  return static_cast<double>(name.size()) * kLetter <= room
             ? name
             : names.at(place.object).get<std::string>();
}

}  // namespace

void draw_sequence(Svg& svg, const Scene& scene) {
  std::vector<const Request*> requests;
  for (const Request& request : scene.launch().warps.at(0).requests)
    if (request.lanes[0] && !request.is_shared) requests.push_back(&request);
  draw_heading(svg, scene.launch().kernel, scene.panel.at("words"));

  const auto wait = scene.panel.value("wait", 0.0);
  const double length = scene.panel.value("length", static_cast<double>(requests.size()));
  const double chip = std::min(kMostChip, kDrawnWidth / length);
  double x = kLeft, first_x = kLeft;
  std::size_t loads = 0, together = 0, most_together = 0, bytes = 0, most_bytes = 0, waits = 0;
  const auto bracket = [&] {  // below loads without a store in between, and the wait for them
    if (together == 0) return;
    if (wait > 0) {
      svg.rect(x, svg.y, wait * chip - kChipGap, kChipHeight, "tile t7", 4);
      svg.text(x + (wait * chip - kChipGap) / 2, svg.y + kChipHeight / 2 + kBaseline, "wait",
               "small", Anchor::middle);
      x += wait * chip;
    }
    const double from = first_x + 1, to = x - kChipGap - 1, y = svg.y + kChipHeight + 5;
    svg.line(from, y, to, y, "rule");
    svg.line(from, y - 3, from, y, "rule");
    svg.line(to, y - 3, to, y, "rule");
    svg.text((from + to) / 2, y + 13, fmt::format("{} bytes", bytes), "small muted",
             Anchor::middle);
    most_together = std::max(most_together, together);
    most_bytes = std::max(most_bytes, bytes);
    ++waits;
    together = bytes = 0;
  };
  for (const Request* request : requests) {
    const bool is_load = request->kind == "load";
    if (!is_load) bracket();
    if (is_load && together++ == 0) first_x = x;
    if (is_load) bytes += request->access_bytes;
    loads += is_load ? 1 : 0;
    svg.rect(x, svg.y, chip - kChipGap, kChipHeight, is_load ? "used" : "second", 4);
    svg.text(x + (chip - kChipGap) / 2, svg.y + kChipHeight / 2 + kBaseline,
             chip_label(*request, scene.panel.at("names"), chip - kChipGap), "small code on",
             Anchor::middle);
    x += chip;
  }
  bracket();
  if (x > kRight + 1) throw std::runtime_error("a sequence is longer than its panel's \"length\"");
  svg.y += kChipHeight + 22;
  const std::string accesses =
      fmt::format("{} loads and {}", loads, counted(requests.size() - loads, "store"));
  if (wait > 0)
    draw_caption(svg,
                 fmt::format("{}; it waits {}, with {} bytes on their way", accesses,
                             waits == 1 ? "once" : fmt::format("{} times", waits), most_bytes));
  else
    draw_caption(svg, fmt::format("{}; at most {} loads, {} bytes, before a store", accesses,
                                  most_together, most_bytes));
}

void draw_sequence_key(Svg& svg, const nlohmann::json& panels) {
  const auto is_sequence = [](const auto& panel) { return panel.at("kind") == "sequence"; };
  const auto panel = std::ranges::find_if(panels, is_sequence);
  if (panel == panels.end()) return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "load");
  draw_swatch(svg, &x, "second", "store");
  if (panel->contains("wait")) {
    draw_swatch(svg, &x, "tile t7", "waits for its loads: far longer than drawn");
    draw_swatch(svg, &x, "", "time runs from left to right");
  } else {
    draw_swatch(svg, &x, "", "in the order of the program, from left to right");
  }
  svg.y += kKeyHeight;
}

}  // namespace pictures
