// Draws a ring of stages over time: one side fills the stages, the other multiplies from them.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kBoxHeight = 24, kMarksHeight = 17, kTick = 5, kRowGap = 8, kBaseline = 4;

/// The times at which a panel is filled and multiplied.
struct Times {
  double filled_from, filled, multiplied_from, multiplied;
};

/// Computes the times of all panels. A stage is filled again after it was multiplied, and
/// multiplied after it was filled; panels are multiplied one after the other.
std::vector<Times> times_of(std::size_t panels, std::size_t stages, double copy, double multiply) {
  std::vector<Times> times;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const double from = panel < stages ? 0.0 : times[panel - stages].multiplied;
    const double before = panel == 0 ? 0.0 : times[panel - 1].multiplied;
    const double begins = std::max(from + copy, before);
    times.push_back({from, from + copy, begins, begins + multiply});
  }
  return times;
}

}  // namespace

void draw_ring(Svg& svg, const nlohmann::json& panel) {
  const auto stages = panel.at("stages").get<std::size_t>();
  const auto multiplied = panel.at("multiplied").get<std::size_t>();
  // Panels on their way when the last visible one is multiplied.
  const std::vector<Times> times =
      times_of(multiplied + stages, stages, panel.at("copy"), panel.at("multiply"));
  const double end = times[multiplied - 1].multiplied;
  const auto x_of = [&](double time) { return kLeft + kDrawnWidth * std::min(time, end) / end; };
  const auto box = [&](double from, double to, const std::string& marks, const std::string& words) {
    if (from >= std::min(to, end)) return;
    svg.rect(x_of(from), svg.y, x_of(to) - x_of(from), kBoxHeight, marks, 3);
    svg.text((x_of(from) + x_of(to)) / 2, svg.y + kBoxHeight / 2 + kBaseline, words,
             marks.starts_with("tile") ? "small" : "small on", Anchor::middle);
  };
  const auto event = [&](double time, const std::string& words) {
    if (time > end) return;
    const bool is_last = time == end;
    svg.line(x_of(time), svg.y - kTick, x_of(time), svg.y + kBoxHeight, "border");
    svg.text(x_of(time), svg.y - kTick - 3, words, "small strong",
             is_last ? Anchor::end : Anchor::middle);
  };
  const auto label = [&](const std::string& words) {
    svg.text(kLeft - 6, svg.y + kBoxHeight / 2 + kBaseline, words, "small strong", Anchor::end);
  };

  for (std::size_t stage = 0; stage < stages; ++stage) {
    svg.y += kMarksHeight;
    label(fmt::format("stage {}", stage));
    for (std::size_t i = stage; i < times.size(); i += stages) {
      box(times[i].filled_from, times[i].filled, "second", fmt::format("TMA fills {}", i));
      box(times[i].filled, times[i].multiplied_from, "tile t7", "");
      box(times[i].multiplied_from, times[i].multiplied, "used", fmt::format("multiply {}", i));
    }
    for (std::size_t i = stage; i < times.size(); i += stages) {
      event(times[i].filled, "full");
      event(times[i].multiplied, "empty");
    }
    svg.y += kBoxHeight + kRowGap;
  }
  svg.y += kRowGap;
  label("warps");
  double before = 0.0;
  for (std::size_t i = 0; i < multiplied; ++i) {
    box(before, times[i].multiplied_from, "tile t7", "wait");
    box(times[i].multiplied_from, times[i].multiplied, "used", fmt::format("multiply {}", i));
    before = times[i].multiplied;
  }
  svg.y += kBoxHeight + kRowGap;
  svg.text(kRight, svg.y + 9, "time →", "small muted", Anchor::end);
  double x = kLeft;
  draw_swatch(svg, &x, "second", "TMA copies");
  draw_swatch(svg, &x, "used", "the warps multiply");
  draw_swatch(svg, &x, "tile t7", "waits");
  svg.y += kKeyHeight;
}

}  // namespace pictures
