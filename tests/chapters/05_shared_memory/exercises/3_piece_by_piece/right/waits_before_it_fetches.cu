// The second barrier stands at the beginning of a round, where the first round does not need it.
constexpr int kPiece = 128;

__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  __shared__ float piece[kPiece];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  const float mine = i < n ? x[i] : 0.0f;

  int smaller = 0;
  for (int begin = 0; begin < m; begin += kPiece) {
    if (begin > 0) __syncthreads();
    const int size = min(kPiece, m - begin);
    if (thread < size) piece[thread] = list[begin + thread];
    __syncthreads();
    for (int k = size; k-- > 0;) smaller += piece[k] < mine;
  }
  if (i < n) counts[i] = smaller;
}
