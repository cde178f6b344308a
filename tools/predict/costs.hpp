#pragma once

/// @file
/// Fits the costs of tiles in chapter 09's step 17 to measured times of all its ways.
///
/// `build/cuda/bin/09_sgemm --kernel ways --way m,n,k,... --json FILE` writes a report. Each of its
/// runs contains how often each cost applies (`times_of` in 17_any_shape.cuh) and the measured
/// time:
///
///     us = launch + max(tiles * tile + panels * panel + waits * wait + pieces * piece +
///                       added_pieces * per_piece, memory_us) + megabytes_again * again + copies_us
///
/// memory_us and copies_us are the costs of reading and writing the matrices on the GPU of the
/// sweep, according to the constants below.

#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace predict {

/// The costs of a tile in the order of `Cost` in 17_any_shape.cuh, all in microseconds.
inline constexpr std::array kCostNames = {"launch", "tile",      "panel", "wait",
                                          "piece",  "per_piece", "again"};
inline constexpr std::size_t kCosts = kCostNames.size();
using CostVector = std::array<double, kCosts>;

/// Memory costs of a run besides its tile's costs, as in step 17.
struct MemoryModel {
  double bytes_per_us = 4.0e6;  ///< kBytesPerUs: global memory
  double copy_us = 1.0;         ///< kCopyUs: to launch the kernel that copies matrices for TMA
};

/// A product timed in one of its ways.
struct WayRun {
  std::string tile;           ///< the tile's name
  std::string shape;          ///< "m x n x k"
  CostVector times = {};      ///< how often each cost applies
  double memory_us = 0.0;     ///< for reading and writing the matrices once
  double copies_us = 0.0;     ///< for copying matrices that TMA cannot read; 0 if there are none
  double predicted_us = 0.0;  ///< with the program's costs
  double measured_us = 0.0;   ///< median
};

struct MeasuredWays {
  std::string device;
  std::vector<WayRun> runs;
};

/// Returns the runs of `ways` in the JSON that 09_sgemm --json writes.
///
/// @throws std::runtime_error, in one line, if this is not JSON, lacks a field, or has no such run
MeasuredWays report_of(std::string_view text);

/// Returns the same runs with the costs of another memory model.
std::vector<WayRun> rescaled(std::span<const WayRun> runs, const MemoryModel& model,
                             const MemoryModel& before = {});

/// Returns the predicted time of a run in microseconds.
double predicted_us(const CostVector& costs, const WayRun& run);

/// Returns the x >= 0 that minimises |A x - b|, given A'A and A'b. Lawson and Hanson, Solving Least
/// Squares Problems (1974), chapter 23. A cost that others can express stays 0.
CostVector solve_nonnegative(const std::array<CostVector, kCosts>& squared,
                             const CostVector& right);

/// A tile's costs, and how well they predict its runs.
struct TileFit {
  CostVector costs = {};
  std::array<bool, kCosts> is_determined = {};  ///< the runs determine the cost; otherwise it is 0
  bool is_kept = false;  ///< there were too few runs: these are the previously known costs
  std::size_t runs = 0;
  double median_error = 0.0;  ///< of |predicted / measured - 1|
  double most_error = 0.0;    ///< its 90th percentile
};

/// Fits a tile's costs to its runs by least squares of relative errors.
///
/// Errors beyond 15 % count linearly instead of squared (Huber), and the part beyond 45 % does not
/// count, so outliers do not decide. If memory determines a run's time, the run informs only
/// `launch` and `again`. Which runs these are depends on the costs, so both are computed
/// alternately, in at most 50 rounds.
///
/// @param weights  the weight of each run
TileFit fit_tile(std::span<const WayRun> runs, std::span<const double> weights);

using Fits = std::map<std::string, TileFit>;           // by the tile's name
using KnownCosts = std::map<std::string, CostVector>;  // by the tile's name

/// Fits all tiles. A run within 1.3 times of the fastest at its shape has four times the weight of
/// others, because only good ways are ever chosen. Fewer than 20 runs cannot separate seven costs:
/// such a tile keeps its known costs, if any, as does a tile without runs.
Fits fit_tiles(std::span<const WayRun> runs, const KnownCosts& known = {});

/// How much slower the chosen way is than the fastest.
struct Regret {
  double geometric_mean = 1.0;
  std::vector<std::pair<double, std::string>> worst;  ///< regret and name of shapes, worst first
};

/// Returns the regret of choosing, at each shape, the run with the smallest `us`.
///
/// @param us  a predicted time for each run
Regret regret_of(std::span<const WayRun> runs, std::span<const double> us);

/// Returns the predicted times of the runs, in microseconds.
std::vector<double> predictions_of(std::span<const WayRun> runs, const Fits& fits);

/// Returns the fits with `again` replaced by the one of four values that reduces the regret, if any
/// does. Few runs read much of a matrix again, so the fit alone does not determine this cost. Tiles
/// with known costs stay as they are.
Fits with_chosen_again(std::span<const WayRun> runs, Fits fits);

/// The result of a report: costs, and how well they choose.
struct CostReport {
  std::string device;
  std::vector<std::string> shapes;  ///< in the report's order
  std::size_t runs = 0;
  Fits fits;
  Regret before, after;  ///< with the program's costs, and with the new ones

  /// The memory model with which tiles fitted by fit_tiles() predict best on this GPU.
  MemoryModel best_memory;
  double mean_error = 0.0, best_mean_error = 0.0;  ///< of |predicted / measured - 1|, with each
};

CostReport fit_report(const MeasuredWays& report, const KnownCosts& known = {});

/// Returns the contents of tile_costs.json.
nlohmann::ordered_json record_of(const CostReport& report);

/// Reads the costs from the text of tile_costs.json.
///
/// @throws std::runtime_error, in one line, if the text has another form
KnownCosts known_costs(std::string_view record);

/// Returns a text for the terminal: `kCost` of every tile, its error, and how well it chooses.
std::string table_of(const CostReport& report);

}  // namespace predict
