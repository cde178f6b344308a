#include "tools/predict/model.hpp"

#include <algorithm>
#include <cmath>

namespace predict {
namespace {

constexpr int kProfiledSize = 4096;  // where instructions and wavefronts are counted
constexpr double kMultiprocessors = 132.0;
constexpr double kSchedulers = 4.0;
constexpr double kWarpSize = 32.0;
constexpr double kUnit = 64.0;  // FFMA of a warp: what costs are given for
constexpr double kClock = 1.98e9;

/// What is measured, by name.
class Known {
 public:
  Known(const prose::Measurements& measured, const Step& step) : measured_(measured), step_(step) {}

  double latency(const char* of) const {
    return measured_.value({"h200", "latencies", "latencies", {}}, of);
  }
  double code(const char* field) const {
    return measured_.value({"machine_code", kChapter, step_.name, {}}, field);
  }
  /// Per 64 FFMA of a warp.
  double counted(const char* counter) const {
    const double n = kProfiledSize;
    return measured_.value({"h200", kChapter, step_.name, {{"m", std::to_string(kProfiledSize)}}},
                           counter) /
           (n * n * n / kWarpSize / kUnit);
  }

 private:
  const prose::Measurements& measured_;
  const Step& step_;
};

double divide_up(double a, double b) { return std::ceil(a / b); }

double warps(const Step& step) { return step.threads / kWarpSize; }

/// 64 FFMA of a warp in a pair of tiles, all of the block's warps together.
double units(const Tile& tile, int depth) { return tile.m * tile.n * depth / kWarpSize / kUnit; }

double tile_count(const Tile& tile, int size) {
  return divide_up(size, tile.m) * divide_up(size, tile.n);
}

Tile chosen_tile(const Step& step, int size) {
  for (const Tile& tile : step.tiles)
    if (tile_count(tile, size) >= kMultiprocessors * 3 / 4) return tile;
  return step.tiles.back();
}

Costs costs_of(const Known& known) {
  const double bank_waits = kUnit * (known.code("loop_slots") - known.code("loop_instructions")) /
                            known.code("loop_ffma");
  return {
      .issue = (known.counted("warp_instructions") + bank_waits) / kSchedulers,
      .wavefronts = known.counted("lsu_wavefronts") +
                    (known.latency("l1_hit_cycles") - 1.0) * known.counted("global_load_requests")};
}

/// How often a block waits for a batch of loads, for one pair of tiles.
double batches(const Known& known, const Step& step) {
  const double repeated = known.code("repeated_loads");
  if (repeated == 0) return known.code("batches");
  const double loads =
      known.counted("global_load_requests") * units(step.tiles.front(), step.depth) / warps(step);
  return known.code("batches") +
         known.code("repeated_batches") * (loads - known.code("batch_loads")) / repeated;
}

}  // namespace

const std::vector<Step>& steps() {
  static const std::vector<Tile> kSmall = {{32, 32}}, kMiddle = {{64, 128}}, kLarge = {{128, 256}};
  static const std::vector<Tile> kFamily = {{128, 256}, {128, 64}};
  static const std::string kLargeShape = "Li8ELi16ELi128ELi256ELi1ELi32ELi3EE";
  static const std::vector<Step> all = {
      {"naive", "", kSmall, 0, 1024, 2},
      {"coalesced", "", kSmall, 0, 1024, 2},
      {"shared_tile", "", kSmall, 32, 1024, 2},
      {"thread_tile_1d", "", kSmall, 32, 128, 6},
      {"thread_tile_2d", "", kMiddle, 32, 128, 4},
      {"vectorised", "", kMiddle, 32, 128, 4},
      {"conflict_free", "", kMiddle, 32, 128, 4},
      {"tuned", "Li64ELi128ELi32ELi8ELi8EE", kMiddle, 32, 128, 4},
      {"warp_tiles", "Li64ELi128ELi32ELi8ELi8ELi8EE", kMiddle, 32, 128, 4},
      {"double_buffer", "Li64ELi128ELi16ELi8ELi8ELi8EE", kMiddle, 16, 128, 4},
      {"tma", "", kMiddle, 32, 128, 4},
      {"swizzle", "", kMiddle, 32, 128, 4},
      {"large_tile", "", kLarge, 32, 256, 1},
      {"register_order", "", kLarge, 32, 256, 1},
      {"slices", kLargeShape, kFamily, 32, 256, 1},
      {"even_shares", kLargeShape, kFamily, 32, 256, 1, true},
  };
  return all;
}

Prediction predict_step(const prose::Measurements& measured, const Step& step, int size) {
  const Known known(measured, step);
  Prediction result = {.size = size, .costs = costs_of(known)};
  const bool has_pairs = step.depth > 0;
  const int depth = has_pairs ? step.depth : static_cast<int>(kWarpSize);
  const Tile tile = chosen_tile(step, size);
  const double pair = units(tile, depth) * std::max(result.costs.issue, result.costs.wavefronts);
  if (has_pairs)
    result.waits =
        batches(known, step) * (known.latency("l2_cycles") + known.latency("shared_cycles") +
                                known.latency("barrier_cycles"));
  double left = tile_count(tile, size) / kMultiprocessors;
  if (!step.shares_evenly) left = std::ceil(left);
  double cycles = known.latency("launch_cycles");
  while (left > 0.0) {
    const double blocks = std::min<double>(left, step.blocks);
    // Equal blocks fall into step: they wait together, and then share the schedulers. A warp that
    // has a scheduler for itself also waits for shared memory at each k.
    const bool is_alone = has_pairs && blocks * warps(step) <= kSchedulers;
    const double busy = blocks * pair + (is_alone ? depth * known.latency("shared_cycles") : 0.0);
    cycles += known.latency("dram_cycles") + divide_up(size, depth) * (result.waits + busy);
    left -= blocks;
    ++result.rounds;
  }
  result.tflop_per_s = 2.0 * size * size * size / (cycles / kClock) / 1e12;
  return result;
}

}  // namespace predict
