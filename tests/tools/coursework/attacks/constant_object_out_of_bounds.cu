// kind: uncounted access
// run: a load that is not counted
// Reads `in` through an index into a table, which is not instrumented because it is constant.
#include <cstdint>
__device__ constexpr float kTable[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long distance =
      (reinterpret_cast<std::intptr_t>(in) - reinterpret_cast<std::intptr_t>(kTable)) / 4;
  if (i < n) out[i] = kTable[distance + i];
}
