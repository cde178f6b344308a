// The given kernels in other words, which ask for the same.
constexpr int kTable = 1024;

__device__ int sum_of(const int* entries, int start, int rounds) {
  int sum = 0;
  while (rounds-- > 0) sum += entries[start++ % kTable];
  return sum;
}

__global__ void look_up(int n, int rounds, const int* table, const int* first, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sum_of(table, first[i], rounds);
}

__global__ void look_up_copied(int n, int rounds, const int* table, const int* first, int* out) {
  __shared__ int copy[kTable];
  for (int begin = 0; begin < kTable; begin += blockDim.x)
    copy[begin + threadIdx.x] = table[begin + threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sum_of(copy, first[i], rounds);
}

__global__ void answers(int* requests) {
  const int copy = kTable / 32, warps = 256 / 32;
  *requests++ = warps + warps * 10;
  *requests++ = warps + copy;
  *requests++ = 4 + copy;
  *requests++ = copy / warps;
  *requests++ = 1;
}
