// Reverses each block's elements through static shared memory, whose size is a constant.
constexpr int kThreads = 128;
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float tile[kThreads];
  __shared__ int order[kThreads];
  const int t = threadIdx.x, first = blockIdx.x * kThreads;
  tile[t] = first + t < n ? in[first + t] : 0.0f;
  order[t] = kThreads - 1 - t;
  __syncthreads();
  if (first + t < n) out[first + t] = tile[order[t]];
}
