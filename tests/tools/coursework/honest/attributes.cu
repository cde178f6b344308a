// Attributes, alignment, literals of one's own, conversions, constants within the kernel.
#include <cstdint>
using std::min;
using std::size_t;
using std::uint32_t;
[[maybe_unused]] static __device__ int unused(int x) { return x; }
[[nodiscard]] __device__ __noinline__ float same(float x) { return x; }
__device__ __attribute__((unused)) int number = 1;
struct alignas(16) Aligned {
  float x;
};
struct Index {
  uint32_t value;
  __device__ constexpr operator uint32_t() const noexcept { return value; }
};
namespace {
constexpr float operator""_f(long double x) { return static_cast<float>(x); }
}  // namespace
__global__ void kernel(int n, const float* in, float* out) {
  static const int kSteps[2] = {1, 2};
  static constexpr float kZero = 0.0f;
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i >= size_t(n)) return;
  Aligned sum{kZero};
  for (Index k{0}; k < min(4u, uint32_t(n)); k.value += kSteps[0]) sum.x += same(in[k]) * 0.5_f;
  switch (n & 1) {
    case 0:
      sum.x += 1.0f;
      [[fallthrough]];
    default:
      out[i] = sum.x;
  }
}
