#include "table.cuh"

namespace {

__global__ void read_table(int* out) { *out = sum_of_table(table[0]); }

}  // namespace

int closed_sum() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  read_table<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  return result;
}
