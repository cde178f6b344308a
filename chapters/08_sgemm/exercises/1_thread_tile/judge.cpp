#include <algorithm>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"

namespace exercise_08_1 {

using course::divide_up;
using coursework::Trial;

constexpr int kTile = 64;
constexpr int kThreads = 512;
constexpr int kWarps = kThreads / course::kWarpSize;
constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);

/// Sectors of rows that a tile has whole: `pieces` of each are loaded or stored at a time. Where
/// rows do not begin at a sector, a piece may touch one more than it fills.
double sectors_of(double rows, int columns, int pieces) {
  const bool is_aligned = columns % kSectorFloats == 0;
  return rows * (divide_up(columns, kSectorFloats) + (is_aligned ? 0 : pieces));
}

void set_figures(Trial& trial, int m, int n, int k) {
  const int tiles_down = divide_up(m, kTile), tiles_across = divide_up(n, kTile);
  const int warps_across = divide_up(n, course::kWarpSize);
  // Each element of A is needed by every column of tiles, each element of B by every row of them.
  // The narrowest tile of A has one sector of each row.
  const double sectors = sectors_of(1.0 * m * tiles_across, k, divide_up(k, kSectorFloats)) +
                         sectors_of(1.0 * k * tiles_down, n, warps_across);
  trial.set("sectors", std::max(sectors, 1.0));
  trial.set("c_sectors", sectors_of(m, n, warps_across));
  trial.set("warps", 1.0 * tiles_down * tiles_across * kWarps);

  constexpr int kWidestTile = 32;  // of k; what stands in the last one beyond k is zero
  trial.set("steps", kWidestTile * std::max(divide_up(k, kWidestTile), 1));
  trial.set("least_tiles", k > 0);
  trial.set("tiles", divide_up(k, kSectorFloats));
}

void judge(Trial& trial) {
  const auto [m, n, k] = course::SgemmSize{trial["m"], trial["n"], trial["k"]};
  set_figures(trial, m, n, k);
  const auto problem = course::make_sgemm_problem({m, n, k}, trial.seed(1));
  const auto a = trial.input(problem.a), b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const dim3 grid(divide_up(n, kTile), divide_up(m, kTile));
  trial.launch("sgemm_thread_tile", {grid, kThreads}, m, n, k, a, b, c);
  coursework::expect_product(trial, problem, trial.read(c));
}

const coursework::Registered registered("08_1", judge);

}  // namespace exercise_08_1
