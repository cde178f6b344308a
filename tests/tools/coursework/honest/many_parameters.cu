// Device functions with more parameters than registers, that are not inlined.
__device__ __noinline__ float blend(int n, const float* a, const float* b, float* c, int i, int j,
                                    int k, int l, float x, float y, double z, const int& more) {
  c[i] = a[j] * x + b[k] * y + static_cast<float>(z) + static_cast<float>(l + more + n);
  return c[i];
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int more = 3;
  if (i < n) out[i] += blend(n, in, in, out, i, i, n - 1 - i, 4, 0.5f, 2.0f, 1.25, more);
}
