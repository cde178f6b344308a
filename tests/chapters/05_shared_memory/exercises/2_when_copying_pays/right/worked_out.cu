// The answers worked out by the kernel, in its own terms.
constexpr int kTable = 1024;

__global__ void look_up(int n, int rounds, const int* table, const int* first, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += table[(start + round) % kTable];
  out[i] = sum;
}

__global__ void look_up_copied(int n, int rounds, const int* table, const int* first, int* out) {
  __shared__ int copy[kTable];
  for (int entry = threadIdx.x; entry < kTable; entry += blockDim.x) copy[entry] = table[entry];
  __syncthreads();

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  const int start = first[i];
  int sum = 0;
  for (int round = 0; round < rounds; ++round) sum += copy[(start + round) % kTable];
  out[i] = sum;
}

__device__ int warps(int threads) { return (threads + warpSize - 1) / warpSize; }

__global__ void answers(int* requests) {
  const int copying = warps(kTable);
  requests[0] = warps(256) * (1 + 10);
  requests[1] = warps(256) + copying;
  requests[2] = warps(100) + copying;
  requests[3] = (copying + warps(256) - 1) / warps(256);
  requests[4] = (copying + warps(1024) - 1) / warps(1024);
}
