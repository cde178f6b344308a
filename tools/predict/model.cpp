#include "tools/predict/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace predict {
namespace {

constexpr int kProfiledSize = 4096;  // size at which Nsight Compute counts
constexpr int kEmulatedSize = 256;   // size at which the emulator counts
constexpr double kMultiprocessors = 132.0;
constexpr double kSchedulers = 4.0;
constexpr double kWarpSize = 32.0;
constexpr double kUnit = 64.0;  // a warp's FFMA; the unit of costs
constexpr double kClock = 1.98e9;

/// The measured values by name.
class Known {
 public:
  Known(const prose::Measurements& measured, const Step& step) : measured_(measured), step_(step) {}

  double latency(const char* of) const {
    return measured_.value({"h200", "latencies", "latencies", {}}, of);
  }
  double code(const char* field) const {
    return measured_.value({"machine_code", kChapter, step_.name, {}}, field);
  }
  bool is_profiled() const { return measured_.has(profile(), "lsu_wavefronts"); }
  /// Returns a counter of Nsight Compute's per 64 FFMA of a warp.
  double profiled(const char* counter) const {
    return measured_.value(profile(), counter) / units_of(kProfiledSize);
  }
  /// Returns a counter of the emulator's per 64 FFMA of a warp.
  double emulated(const char* counter) const {
    const std::string& name = step_.same_loop.empty() ? step_.name : step_.same_loop;
    return measured_.value({"emulator", kChapter, name, of_size(kEmulatedSize)}, counter) /
           units_of(kEmulatedSize);
  }

 private:
  using Parameters = std::map<std::string, std::string>;
  static Parameters of_size(int size) {
    return {{"m", std::to_string(size)}, {"n", std::to_string(size)}, {"k", std::to_string(size)}};
  }
  static double units_of(double n) { return n * n * n / kWarpSize / kUnit; }
  prose::RunName profile() const { return {"h200", kChapter, step_.name, of_size(kProfiledSize)}; }

  const prose::Measurements& measured_;
  const Step& step_;
};

double divide_up(double a, double b) { return std::ceil(a / b); }

double warps(const Step& step) { return step.threads / kWarpSize; }

/// Returns the units of 64 FFMA of a warp for a pair of tiles, all warps of the block together.
double units(const Tile& tile, int depth) { return tile.m * tile.n * depth / kWarpSize / kUnit; }

double tile_count(const Tile& tile, int size) {
  return divide_up(size, tile.m) * divide_up(size, tile.n);
}

Tile chosen_tile(const Step& step, int size) {
  for (const Tile& tile : step.tiles)
    if (tile_count(tile, size) >= kMultiprocessors * 3 / 4) return tile;
  return step.tiles.back();
}

/// Returns the instructions per 64 FFMA in the machine code.
double instructions_of(const Known& known, const Step& step) {
  const double ffma_of_a_warp = units(step.tiles.front(), step.depth) * kUnit / warps(step);
  return kUnit * (known.code("loop_instructions") / known.code("loop_ffma") +
                  known.code("rest_instructions") / ffma_of_a_warp);
}

Costs costs_of(const Known& known, const Step& step) {
  const double bank_waits = kUnit * (known.code("loop_slots") - known.code("loop_instructions")) /
                            known.code("loop_ffma");
  if (known.is_profiled())
    return {.issue = (known.profiled("warp_instructions") + bank_waits) / kSchedulers,
            .wavefronts = known.profiled("lsu_wavefronts")};
  return {.issue = (instructions_of(known, step) + bank_waits) / kSchedulers,
          .wavefronts =
              known.emulated("shared_load_wavefronts") + known.emulated("shared_store_wavefronts")};
}

/// Returns how often a block waits for a batch of loads per pair of tiles.
double batches(const Known& known, const Step& step) {
  const double repeated = known.code("repeated_loads");
  if (repeated == 0) return known.code("batches");
  const double loads =
      known.profiled("global_load_requests") * units(step.tiles.front(), step.depth) / warps(step);
  return known.code("batches") +
         known.code("repeated_batches") * (loads - known.code("batch_loads")) / repeated;
}

}  // namespace

const std::vector<Step>& steps() {
  static const std::vector<Tile> kSmall = {{32, 32}}, kMiddle = {{64, 128}}, kLarge = {{128, 256}};
  static const std::vector<Tile> kFamily = {{128, 256}, {128, 64}};
  static const std::string kLargeShape = "Li8ELi16ELi128ELi256ELi1ELi32ELi3EE";
  static const std::vector<Step> all = {
      {.name = "naive", .tiles = kSmall, .depth = 16, .threads = 1024, .blocks = 2},
      {.name = "coalesced", .tiles = kSmall, .depth = 16, .threads = 1024, .blocks = 2},
      {.name = "shared_tile", .tiles = kSmall, .depth = 32, .threads = 1024, .blocks = 2},
      {.name = "thread_tile_1d", .tiles = kSmall, .depth = 32, .threads = 128, .blocks = 6},
      {.name = "thread_tile_2d", .tiles = kMiddle, .depth = 32, .threads = 128, .blocks = 4},
      {.name = "vectorised", .tiles = kMiddle, .depth = 32, .threads = 128, .blocks = 4},
      {.name = "conflict_free", .tiles = kMiddle, .depth = 32, .threads = 128, .blocks = 4},
      {.name = "tuned",
       .shape = "Li64ELi128ELi32ELi8ELi8EE",
       .tiles = kMiddle,
       .depth = 32,
       .threads = 128,
       .blocks = 4},
      {.name = "warp_tiles",
       .shape = "Li64ELi128ELi32ELi8ELi8ELi8EE",
       .tiles = kMiddle,
       .depth = 32,
       .threads = 128,
       .blocks = 4},
      {.name = "double_buffer",
       .shape = "Li64ELi128ELi16ELi8ELi8ELi8EE",
       .tiles = kMiddle,
       .depth = 16,
       .threads = 128,
       .blocks = 4},
      {.name = "tma", .tiles = kMiddle, .depth = 32, .threads = 128, .blocks = 4},
      {.name = "swizzle", .tiles = kMiddle, .depth = 32, .threads = 128, .blocks = 4},
      {.name = "large_tile", .tiles = kLarge, .depth = 32, .threads = 256, .blocks = 1},
      {.name = "register_order", .tiles = kLarge, .depth = 32, .threads = 256, .blocks = 1},
      {.name = "slices",
       .shape = kLargeShape,
       .tiles = kFamily,
       .depth = 32,
       .threads = 256,
       .blocks = 1,
       .same_loop = "register_order"},
      {.name = "even_shares",
       .shape = kLargeShape,
       .tiles = kFamily,
       .depth = 32,
       .threads = 256,
       .blocks = 1,
       .shares_evenly = true,
       .same_loop = "register_order"},
  };
  return all;
}

Prediction predict_step(const prose::Measurements& measured, const Step& step, int size) {
  const Known known(measured, step);
  Prediction result = {.size = size, .costs = costs_of(known, step)};
  const Tile tile = chosen_tile(step, size);
  const double pair =
      units(tile, step.depth) * std::max(result.costs.issue, result.costs.wavefronts);
  result.waits =
      batches(known, step) * (known.latency("l2_cycles") + known.latency("shared_cycles") +
                              known.latency("barrier_cycles"));
  double left = tile_count(tile, size) / kMultiprocessors;
  if (!step.shares_evenly) left = std::ceil(left);
  double cycles = known.latency("launch_cycles");
  while (left > 0.0) {
    const double blocks = std::min<double>(left, step.blocks);
    // Equal blocks run in lockstep: they wait at the same time, then share the schedulers. A warp
    // with a scheduler of its own also waits for shared memory at each k.
    const bool is_alone = blocks * warps(step) <= kSchedulers;
    const double busy =
        blocks * pair + (is_alone ? step.depth * known.latency("shared_cycles") : 0.0);
    cycles += known.latency("dram_cycles") + divide_up(size, step.depth) * (result.waits + busy);
    left -= blocks;
    ++result.rounds;
  }
  result.tflop_per_s = 2.0 * size * size * size / (cycles / kClock) / 1e12;
  return result;
}

}  // namespace predict
