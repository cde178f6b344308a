// With numbers that have room for the sum.
__device__ int blocks_for(int n, int threads) {
  return static_cast<int>((static_cast<long long>(n) + threads - 1) / threads);
}

__global__ void report(int n, int threads, int* blocks, int* idle) {
  const int count = blocks_for(n, threads);
  *blocks = count;
  *idle = static_cast<int>(static_cast<long long>(count) * threads - n);
}
