// Two places for pieces, in turn, so that one barrier for each piece is enough.
constexpr int kPiece = 128;

__global__ void count_smaller(int n, int m, const float* x, const float* list, int* counts) {
  __shared__ float pieces[2][kPiece];
  const int thread = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + thread;
  const float mine = i < n ? x[i] : 0.0f;

  int smaller = 0, place = 0;
  for (int begin = 0; begin < m; begin += kPiece, place = 1 - place) {
    const int size = min(kPiece, m - begin);
    if (thread < size) pieces[place][thread] = list[begin + thread];
    __syncthreads();
    for (int k = 0; k < size; ++k)
      if (pieces[place][k] < mine) ++smaller;
  }
  if (i < n) counts[i] = smaller;
}
