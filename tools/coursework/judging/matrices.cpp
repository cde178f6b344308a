#include "tools/coursework/judging/matrices.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "course/divide_up.hpp"
#include "tools/coursework/judging/requests.hpp"

namespace coursework {

std::vector<float> transposed(const std::vector<float>& values, int rows, int columns) {
  std::vector<float> result(values.size());
  for (std::size_t row = 0, i = 0; row < std::size_t(rows); ++row)
    for (std::size_t col = 0; col < std::size_t(columns); ++col)
      result[col * rows + row] = values[i++];
  return result;
}

namespace {

/// The elements of a block's tile of C that the 32 lanes of a warp compute.
struct WarpTile {
  int width;  ///< columns of a warp's tile; 0: threads in their usual order
  dim3 block;

  bool fits() const {
    return width == 0 || (block.x % width == 0 && block.y % (course::kWarpSize / width) == 0);
  }
  /// Returns the row and column of a thread in the block's tile.
  std::pair<int, int> position(int thread) const {
    const int block_width = static_cast<int>(block.x);
    if (width == 0) return {thread / block_width, thread % block_width};
    const int warp = thread / course::kWarpSize, lane = thread % course::kWarpSize;
    const int across = block_width / width, height = course::kWarpSize / width;
    return {warp / across * height + lane / width, warp % across * width + lane % width};
  }
};

struct ProductCost {
  PaperRequests loads, stores;
  std::int64_t warps = 0;
};

ProductCost cost_of(const course::SgemmSize& size, const WarpTile& tile, int a_row, int a_p) {
  const auto [m, n, k] = size;
  // Moving by eight elements moves every access by one sector, which costs the same.
  constexpr int kPeriod = course::kSectorBytes / sizeof(float);
  const int width = static_cast<int>(tile.block.x), height = static_cast<int>(tile.block.y);
  ProductCost cost;
  const auto add_warp = [&](int row0, int col0, int first) {
    const int end = std::min(first + course::kWarpSize, width * height);
    std::vector<std::pair<int, int>> places;
    for (int thread = first; thread < end; ++thread) {
      const auto [y, x] = tile.position(thread);
      if (row0 + y < m && col0 + x < n) cost.stores.lane(std::int64_t{row0 + y} * n + col0 + x);
      places.emplace_back(std::min(row0 + y, m - 1), std::min(col0 + x, n - 1));
    }
    cost.stores.end_request();
    for (int p = 0; p < std::min(k, kPeriod); ++p) {
      const int times = course::divide_up(k - p, kPeriod);
      for (const auto& [row, col] : places) cost.loads.lane(std::int64_t{row} * a_row + p * a_p);
      cost.loads.end_request(times);
      for (const auto& [row, col] : places) cost.loads.lane(std::int64_t{p} * n + col);
      cost.loads.end_request(times);
    }
    ++cost.warps;
  };
  for (int row0 = 0; row0 < m; row0 += height)
    for (int col0 = 0; col0 < n; col0 += width)
      for (int first = 0; first < width * height; first += course::kWarpSize)
        add_warp(row0, col0, first);
  return cost;
}

}  // namespace

void set_cost_along_rows(Trial& trial, const course::SgemmSize& size, dim3 block, int a_row,
                         int a_p) {
  double rounds = 1, loads = 0, stores = 0, warps = 0;
  for (const int width : {0, 8, 16, 32}) {
    const WarpTile tile = {width, block};
    if (!tile.fits()) continue;
    const ProductCost cost = cost_of(size, tile, a_row, a_p);
    rounds = std::max(rounds, 1.0 * cost.warps * size.k);
    loads = std::max(loads, 1.0 * cost.loads.sectors());
    stores = std::max(stores, 1.0 * cost.stores.sectors());
    warps = std::max(warps, 1.0 * cost.stores.requests());
  }
  trial.set("rounds", rounds);
  trial.set("warps", warps);
  trial.set("load_sectors", loads);
  trial.set("store_sectors", stores);
}

void expect_product(Trial& trial, const course::SgemmProblem& problem, const std::vector<float>& c,
                    const std::string& advice) {
  const auto comparison = course::check_sgemm(problem, c);
  if (comparison.ok()) return;
  const bool unwritten = comparison.failure.find("nan") != std::string::npos;
  trial.expect(false, "C is wrong" + std::string(": ") + comparison.failure +
                          (unwritten ? ". NaN stands where no thread has written." : ".") +
                          (advice.empty() ? "" : " " + advice));
}

namespace {

constexpr int kSectorFloats = course::kSectorBytes / sizeof(float);

/// Returns the sectors of whole rows of a tile, loaded or stored in `pieces` pieces each. Where
/// rows do not begin at a sector, a piece may touch one sector more than it fills.
double sectors_in_pieces(double rows, int columns, int pieces) {
  const bool is_aligned = columns % kSectorFloats == 0;
  return rows * (course::divide_up(columns, kSectorFloats) + (is_aligned ? 0 : pieces));
}

}  // namespace

void judge_tiled_product(Trial& trial, const std::string& kernel, int threads) {
  using course::divide_up;
  constexpr int kTile = 64;
  const auto [m, n, k] = course::SgemmSize{trial["m"], trial["n"], trial["k"]};
  const int tiles_down = divide_up(m, kTile), tiles_across = divide_up(n, kTile);
  // A row of a tile is stored in pieces of at least one sector.
  const int pieces_across =
      divide_up(n, threads < kTile * kTile / 8 ? kSectorFloats : course::kWarpSize);
  // Every column of tiles needs each element of A; every row of tiles needs each element of B. The
  // narrowest tile of A has one sector of each row.
  const double sectors =
      sectors_in_pieces(1.0 * m * tiles_across, k, divide_up(k, kSectorFloats)) +
      sectors_in_pieces(1.0 * k * tiles_down, n, divide_up(n, course::kWarpSize));
  trial.set("sectors", std::max(sectors, 1.0));
  trial.set("c_sectors", sectors_in_pieces(m, n, pieces_across));
  trial.set("warps", 1.0 * tiles_down * tiles_across * threads / course::kWarpSize);

  constexpr int kWidestTile = 32;  // along k; elements of the last tile beyond k are zero
  trial.set("steps", kWidestTile * std::max(divide_up(k, kWidestTile), 1));
  trial.set("least_tiles", k > 0);
  trial.set("tiles", divide_up(k, kSectorFloats));

  const auto problem = course::make_sgemm_problem({m, n, k}, trial.seed(1));
  const auto a = trial.input(problem.a), b = trial.input(problem.b);
  const auto c = trial.output<float>(problem.c.size());
  const auto block = static_cast<unsigned>(threads);
  const dim3 grid(divide_up(n, kTile), divide_up(m, kTile));
  trial.launch(kernel, {grid, block}, m, n, k, a, b, c);
  expect_product(trial, problem, trial.read(c));
}

}  // namespace coursework
