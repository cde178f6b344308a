__device__ int launches;

static __global__ void count(int* out) { *out = ++launches; }

int launches_so_far() {
  int* out;
  cudaMallocManaged(&out, sizeof(int));
  count<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  const int result = *out;
  cudaFree(out);
  return result;
}
