// Draws the values of a warp's lanes while shuffles add them up.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr int kWarp = 32, kShuffles = 5;
constexpr double kBox = kDrawnWidth / kWarp, kBoxHeight = 18, kRowHeight = 40, kBaseline = 4;

/// How often each lane's value is contained in one lane's sum.
using Counts = std::array<int, kWarp>;

/// Returns the lane whose value `lane` adds; beyond the last lane, a lane adds its own value.
int source_of(const std::string& form, int lane, int offset) {
  if (form == "xor") return lane ^ offset;
  if (form == "down") return lane + offset < kWarp ? lane + offset : lane;
  throw std::runtime_error("a shuffle that adds up is \"xor\" or \"down\", not " + form);
}

int offset_of(int step) { return kWarp >> step; }

/// Returns the contents of each lane before the first shuffle and after each shuffle.
std::vector<std::array<Counts, kWarp>> held_of(const std::string& form) {
  std::vector<std::array<Counts, kWarp>> held(1);
  for (std::size_t lane = 0; lane < kWarp; ++lane) held[0][lane][lane] = 1;
  for (int step = 1; step <= kShuffles; ++step) {
    std::array<Counts, kWarp> now = held.back();
    for (int lane = 0; lane < kWarp; ++lane) {
      const auto source = static_cast<std::size_t>(source_of(form, lane, offset_of(step)));
      for (std::size_t of = 0; of < kWarp; ++of)
        now[static_cast<std::size_t>(lane)][of] += held.back()[source][of];
    }
    held.push_back(now);
  }
  return held;
}

/// Returns the lanes that the values in `lane` at the end have passed through, before the first
/// shuffle and after each shuffle.
std::vector<std::set<int>> ways_of(const std::string& form, int lane) {
  std::vector<std::set<int>> ways(kShuffles + 1, {lane});
  for (int step = kShuffles; step > 0; --step) {
    const std::set<int>& after = ways[static_cast<std::size_t>(step)];
    std::set<int>& before = ways[static_cast<std::size_t>(step) - 1];
    before = after;
    for (const int one : after) before.insert(source_of(form, one, offset_of(step)));
  }
  return ways;
}

}  // namespace

void draw_shuffles(Svg& svg, const nlohmann::json& panel) {
  const std::string form = panel.at("form");
  const auto held = held_of(form);
  const auto ways = ways_of(form, panel.at("lane"));
  const auto middle = [](int lane) { return kLeft + (lane + 0.5) * kBox; };
  draw_heading(svg, panel.at("heading"), panel.at("words"));
  for (int step = 0; step <= kShuffles; ++step) {
    const auto row = static_cast<std::size_t>(step);
    svg.text(kLeft - 6, svg.y + kBoxHeight / 2 + kBaseline,
             step == 0 ? "lane" : fmt::format("{} {}", form == "xor" ? "^" : "+", offset_of(step)),
             "small muted", Anchor::end);
    if (step > 0)
      for (const int lane : ways[row])
        for (const int from : {lane, source_of(form, lane, offset_of(step))})
          svg.line(middle(from), svg.y - kRowHeight + kBoxHeight, middle(lane), svg.y, "to-used");
    for (int lane = 0; lane < kWarp; ++lane) {
      const Counts& counts = held[row][static_cast<std::size_t>(lane)];
      const int values = std::accumulate(counts.begin(), counts.end(), 0);
      const int most = *std::max_element(counts.begin(), counts.end());
      const std::string marks = most > 1                   ? "conflict"
                                : values == kWarp          ? "second"
                                : ways[row].contains(lane) ? "used"
                                                           : "tile t0";
      svg.rect(kLeft + lane * kBox, svg.y, kBox, kBoxHeight, marks, 2);
      svg.text(middle(lane), svg.y + kBoxHeight / 2 + kBaseline,
               std::to_string(step == 0 ? lane : values), marks == "tile t0" ? "small" : "small on",
               Anchor::middle);
    }
    svg.y += kRowHeight;
  }
  svg.y -= kRowHeight - kBoxHeight;
}

void draw_shuffles_key(Svg& svg, const nlohmann::json& panels) {
  if (std::ranges::none_of(panels,
                           [](const auto& panel) { return panel.at("kind") == "shuffles"; }))
    return;
  svg.y += kAboveKey;
  double x = kLeft;
  draw_swatch(svg, &x, "used", "on the way to lane 0: so many values");
  draw_swatch(svg, &x, "second", "the sum of all");
  draw_swatch(svg, &x, "conflict", "some values twice or more");
  svg.y += kKeyHeight;
}

}  // namespace pictures
