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
double units(const Step& step) {
  return step.tile_m * step.tile_n * step.tile_k / kWarpSize / kUnit;
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
  const double loads = known.counted("global_load_requests") * units(step) / warps(step);
  return known.code("batches") +
         known.code("repeated_batches") * (loads - known.code("batch_loads")) / repeated;
}

}  // namespace

const std::vector<Step>& steps() {
  static const std::vector<Step> all = {
      {"naive", "", 32, 32, 0, 1024, 2},
      {"coalesced", "", 32, 32, 0, 1024, 2},
      {"shared_tile", "", 32, 32, 32, 1024, 2},
      {"thread_tile_1d", "", 32, 32, 32, 128, 6},
      {"thread_tile_2d", "", 64, 128, 32, 128, 4},
      {"vectorised", "", 64, 128, 32, 128, 4},
      {"conflict_free", "", 64, 128, 32, 128, 4},
      {"tuned", "Li64ELi128ELi32ELi8ELi8EE", 64, 128, 32, 128, 4},
      {"warp_tiles", "Li64ELi128ELi32ELi8ELi8ELi8EE", 64, 128, 32, 128, 4},
      {"double_buffer", "Li64ELi128ELi16ELi8ELi8ELi8EE", 64, 128, 16, 128, 4},
  };
  return all;
}

Prediction predict_step(const prose::Measurements& measured, const Step& step, int size) {
  const Known known(measured, step);
  Prediction result = {.size = size, .costs = costs_of(known)};
  // A pair of tiles, or of a step without tiles 32 k.
  Step tile = step;
  if (tile.tile_k == 0) tile.tile_k = static_cast<int>(kWarpSize);
  const double work = units(tile) * std::max(result.costs.issue, result.costs.wavefronts);
  const bool has_tiles = step.tile_k > 0;
  if (has_tiles)
    result.waits =
        batches(known, step) * (known.latency("l2_cycles") + known.latency("shared_cycles") +
                                known.latency("barrier_cycles"));
  // A block that is alone also waits for shared memory: nobody else issues meanwhile.
  const double alone = has_tiles ? tile.tile_k * known.latency("shared_cycles") : 0.0;
  const double tiles = divide_up(size, step.tile_m) * divide_up(size, step.tile_n);
  const double pairs = divide_up(size, tile.tile_k);
  double cycles = known.latency("launch_cycles");
  double left = step.shares_evenly ? tiles / kMultiprocessors : divide_up(tiles, kMultiprocessors);
  while (left > 0.0) {
    const double blocks = std::min<double>(left, step.blocks);
    // Equal blocks fall into step: they wait together, and then share the schedulers.
    cycles +=
        known.latency("dram_cycles") +
        pairs * (result.waits + std::max(blocks * work, std::min(blocks, 1.0) * (work + alone)));
    left -= blocks;
    ++result.rounds;
  }
  result.tflop_per_s = 2.0 * size * size * size / (cycles / kClock) / 1e12;
  return result;
}

}  // namespace predict
