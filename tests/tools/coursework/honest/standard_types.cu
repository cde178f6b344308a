// Arrays, pairs, tuples, limits, and tables that constexpr functions fill.
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
constexpr std::array<int, 8> squares() {
  std::array<int, 8> all{};
  for (int i = 0; i < 8; ++i) all[static_cast<std::size_t>(i)] = i * i;
  return all;
}
constexpr auto kSquares = squares();
static_assert(kSquares[3] == 9);
static const int kOne = 1;
const double kHalf = 0.5;
__device__ std::tuple<float, float> both(float x) { return {x, -x}; }
__global__ void kernel(int n, const float* in, float* out) {
  const auto [i, last] = std::make_pair<int, int>(blockIdx.x * blockDim.x + threadIdx.x, n - 1);
  if (i > last) return;
  const auto [plus, minus] = both(in[std::min(i, last)]);
  float smallest = std::numeric_limits<float>::max();
  for (const int square : kSquares) smallest = std::min(smallest, plus + float(square));
  if (smallest > FLT_MAX || in == NULL || n == INT_MAX) smallest = INFINITY;
  out[i] = static_cast<float>(std::fma(double(minus), kHalf, double(smallest) * kOne));
}
