// Draws warps that take turns at one scheduler: each executes, then waits for a load.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kRowHeight = 6, kRowGap = 1, kTurnsHeight = 12, kAboveTurns = 5;
constexpr double kAboveWarps = 4, kBelowLabel = 10;

/// A time span in which a warp executes instructions, in cycles.
struct Turn {
  std::size_t warp;
  double from;
};

/// Computes the turns. The scheduler always selects the warp that has been ready for longest. A
/// warp is ready again `wait` cycles after its turn.
std::vector<Turn> turns_of(std::size_t warps, double work, double wait, double end) {
  std::vector<double> ready(warps, 0.0);
  std::vector<Turn> turns;
  double free = 0.0;
  while (true) {
    const auto next = std::ranges::min_element(ready);
    const double from = std::max(free, *next);
    if (from >= end) return turns;
    turns.push_back({static_cast<std::size_t>(next - ready.begin()), from});
    free = from + work;
    *next = free + wait;
  }
}

}  // namespace

void draw_turns(Svg& svg, const nlohmann::json& panel) {
  const auto warps = panel.at("warps").get<std::size_t>();
  const double work = panel.at("work"), wait = panel.at("wait"), end = panel.at("end");
  const auto bar = [&](double from, double to, double y, double height, const char* marks) {
    const double left = kLeft + kDrawnWidth * from / end;
    const double right = kLeft + kDrawnWidth * std::min(to, end) / end;
    if (left < right) svg.rect(left, y, right - left, height, marks);
  };
  const auto label = [&](const std::string& words) {
    svg.text(kLeft - 6, svg.y + kBelowLabel, words, "small strong", Anchor::end);
  };

  const std::vector<Turn> turns = turns_of(warps, work, wait, end);
  const double share = std::min(1.0, static_cast<double>(warps) * work / (work + wait));
  draw_caption(svg, fmt::format("{}: the scheduler issues in {:.{}f} % of all cycles",
                                counted(warps, "warp"), 100 * share, share < 0.1 ? 1 : 0));
  svg.y += kAboveWarps;
  label(warps == 1 ? "warp" : "warps");
  for (const Turn& turn : turns) {
    const double y = svg.y + static_cast<double>(turn.warp) * (kRowHeight + kRowGap);
    bar(turn.from, turn.from + work, y, kRowHeight, "used");
    bar(turn.from + work, turn.from + work + wait, y, kRowHeight, "tile t7");
  }
  const double rows = static_cast<double>(warps) * (kRowHeight + kRowGap);
  svg.y += std::max(rows, kTurnsHeight) + kAboveTurns;  // one row is lower than its label
  label("issues");
  svg.rect(kLeft, svg.y, kDrawnWidth, kTurnsHeight, "idle");
  for (const Turn& turn : turns) bar(turn.from, turn.from + work, svg.y, kTurnsHeight, "used");
  svg.y += kTurnsHeight;
}

void draw_turns_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels, [](const auto& panel) { return panel.at("kind") == "turns"; }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "executes instructions");
  draw_swatch(svg, &x, "tile t7", "waits for its load");
  draw_swatch(svg, &x, "", "time runs from left to right");
  svg.y += kKeyHeight;
}

}  // namespace pictures
