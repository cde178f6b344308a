// One warp takes all lines.
//! all warps
//= requests of the busiest warp
__global__ void scale_from(int n, int first, float factor, float* data) {
  if (blockIdx.x != 0 || threadIdx.x >= 32) return;
  for (int i = first / 32 * 32 + threadIdx.x; i < n; i += 32)
    if (i >= first) data[i] *= factor;
}
