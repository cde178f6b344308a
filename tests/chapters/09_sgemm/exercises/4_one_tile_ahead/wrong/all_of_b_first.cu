// All of B goes to an array of the device's before anything is multiplied. There is no room for
// that if B is wider.
//! result, ahead, barriers, loads, warps, in flight
//= result 0/2: wrong with
__device__ float held[32][1024];

__global__ void wide_product(int n, const float* A, const float* B, float* C) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = n / 32;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    for (int p = warp; p < 32; p += 8) held[p][tile * 32 + lane] = B[p * n + tile * 32 + lane];
  __syncthreads();
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    for (int row = warp; row < 32; row += 8) {
      float sum = 0.0f;
      for (int p = 0; p < 32; ++p) sum += A[row * 32 + p] * held[p][tile * 32 + lane];
      C[row * n + tile * 32 + lane] = sum;
    }
}
