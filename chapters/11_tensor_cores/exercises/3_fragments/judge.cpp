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

/// Whether C comes from a tensor core: of A, or in group "b" of B.
bool is_of_tensor_core(Trial& trial) {
  const bool in_b = trial.group() == "b";
  const auto large = one_large::rows_with_one(in_b ? kTileN : kTileM, kTileK, trial.seed(3));
  auto A = one_large::ones(kTileM * kTileK), B = one_large::ones(kTileK * kTileN);
  for (std::size_t i = 0; i < large.size(); ++i)
    (in_b ? B[i % kTileK * kTileN + i / kTileK] : A[i]) = large[i];
  const auto C = trial.output<float>(kTileM * kTileN);
  trial.launch("product", {1, kWarp}, kTileM, kTileN, kTileK, trial.input(A), trial.input(B), C);
  return one_large::are_of_tensor_core(trial.read(C), kTileK);
}

void judge(Trial& trial) {
  const bool of_tensor_core = is_of_tensor_core(trial);
  trial.count_from_here();
  const int m = trial["m"], n = trial["n"], k = trial["k"];
  const auto A = elements(m * k, trial.seed(1), trial.group() == "b");
  const auto B = elements(k * n, trial.seed(2), trial.group() == "a");
  const unsigned tiles_n = static_cast<unsigned>(divide_up(n, kTileN)),
                 tiles_m = static_cast<unsigned>(divide_up(m, kTileM));
  trial.set("tiles", static_cast<double>(tiles_m) * tiles_n * divide_up(k, kTileK));

  const auto device_c = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", {dim3(tiles_n, tiles_m), kWarp}, m, n, k, trial.input(as_halves(A)),
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
  // GPUs before Hopper add fewer products at once, so only the emulator can judge by the bits.
  trial.expect(of_tensor_core || !trial.counted(), one_large::kComplaint);
}

const coursework::Registered registered("11_3", judge);

}  // namespace exercise_11_3
