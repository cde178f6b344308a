// Declared first and defined below, where it is not said again that it is device code; goto.
__device__ float sum_of(const float* in, int count);
struct Walk {
  int step;
  __device__ int wrapped(int i, int n) const;
};
__launch_bounds__(1024) __global__ void kernel(int n, const float* in, float* out);
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Walk walk{3};
  if (i < n) out[i] = sum_of(in, i % 5) + in[walk.wrapped(i, n)];
}
float sum_of(const float* in, int count) {
  float sum = 0.0f;
  int i = 0;
again:
  if (i == count) return sum;
  sum += in[i++];
  goto again;
}
int Walk::wrapped(int i, int n) const { return (i + step) % n; }
