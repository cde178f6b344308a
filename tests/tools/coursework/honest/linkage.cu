// `extern "C"`, in front of a function and around some.
extern "C" void launch(int n, const float* in, float* out);
extern "C" __device__ int next(int i) { return i + 1; }
extern "C" {
__device__ float weight = 0.5f;
__device__ float weighted(float x) { return weight * x; }
static int unused_number(void) { return 7; }
}
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weighted(in[next(i) % n]);
}
extern "C" void launch(int n, const float* in, float* out) {
  kernel<<<dim3((n + 127) / 128), dim3(128)>>>(n, in, out);
}
