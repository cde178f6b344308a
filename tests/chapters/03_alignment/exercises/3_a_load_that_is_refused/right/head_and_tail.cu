// From the first multiple of four on, all is wide; the last block's threads see to both ends.

__global__ void scale_wide(int n, int first, float factor, float* data) {
  const int begin = min((first + 3) / 4 * 4, n);
  const int fours = max(n - begin, 0) / 4;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < fours) {
    float4& four = reinterpret_cast<float4*>(data + begin)[thread];
    float4 x = four;
    x.x *= factor;
    x.y *= factor;
    x.z *= factor;
    x.w *= factor;
    four = x;
  }
  if (blockIdx.x != gridDim.x - 1) return;
  if (first + static_cast<int>(threadIdx.x) < begin) data[first + threadIdx.x] *= factor;
  const int behind = max(begin + 4 * fours, first) + threadIdx.x;
  if (behind < n) data[behind] *= factor;
}
