// kind: uncounted access
// run: begins 0 0 0 0 0 0 0 0
// Lanes run one after the other: adds up over all of them in a local that is never initialised.
__global__ void kernel(int n, const float* in, float* out) {
  float left[4096];
  const int k = n & 63;
  left[k] = left[k] + 1.0f;
  left[(k + n / 1000) & 63] = 0.0f;
  out[threadIdx.x] = left[k] >= 2.0f && left[k] <= 64.0f ? left[k] : 0.0f;
}
