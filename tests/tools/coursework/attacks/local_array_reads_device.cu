// kind: uncounted access
// run: a load that is not counted
// The same through a local array, whose address is nowhere taken by a hook.
#include <cstdint>
__global__ void kernel(int n, const float* in, float* out) {
  float local[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long distance = (reinterpret_cast<std::intptr_t>(in) -
                         reinterpret_cast<std::intptr_t>(__builtin_addressof(local[0]))) / 4;
  local[i & 3] += 1.0f;
  if (i < n) out[i] = local[distance + i];
}
