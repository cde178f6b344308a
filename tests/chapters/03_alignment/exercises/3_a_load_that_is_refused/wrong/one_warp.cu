// One warp does it all, wide.
//! all warps
//= requests of the busiest warp

__global__ void scale_wide(int n, int first, float factor, float* data) {
  if (blockIdx.x > 0 || threadIdx.x >= 32) return;
  for (int k = 4 * threadIdx.x; k < n; k += 4 * 32) {
    if (k >= first && k + 4 <= n) {
      float4* const four = reinterpret_cast<float4*>(data + k);
      const float4 x = *four;
      *four = make_float4(factor * x.x, factor * x.y, factor * x.z, factor * x.w);
    } else {
      for (int i = max(k, first); i < min(k + 4, n); ++i) data[i] *= factor;
    }
  }
}
