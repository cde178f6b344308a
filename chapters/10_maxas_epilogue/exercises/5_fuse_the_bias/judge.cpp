#include <cuda_bf16.h>

#include <algorithm>
#include <string>
#include <vector>

#include "course/divide_up.hpp"
#include "course/inputs.hpp"
#include "tools/coursework/judging/trial.hpp"

namespace exercise_10_5 {

using course::divide_up;
using coursework::Trial;

constexpr int kThreads = 32, kCols = 32, kRows = 8;  // of a warp

float rounded(float value) { return __bfloat162float(__float2bfloat16_rn(value)); }

void judge(Trial& trial) {
  const int m = trial["m"], n = trial["n"];
  const auto sums = course::random_floats(std::size_t(m) * n, trial.seed(1));
  const auto bias = course::random_floats(std::size_t(n), trial.seed(2));
  const auto device_sums = trial.input(sums);
  const auto device_bias = trial.input(bias);
  const auto device_c = trial.output<__nv_bfloat16>(sums.size());
  const dim3 grid(divide_up(n, kCols), divide_up(m, kRows));
  trial.launch("end_layer", {grid, kThreads}, m, n, device_sums, device_bias, device_c);

  const auto c = trial.read(device_c);
  for (int row = 0; row < m; ++row) {
    for (int col = 0; col < n; ++col) {
      const std::size_t i = std::size_t(row) * n + col;
      const float found = __bfloat162float(c[i]);
      const float expected = rounded(std::max(0.0f, sums[i] + bias[col]));
      // As the starter has it: rounded once more, before the bias is added.
      const float twice = rounded(std::max(0.0f, rounded(sums[i]) + bias[col]));
      trial.expect(found == expected || found == twice,
                   "The element in row " + std::to_string(row) + ", column " + std::to_string(col) +
                       " is " + std::to_string(found) + " instead of " + std::to_string(expected) +
                       ".");
    }
  }
}

const coursework::Registered registered("10_5", judge);

}  // namespace exercise_10_5
