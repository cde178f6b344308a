// Every float goes through shared memory, and comes back to the same thread: both sides stay in a
// warp.
//! apart
//= sectors per load request of evenly spaced columns
__global__ void sums_and_maxima(int n, int rows, const float* table, float* out) {
  __shared__ float places[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float* const place = &places[threadIdx.x];
  float result = 0.0f;
  for (int row = 0; row < rows; ++row) {
    *place = table[row * n + i];
    const float value = *place, same = *place;
    result = i % 2 == 0 ? result + value : fmaxf(result, same);
  }
  out[i] = result;
}
