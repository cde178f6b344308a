// Two buffers in turn: who has passed the next barrier no longer reads the one before.
// The compiler warns, and nobody loses points for that: signs are mixed.
__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  constexpr int kPiece = 128, kBuffers = 2;
  __shared__ float pieces[kBuffers][kPiece];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < n ? x[i] : 0.0f;
  int smaller = 0;
  for (int begin = 0; begin < m; begin += kPiece) {
    float* const piece = pieces[begin / kPiece % kBuffers];
    const int size = min(kPiece, m - begin);
    if (threadIdx.x < size) piece[threadIdx.x] = list[begin + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < size; ++k) smaller += piece[k] < mine;
  }
  if (i < n) counts[i] = smaller;
}
