// The answers come first, in one line each.
__global__ void answers(int* bytes, int* warps) {
  bytes[0] = 8, bytes[1] = 16, bytes[2] = 20, bytes[3] = 32;
  warps[0] = 45, warps[1] = 0;
}

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
