// Compiled with the headers of stand_in in the place of CCCL's.
#include <cstdio>
#include <cstring>
#include <cub/tools.cuh>

namespace cuda::std {
using ::memcpy;
}

__global__ void kernel(unsigned* out) {
  __shared__ tools::Guarded guarded;
  if (threadIdx.x == 0) guarded.value = 5;
  __syncthreads();
  if (threadIdx.x % 2 == 1) tools::leave();
  tools::add(out, 1);
  if (threadIdx.x != 0) return;
  out[1] = tools::answer();
  out[2] = tools::architecture();
  out[3] = tools::Tuned<int>::kItems;
  out[4] = tools::Tuned<int>::side()[0];
  tools::copy(&out[5], &out[1]);
  out[6] = guarded.value;
  tools::Block<int> block;
  (void)block;
  out[7] = tools::Tuned<int>{}.items();
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 8 * sizeof *out);
  memset(out, 0, 8 * sizeof *out);
  tools::run(kernel, 64, out);
  const cudaError_t error = cudaDeviceSynchronize();
  for (int i = 0; i < 8; ++i) printf("%u ", out[i]);
  printf("%d %s %d %s\n", tools::answer(), tools::Tuned<int>::side(), tools::Tuned<int>::count({}),
         cudaGetErrorName(error));
  cudaFree(out);
  return 0;
}
