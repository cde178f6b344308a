__device__ int total;

__global__ void add(int n) { atomicAdd(&total, n); }

__device__ void add_by_threads(int threads) {
  if (threads > 0) add<<<1, threads>>>(threads);
}
