#include <cuda_fp16.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../one_large.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_3 {

using course::divide_up;
using coursework::Trial;

constexpr int kTileM = 16, kTileN = 64, kTileK = 64, kWarp = 32;

/// Whole numbers, so that sums are exact in any order; or ones.
std::vector<int> elements(int count, std::uint64_t seed, bool ones) {
  constexpr int kMost = 9;
  if (ones) return std::vector<int>(static_cast<std::size_t>(count), 1);
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
    return {dim3(tiles_n, tiles_m), kWarp};
  }
  /// Pairs of tiles that are multiplied.
  double tiles() const {
    return 1.0 * divide_up(m, kTileM) * divide_up(n, kTileN) * divide_up(k, kTileK);
  }
  /// Sectors of the tiles, as they are loaded in the lines that are given.
  double sectors() const {
    return divide_up(n, kTileN) * one_large::sectors_of_tiles(m, k, kWarp) +
           divide_up(m, kTileM) * one_large::sectors_of_tiles(k, n, kWarp);
  }
};

/// Whether C comes from a tensor core: of A, or in group "b" of B.
bool is_of_tensor_core(Trial& trial, const Sizes& sizes) {
  const auto [m, n, k] = sizes;
  const bool in_b = trial.group() == "b";
  const auto large = one_large::rows_with_one(in_b ? n : m, k, trial.seed(3));
  auto A = one_large::ones(m * k), B = one_large::ones(k * n);
  for (int i = 0; i < static_cast<int>(large.size()); ++i)
    (in_b ? B[static_cast<std::size_t>(i % k * n + i / k)] : A[static_cast<std::size_t>(i)]) =
        large[static_cast<std::size_t>(i)];
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
  const auto A = elements(m * k, trial.seed(1), trial.group() == "b");
  const auto B = elements(k * n, trial.seed(2), trial.group() == "a");
  const double sectors = sizes.sectors() + whole.sectors();
  trial.set("tiles", sizes.tiles() + whole.tiles());
  trial.set("sectors", sectors);

  const auto device_c = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", sizes.shape(), m, n, k, trial.input(as_halves(A)),
               trial.input(as_halves(B)), device_c);

  const auto C = trial.read(device_c);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      int expected = 0;
      for (int p = 0; p < k; ++p)
        expected +=
            A[static_cast<std::size_t>(row * k + p)] * B[static_cast<std::size_t>(p * n + col)];
      const float found = C[static_cast<std::size_t>(row * n + col)];
      trial.expect(found == static_cast<float>(expected),
                   "C[" + std::to_string(row) + ", " + std::to_string(col) + "] is " +
                       std::to_string(found) + " instead of " + std::to_string(expected) +
                       (trial.group() == "a"   ? ", the sum of its row of A."
                        : trial.group() == "b" ? ", the sum of its column of B."
                                               : ". Do A and B agree on which k is where?"));
    }
  if (!one_large::comes_first(trial)) of_tensor_core = is_of_tensor_core(trial, whole);
  // GPUs before Hopper add fewer products at once, so only the emulator can judge by the bits.
  trial.expect(of_tensor_core || !trial.counted(), one_large::kComplaint);
  constexpr int kTimes = 4;  // room for registers that are loaded past the tiles
  one_large::expect_few_reads(trial, sectors, kTimes);
}

const coursework::Registered registered("11_3", judge);

}  // namespace exercise_11_3
