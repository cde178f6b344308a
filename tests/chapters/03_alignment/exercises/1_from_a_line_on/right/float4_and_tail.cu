// Four floats at once as far as they go, and a scalar tail, which may share a sector with them.
__global__ void scale_from(int n, int first, float factor, float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int k = first / 32 * 32 + 4 * i;
  if (k >= n) return;
  if (k >= first && k + 4 <= n) {
    float4 value = *reinterpret_cast<float4*>(data + k);
    value.x *= factor, value.y *= factor, value.z *= factor, value.w *= factor;
    *reinterpret_cast<float4*>(data + k) = value;
  } else {
    float values[4];
    for (int j = 0; j < 4; ++j)
      if (k + j >= first && k + j < n) values[j] = data[k + j];
    for (int j = 0; j < 4; ++j)
      if (k + j >= first && k + j < n) data[k + j] = factor * values[j];
  }
}
