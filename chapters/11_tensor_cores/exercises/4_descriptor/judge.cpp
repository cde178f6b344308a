#include <cuda_fp16.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../one_large.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_4 {

using course::divide_up;
using coursework::Trial;

constexpr int kTileM = 64, kTileN = 16, kTileK = 32, kThreads = 128, kEight = 8;

/// Whole numbers, so that sums are exact in any order.
std::vector<int> elements(int count, std::uint64_t seed) {
  constexpr int kMost = 9;
  return course::random_ints(static_cast<std::size_t>(count), seed, -kMost, kMost);
}

std::vector<__half> as_halves(const std::vector<int>& values) {
  std::vector<__half> halves;
  for (const int value : values) halves.push_back(__float2half_rn(static_cast<float>(value)));
  return halves;
}

/// The sizes of a launch.
struct Sizes {
  int m, n, k;

  coursework::Shape shape() const {
    const unsigned tiles_n = static_cast<unsigned>(divide_up(n, kTileN)),
                   tiles_m = static_cast<unsigned>(divide_up(m, kTileM));
    return {dim3(tiles_n, tiles_m), kThreads};
  }
  /// Pairs of tiles that are multiplied.
  double tiles() const {
    return 1.0 * divide_up(m, kTileM) * divide_up(n, kTileN) * divide_up(k, kTileK);
  }
  /// Sectors of the tiles, each loaded once.
  double sectors() const {
    return divide_up(n, kTileN) * one_large::sectors_of_tiles(m, k, kTileK) +
           divide_up(m, kTileM) * one_large::sectors_of_tiles(n, k, kTileK);
  }
};

/// Whether C comes from a tensor core.
bool is_of_tensor_core(Trial& trial, const Sizes& sizes) {
  const auto [m, n, k] = sizes;
  const auto A = one_large::rows_with_one(m, k, trial.seed(3));
  const auto B = one_large::ones(n * k);
  const auto C = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", sizes.shape(), m, n, k, trial.input(A), trial.input(B), C);
  return one_large::are_of_tensor_core(trial.read(C), k);
}

void judge(Trial& trial) {
  const int m = trial["m"], n = trial["n"], k = trial["k"];
  // To look at the rounding, instructions are whole.
  const Sizes sizes{m, n, k}, whole{m, n, divide_up(k, kTileK) * kTileK};
  bool of_tensor_core = true;
  if (one_large::comes_first(trial)) of_tensor_core = is_of_tensor_core(trial, whole);
  const auto A = elements(m * k, trial.seed(1)), B = elements(n * k, trial.seed(2));
  trial.set("tiles", sizes.tiles() + whole.tiles());

  const auto device_c = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", sizes.shape(), m, n, k, trial.input(as_halves(A)),
               trial.input(as_halves(B)), device_c);

  const auto C = trial.read(device_c);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      int expected = 0;
      for (int p = 0; p < k; ++p)
        expected +=
            A[static_cast<std::size_t>(row * k + p)] * B[static_cast<std::size_t>(col * k + p)];
      const float found = C[static_cast<std::size_t>(row * n + col)];
      const bool is_further = row % kTileM >= kEight || col % kTileN >= kEight;
      trial.expect(found == static_cast<float>(expected),
                   "C[" + std::to_string(row) + ", " + std::to_string(col) + "] is " +
                       std::to_string(found) + " instead of " + std::to_string(expected) +
                       (is_further ? ". It is not among the first eight rows and columns of its "
                                     "tile: how far is it to the next eight?"
                                   : ". It is among the first eight rows and columns of its tile: "
                                     "are the address and the swizzle right?"));
    }
  if (!one_large::comes_first(trial)) of_tensor_core = is_of_tensor_core(trial, whole);
  // GPUs before Hopper add fewer products at once, so only the emulator can judge by the bits.
  trial.expect(of_tensor_core || !trial.counted(), one_large::kComplaint);
  constexpr int kTimes = 2;  // room for rows that are loaded in smaller pieces
  one_large::expect_few_reads(trial, sizes.sectors() + whole.sectors(), kTimes);
}

const coursework::Registered registered("11_4", judge);

}  // namespace exercise_11_4
