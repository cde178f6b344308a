#include <cuda_fp16.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../one_large.hpp"
#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_11_2 {

using course::divide_up;
using coursework::Trial;

constexpr int kTileM = 16, kTileN = 8, kStep = 16, kWarp = 32;

/// A matrix along k, and its elements in two halves.
struct Matrix {
  std::vector<float> values;
  std::vector<__half> high, low;
};

/// Elements from 1 to 2, so that no errors cancel but by rounding.
Matrix positive_matrix(int rows, int k, std::uint64_t seed) {
  constexpr float kMiddle = 1.5f, kAround = 0.5f;
  Matrix matrix;
  for (const float x : course::random_floats(static_cast<std::size_t>(rows * k), seed)) {
    const float value = kMiddle + kAround * x;
    matrix.values.push_back(value);
    matrix.high.push_back(__float2half_rn(value));
    matrix.low.push_back(__float2half_rn(value - __half2float(matrix.high.back())));
  }
  return matrix;
}

/// A block for each tile of C.
coursework::Shape shape(int m, int n) {
  const unsigned tiles_n = static_cast<unsigned>(divide_up(n, kTileN)),
                 tiles_m = static_cast<unsigned>(divide_up(m, kTileM));
  return {dim3(tiles_n, tiles_m), kWarp};
}

/// Sets `of_tensor_core`: whether a tensor core makes the products that reach C.
void look_at_rounding(Trial& trial, int m, int n, int k) {
  const auto A = one_large::rows_with_one(m, k, trial.seed(3));
  const auto zeros_of_a = std::vector<__half>(A.size(), __float2half_rn(0.0f));
  const auto B = one_large::ones(n * k);
  const auto zeros_of_b = std::vector<__half>(B.size(), __float2half_rn(0.0f));
  const auto C = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", shape(m, n), m, n, k, trial.input(A), trial.input(zeros_of_a),
               trial.input(B), trial.input(zeros_of_b), C);
  trial.set("of_tensor_core", one_large::are_of_tensor_core(trial.read(C), k) ? 1 : 0);
}

void judge(Trial& trial) {
  const int m = trial["m"], n = trial["n"], k = trial["k"];
  if (one_large::comes_first(trial)) look_at_rounding(trial, m, n, k);
  const Matrix A = positive_matrix(m, k, trial.seed(1)), B = positive_matrix(n, k, trial.seed(2));
  constexpr double kLaunches = 2.0;
  trial.set("steps", kLaunches * divide_up(m, kTileM) * divide_up(n, kTileN) * (k / kStep));

  const auto device_c = trial.output<float>(static_cast<std::size_t>(m * n));
  trial.launch("product", shape(m, n), m, n, k, trial.input(A.high),
               trial.input(A.low), trial.input(B.high), trial.input(B.low), device_c);

  const auto C = trial.read(device_c);
  double squared_errors = 0.0, squares = 0.0;
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double expected = 0.0;
      for (int p = 0; p < k; ++p)
        expected += static_cast<double>(A.values[static_cast<std::size_t>(row * k + p)]) *
                    B.values[static_cast<std::size_t>(col * k + p)];
      const double found = C[static_cast<std::size_t>(row * n + col)];
      constexpr double kFourDigits = 1e-4;
      trial.expect(std::abs(found - expected) <= kFourDigits * expected,
                   "C[" + std::to_string(row) + ", " + std::to_string(col) + "] is " +
                       std::to_string(found) + " instead of " + std::to_string(expected) +
                       ", the sum of " + std::to_string(k) + " products.");
      squared_errors += (found - expected) * (found - expected);
      squares += expected * expected;
    }
  constexpr int kFloatBits = 24;
  trial.set("error", std::ldexp(std::sqrt(squared_errors / squares), kFloatBits));
  if (!one_large::comes_first(trial)) look_at_rounding(trial, m, n, k);
}

const coursework::Registered registered("11_2", judge);

}  // namespace exercise_11_2
