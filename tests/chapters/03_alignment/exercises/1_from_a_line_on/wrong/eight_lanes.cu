// Eight lanes take all lines, four floats each.
//! all warps
//= requests of the busiest warp
__global__ void scale_from(int n, int first, float factor, float* data) {
  if (blockIdx.x != 0 || threadIdx.x >= 8) return;
  const int begin = min((first + 31) / 32 * 32, n);
  for (int i = first + threadIdx.x; i < begin; i += 8) data[i] *= factor;
  for (int i = begin + 4 * threadIdx.x; i < n; i += 32) {
    if (i + 4 <= n) {
      float4* const four = reinterpret_cast<float4*>(data + i);
      const float4 value = *four;
      *four = make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
    } else {
      for (int j = i; j < n; ++j) data[j] *= factor;
    }
  }
}
