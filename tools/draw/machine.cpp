// Draws a GPU and its memories, from the schedulers down to the host.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tools/draw/panels.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace pictures {

namespace {

constexpr double kBoxHeight = 22, kHostHeight = 24, kGap = 6, kLink = 16, kBaseline = 4;
constexpr double kLine = 13, kTwoLines = 34;  // of words, and a box that holds two
constexpr double kBetween = 24;               // between multiprocessors
constexpr int kMultiprocessors = 3, kSchedulers = 4;

// The sizes in the picture are those that cudaGetDeviceProperties names on an H200.

/// What an H200 was measured to take: cycles that a lone load waits, by where it finds its data,
/// and the bandwidth of the driver's copy.
struct Measured {
  long shared, l1, l2, dram;
  long copy_gb_per_s;
};

Measured measured() {
  const auto file = std::filesystem::path(COURSE_SOURCE_DIR) / "docs/measurements/h200.json";
  const nlohmann::json report = tools::parse_json(tools::read_file(file));
  const nlohmann::json& loads = report.at("chapters").at("latencies").at(0);
  const auto last_timed = [&](const char* kernel) {
    const nlohmann::json* found = nullptr;
    for (const nlohmann::json& run : report.at("chapters").at("07_unrolling"))
      if (run.at("kernel") == kernel && !run.at("time_ms").is_null()) found = &run;
    if (found == nullptr) throw std::runtime_error(std::string("nobody timed ") + kernel);
    return *found;
  };
  const nlohmann::json chain = last_timed("follow_chain"),
                       copy = last_timed("copy_device_to_device");
  const double ms = chain.at("time_ms").at("median"), hops = chain.at("parameters").at("hops");
  const double mhz = std::stod(report.at("clock_sm_max_mhz").get<std::string>());
  return {.shared = std::lround(loads.at("shared_cycles").get<double>()),
          .l1 = std::lround(loads.at("l1_cycles").get<double>()),
          .l2 = std::lround(loads.at("l2_cycles").get<double>()),
          .dram = std::lround(ms / hops * 1000 * mhz),
          .copy_gb_per_s = std::lround(copy.at("gb_per_s").get<double>())};
}

}  // namespace

void draw_machine(Svg& svg, const nlohmann::json& panel) {
  const std::string lit = panel.value("lit", std::string{});
  const Measured loads = measured();
  bool is_any_lit = lit.empty();
  const auto part = [&](const char* name, double x, double width, double height,
                        const std::string& words, const std::string& more = "") {
    const bool is_lit = lit == name;
    is_any_lit |= is_lit;
    svg.rect(x, svg.y, width, height, is_lit ? "used" : "tile t7", 3);
    const double first = svg.y + height / 2 + kBaseline - (more.empty() ? 0 : kLine / 2);
    svg.text(x + width / 2, first, words, is_lit ? "small on" : "small", Anchor::middle);
    if (!more.empty())
      svg.text(x + width / 2, first + kLine, more, is_lit ? "small on" : "small", Anchor::middle);
  };
  const auto link = [&](double x) { svg.line(x, svg.y, x, svg.y + kLink, "border"); };

  const double width = (kDrawnWidth - (kMultiprocessors - 1) * kBetween) / kMultiprocessors;
  const double inner = width - 2 * kGap, half = (inner - kGap) / 2;
  const double top = svg.y, height = kGap + 4 * (kBoxHeight + kGap) + kTwoLines + kGap;
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
    part("registers", x + kGap, inner, kBoxHeight, "registers, 256 KiB");
    svg.y += kBoxHeight + kGap;
    part("l1", x + kGap, inner, kTwoLines, "L1 and shared, 256 KiB",
         fmt::format("a load: {} and {} cycles", loads.l1, loads.shared));
    svg.y = top + height;
    link(x + width / 2);
  }
  svg.y += kLink;
  part("l2", kLeft, kDrawnWidth, kHostHeight,
       fmt::format("L2, a cache for all multiprocessors, 60 MiB; a load: {} cycles", loads.l2));
  svg.y += kHostHeight;
  link(kLeft + kDrawnWidth / 2);
  svg.y += kLink;
  part("dram", kLeft, kDrawnWidth, kTwoLines,
       "DRAM, the device's memory, where cudaMalloc allocates, 140 GiB",
       fmt::format("a load: {} cycles; a copy moves {} GB/s", loads.dram, loads.copy_gb_per_s));
  svg.y += kTwoLines;
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
