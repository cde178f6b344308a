#include <algorithm>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "tools/coursework/judging/matrices.hpp"
#include "tools/coursework/judging/requests.hpp"

namespace exercise_10_1 {

using course::divide_up;
using coursework::transposed;
using coursework::Trial;

constexpr int kTile = 64;
constexpr int kThreads = 64;

/// Sectors of C, where each column is stored in pieces for the lanes of a warp.
double sectors_of_pieces(int m, int n) {
  coursework::PaperRequests requests;
  for (int col = 0; col < n; ++col) {
    for (int first = 0; first < m; first += course::kWarpSize) {
      for (int row = first; row < std::min(first + course::kWarpSize, m); ++row)
        requests.lane(col * m + row);
      requests.end_request();
    }
  }
  return static_cast<double>(requests.sectors());
}

void judge(Trial& trial) {
  const auto [m, n, k] = course::SgemmSize{trial["m"], trial["n"], trial["k"]};
  const dim3 grid(divide_up(m, kTile), divide_up(n, kTile));
  trial.set("warps", 1.0 * grid.x * grid.y * kThreads / course::kWarpSize);
  trial.set("c_sectors", sectors_of_pieces(m, n));
  trial.set("is_whole", m % kTile == 0 && n % kTile == 0);

  const auto problem = course::make_sgemm_problem({m, n, k}, trial.seed(1));
  const auto a = trial.input(transposed(problem.a, m, k));
  const auto b = trial.input(transposed(problem.b, k, n));
  const auto c = trial.output<float>(problem.c.size());
  trial.launch("sgemm_with_epilogue", {grid, kThreads}, m, n, k, a, b, c);
  coursework::expect_product(
      trial, problem, transposed(trial.read(c), n, m),
      "Is every address the one in the table? And may a lane read before the others have stored, "
      "or store again before the others have read?");
}

const coursework::Registered registered("10_1", judge);

}  // namespace exercise_10_1
