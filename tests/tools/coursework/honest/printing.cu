// printf and assert left in.
#include <cassert>
#include <cstdio>
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  if (i == 0) printf("n is %d, in[0] is %f, %s\n", n, in[0], "so far so good\n");
  if (i == 1) printf("a line\n");
  if (i < n) out[i] = in[i] + 1.0f;
}
