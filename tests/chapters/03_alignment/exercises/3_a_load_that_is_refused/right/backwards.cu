// The last thread takes the first four floats.

__global__ void scale_wide(int n, int first, float factor, float* data) {
  const int fours = (n + 3) / 4;
  const int four = fours - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (four < first / 4) return;

  const bool is_cut = 4 * four < first || 4 * four + 4 > n;
  if (!is_cut) {
    auto* const at = reinterpret_cast<float4*>(data) + four;
    const float4 x = *at;
    *at = make_float4(x.x * factor, x.y * factor, x.z * factor, x.w * factor);
  }
  for (int k = 4 * four; is_cut && k < 4 * four + 4; ++k)
    if (k >= first && k < n) data[k] *= factor;
}
