// Local arrays with indices that are known only when it runs.
__global__ void kernel(int n, const float* in, float* out) {
  float window[16];
  int counts[8] = {};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) window[(k * 5) % 16] = i + k < n ? in[i + k] : 1.0f;
  for (int k = 0; k < 16; ++k) ++counts[static_cast<int>(window[k]) & 7];
  float sum = 0.0f;
  for (int k = 0; k < (i & 15); ++k) sum += window[k] * static_cast<float>(counts[k & 7]);
  if (i < n) out[i] = sum;
}
