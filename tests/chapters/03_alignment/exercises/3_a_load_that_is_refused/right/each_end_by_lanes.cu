// The floats of the ends are masked one after the other, without a loop.

__device__ void scale_one(float* data, int k, int first, int n, float factor) {
  if (k >= first && k < n) data[k] = factor * data[k];
}

__global__ void scale_wide(int n, int first, float factor, float* data) {
  const int k = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const bool whole = first <= k && k + 3 < n;
  if (whole) {
    float4 four = *reinterpret_cast<const float4*>(&data[k]);
    four = {four.x * factor, four.y * factor, four.z * factor, four.w * factor};
    *reinterpret_cast<float4*>(&data[k]) = four;
  } else {
    scale_one(data, k, first, n, factor);
    scale_one(data, k + 1, first, n, factor);
    scale_one(data, k + 2, first, n, factor);
    scale_one(data, k + 3, first, n, factor);
  }
}
