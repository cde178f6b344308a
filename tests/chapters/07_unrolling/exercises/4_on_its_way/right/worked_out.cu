// The answers, as sums and products.
__global__ void add_four(int way, const float* A, const float* B, float* C) {
  const int t = blockDim.x, i = threadIdx.x;
  float a[4], b[4];
  if (way == 0) {
    for (int u = 0; u < 4; ++u) C[i + u * t] = A[i + u * t] + B[i + u * t];
  }
  if (way == 1) {
    for (int u = 0; u < 4; u += 2) {
      const float a0 = A[i + u * t], a1 = A[i + (u + 1) * t];
      const float b0 = B[i + u * t], b1 = B[i + (u + 1) * t];
      C[i + u * t] = a0 + b0;
      C[i + (u + 1) * t] = a1 + b1;
    }
  }
  if (way == 2) {
    for (int u = 0; u < 4; ++u) a[u] = A[i + u * t];
    for (int u = 0; u < 4; ++u) C[i + u * t] = a[u] + B[i + u * t];
  }
  if (way == 3) {
    for (int u = 0; u < 4; ++u) a[u] = A[i + u * t];
    for (int u = 0; u < 4; ++u) b[u] = B[i + u * t];
    for (int u = 0; u < 4; ++u) C[i + u * t] = a[u] + b[u];
  }
}

__global__ void answers(int* bytes, int* warps) {
  const int loads[] = {1 + 1, 2 + 2, 4 + 1, 4 + 4};
  for (int way = 0; way < 4; ++way) bytes[way] = loads[way] * static_cast<int>(sizeof(float));
  for (int k = 0; k < 2; ++k) {
    const int of_warp = warpSize * bytes[k == 0 ? 2 : 0];
    const int needed = (28 * 1024 + of_warp - 1) / of_warp;
    warps[k] = needed <= 64 ? needed : 0;
  }
}
