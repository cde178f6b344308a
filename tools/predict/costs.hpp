#pragma once

/// @file
/// What the tiles of chapter 09's step 17 cost: fitted to times of all ways that it has.
///
/// A report comes from `build/cuda/bin/09_sgemm --kernel ways --way m,n,k,... --json FILE`. Each of
/// its runs says how often it pays each cost (`times_of` in 17_any_shape.cuh) and how long it took:
///
///     us = launch + max(tiles * tile + panels * panel + waits * wait + pieces * piece +
///                       added_pieces * per_piece, memory_us) + megabytes_again * again + copies_us
///
/// memory_us and copies_us are what the matrices cost on the card on which the sweep ran, as the
/// constants below say.

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

/// What a run pays beside its tile's costs, as step 17 has it.
struct MemoryModel {
  double bytes_per_us = 4.0e6;  ///< kBytesPerUs: global memory
  double copy_us = 1.0;         ///< kCopyUs: to launch the kernel that copies matrices for TMA
};

/// A product that was timed in one of its ways.
struct WayRun {
  std::string tile;           ///< name of the tile
  std::string shape;          ///< "m x n x k"
  CostVector times = {};      ///< how often it pays each cost
  double memory_us = 0.0;     ///< reading and writing the matrices once
  double copies_us = 0.0;     ///< of matrices that TMA cannot read; 0 if there are none
  double predicted_us = 0.0;  ///< with the costs that the program had
  double measured_us = 0.0;   ///< median
};

struct MeasuredWays {
  std::string device;
  std::vector<WayRun> runs;
};

/// The runs of `ways` in what 09_sgemm --json writes.
///
/// @throws std::runtime_error if this is not JSON, lacks a field, or has no such run; in one line
MeasuredWays report_of(std::string_view text);

/// The same runs as another memory model has them.
std::vector<WayRun> rescaled(std::span<const WayRun> runs, const MemoryModel& model,
                             const MemoryModel& before = {});

/// What a run costs, in microseconds.
double predicted_us(const CostVector& costs, const WayRun& run);

/// The x >= 0 that makes |A x - b| least, from A'A and A'b. Lawson and Hanson, Solving Least
/// Squares Problems (1974), chapter 23. A cost that others express as well stays 0.
CostVector solve_nonnegative(const std::array<CostVector, kCosts>& squared,
                             const CostVector& right);

/// A tile's costs, and how well they predict its runs.
struct TileFit {
  CostVector costs = {};
  std::array<bool, kCosts> is_determined = {};  ///< the runs tell what it is; else it is 0
  bool is_kept = false;  ///< too few runs: these are the costs that were known before
  std::size_t runs = 0;
  double median_error = 0.0;  ///< of |predicted / measured - 1|
  double most_error = 0.0;    ///< its 90th percentile
};

/// Fits a tile's costs to its runs: the least sum of squares of relative errors.
///
/// Errors beyond 15 % count in proportion, not squared (Huber), and what goes beyond 45 % counts
/// nothing, so outliers do not decide. Where memory decides, a run tells about `launch` and `again`
/// alone. Which runs these are follows from the costs, so both are found in turn, in at most 50
/// rounds.
///
/// @param weights  how much each run matters
TileFit fit_tile(std::span<const WayRun> runs, std::span<const double> weights);

using Fits = std::map<std::string, TileFit>;           // by the tile's name
using KnownCosts = std::map<std::string, CostVector>;  // likewise

/// Fits all tiles. A run within 1.3 times of the fastest at its shape counts four times as much as
/// others: only good ways are ever chosen. Fewer than 20 runs do not tell seven costs apart: such a
/// tile keeps the costs that are known of it, if there are any. So does one without runs.
Fits fit_tiles(std::span<const WayRun> runs, const KnownCosts& known = {});

/// How much longer the chosen way takes than the fastest.
struct Regret {
  double geometric_mean = 1.0;
  std::vector<std::pair<double, std::string>> worst;  ///< a shape's regret and name; worst first
};

/// Regret of who chooses, at each shape, the run for which `us` says least.
///
/// @param us  one for each run
Regret regret_of(std::span<const WayRun> runs, std::span<const double> us);

/// What these fits say of each run, in microseconds.
std::vector<double> predictions_of(std::span<const WayRun> runs, const Fits& fits);

/// These fits, but `again` is another one of four values where that lowers the regret. Few runs
/// read much of a matrix again, so the fit alone does not find this cost. Tiles that are kept stay
/// as they are.
Fits with_chosen_again(std::span<const WayRun> runs, Fits fits);

/// What follows from a report: costs, and how well they choose.
struct CostReport {
  std::string device;
  std::vector<std::string> shapes;  ///< in the report's order
  std::size_t runs = 0;
  Fits fits;
  Regret before, after;  ///< with the costs that the program had, and with these

  /// The memory model with which tiles fitted by fit_tiles() predict best on this card.
  MemoryModel best_memory;
  double mean_error = 0.0, best_mean_error = 0.0;  ///< of |predicted / measured - 1|, with each
};

CostReport fit_report(const MeasuredWays& report, const KnownCosts& known = {});

/// tile_costs.json.
nlohmann::ordered_json record_of(const CostReport& report);

/// The costs in tile_costs.json.
///
/// @throws std::runtime_error in one line, if it is something else
KnownCosts known_costs(std::string_view record);

/// What a terminal shows: `kCost` of every tile, how far off it is, and whether it chooses well.
std::string table_of(const CostReport& report);

}  // namespace predict
