#include <algorithm>
#include <string>
#include <utility>

#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/requests.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace {

using course::divide_up;
using course::kWarpSize;
using coursework::Trial;

/// Sectors that the table's stores touch if `place(thread)` is a thread's row and column in the
/// tile of its block.
template <class Place>
double sectors_stored(int m, int n, int block, Place place) {
  coursework::PaperRequests stores;
  for (int tile_row = 0; tile_row < m; tile_row += block) {
    for (int tile_col = 0; tile_col < n; tile_col += block) {
      for (int first = 0; first < block * block; first += kWarpSize) {
        for (int thread = first; thread < first + kWarpSize; ++thread) {
          const auto [y, x] = place(thread);
          const int row = tile_row + y, col = tile_col + x;
          if (row < m && col < n) stores.lane(std::int64_t{row} * n + col);
        }
        stores.end_request();
      }
    }
  }
  return static_cast<double>(stores.sectors());
}

/// The place of a thread if each warp has a tile of its own, `width` wide.
auto in_tiles_of_warps(int block, int width) {
  return [=](int thread) {
    const int warp = thread / kWarpSize, lane = thread % kWarpSize, across = block / width;
    return std::pair(warp / across * (kWarpSize / width) + lane / width,
                     warp % across * width + lane % width);
  };
}

void set_bounds(Trial& trial, int m, int n, int block) {
  double along_rows = 0.0;
  for (int width = 8; width <= block; width *= 2)
    along_rows = std::max(along_rows, sectors_stored(m, n, block, in_tiles_of_warps(block, width)));
  trial.set("store_sectors", along_rows);
  trial.set("sectors_down", sectors_stored(m, n, block, [=](int thread) {
              return std::pair(thread % block, thread / block);
            }));
}

void judge(Trial& trial) {
  const int m = trial["m"], n = trial["n"], block = trial["block"];
  set_bounds(trial, m, n, block);

  const auto a = course::random_floats(m, trial.seed(1)),
             b = course::random_floats(n, trial.seed(2));
  const auto device_a = trial.input(a), device_b = trial.input(b);
  const auto device_table = trial.output<float>(std::size_t(m) * n);
  const dim3 grid(divide_up(m, block), divide_up(n, block));
  trial.launch("multiplication_table", {grid, dim3(block, block)}, m, n, device_a, device_b,
               device_table);

  const auto table = trial.read(device_table);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < n; ++col) {
      const float found = table[std::size_t(row) * n + col];
      const std::string element =
          "Element (" + std::to_string(row) + ", " + std::to_string(col) + ")";
      trial.expect(found == found, element + " was never written: a hole.");
      trial.expect(found == a[row] * b[col], element + " is wrong.");
    }
  }
}

const coursework::Registered registered("02_4", judge);

}  // namespace
