// Four floats at once where a whole sector is there, and scalars in front of that and behind it.
__global__ void scale_from(int n, int first, float factor, float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int whole_begin = (first + 31) / 32 * 32, whole_end = n / 32 * 32;
  if (whole_begin >= whole_end) {  // no whole line
    const int k = first / 32 * 32 + i;
    if (k >= first && k < n) data[k] *= factor;
    return;
  }
  if (i < whole_begin - first) data[first + i] *= factor;
  if (i < n - whole_end) data[whole_end + i] *= factor;
  if (i >= (whole_end - whole_begin) / 4) return;
  float4* const four = reinterpret_cast<float4*>(data + whole_begin) + i;
  const float4 value = *four;
  *four = make_float4(factor * value.x, factor * value.y, factor * value.z, factor * value.w);
}
