// add_four in other words: the same loads before the same stores.
__device__ float load(const float* from, int u) { return from[threadIdx.x + u * blockDim.x]; }

__global__ void add_four(int way, const float* A, const float* B, float* C) {
  const int at_a_time = way == 0 ? 1 : way == 1 ? 2 : 4;
  for (int first = 0; first < 4; first += at_a_time) {
    float a[4], b[4];
    for (int u = 0; u < at_a_time; ++u) a[u] = load(A, first + u);
    for (int u = 0; u < at_a_time && way != 2; ++u) b[u] = load(B, first + u);
    for (int u = 0; u < at_a_time; ++u)
      C[threadIdx.x + (first + u) * blockDim.x] = a[u] + (way == 2 ? load(B, u) : b[u]);
  }
}

__global__ void answers(int* bytes, int* warps) {
  const int found[] = {8, 16, 20, 32};
  for (int way = 3; way >= 0; --way) bytes[way] = found[way];
  warps[1] = 0;
  warps[0] = 45;
}
