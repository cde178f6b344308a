// Draws a GPU and its memories, from the schedulers down to the host.
#include <stdexcept>
#include <string>

#include "tools/draw/panels.hpp"

namespace pictures {

namespace {

constexpr double kBoxHeight = 22, kHostHeight = 24, kGap = 6, kLink = 16, kBaseline = 4;
constexpr double kBetween = 24;  // between multiprocessors
constexpr int kMultiprocessors = 3, kSchedulers = 4;

}  // namespace

void draw_machine(Svg& svg, const nlohmann::json& panel) {
  const std::string lit = panel.value("lit", std::string{});
  bool is_any_lit = lit.empty();
  const auto part = [&](const char* name, double x, double width, double height,
                        const std::string& words) {
    const bool is_lit = lit == name;
    is_any_lit |= is_lit;
    svg.rect(x, svg.y, width, height, is_lit ? "used" : "tile t7", 3);
    svg.text(x + width / 2, svg.y + height / 2 + kBaseline, words, is_lit ? "small on" : "small",
             Anchor::middle);
  };
  const auto link = [&](double x) { svg.line(x, svg.y, x, svg.y + kLink, "border"); };

  const double width = (kDrawnWidth - (kMultiprocessors - 1) * kBetween) / kMultiprocessors;
  const double inner = width - 2 * kGap, half = (inner - kGap) / 2;
  const double top = svg.y, height = kGap + 5 * (kBoxHeight + kGap);
  for (int i = 0; i < kMultiprocessors; ++i) {
    const double x = kLeft + i * (width + kBetween);
    svg.y = top;
    svg.rect(x, svg.y, width, height, "idle", 4);
    svg.text(x + width / 2, svg.y + kGap + kBoxHeight / 2 + kBaseline, "multiprocessor",
             "small strong", Anchor::middle);
    for (int k = 0; k < kSchedulers; ++k) {
      svg.y = top + kGap + (1 + k / 2) * (kBoxHeight + kGap);
      part("schedulers", x + kGap + k % 2 * (half + kGap), half, kBoxHeight, "scheduler");
    }
    svg.y = top + kGap + 3 * (kBoxHeight + kGap);
    part("registers", x + kGap, inner, kBoxHeight, "registers");
    svg.y += kBoxHeight + kGap;
    part("l1", x + kGap, inner, kBoxHeight, "L1 and shared memory");
    svg.y = top + height;
    link(x + width / 2);
  }
  svg.y += kLink;
  part("l2", kLeft, kDrawnWidth, kHostHeight, "L2: a cache for all multiprocessors");
  svg.y += kHostHeight;
  link(kLeft + kDrawnWidth / 2);
  svg.y += kLink;
  part("dram", kLeft, kDrawnWidth, kHostHeight,
       "DRAM: the device's memory, where cudaMalloc allocates");
  svg.y += kHostHeight;
  link(kLeft + kDrawnWidth / 2);
  svg.text(kLeft + kDrawnWidth / 2 + kGap, svg.y + kLink / 2 + kBaseline, "cudaMemcpy",
           "small muted");
  svg.y += kLink;
  svg.rect(kLeft, svg.y, kDrawnWidth, kHostHeight, "idle", 3);
  svg.text(kLeft + kDrawnWidth / 2, svg.y + kHostHeight / 2 + kBaseline,
           "the host: CPU and its memory", "small", Anchor::middle);
  svg.y += kHostHeight + kGap;
  if (!is_any_lit) throw std::runtime_error("a machine has no such part: " + lit);
}

}  // namespace pictures
