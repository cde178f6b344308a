// From the other end, with an early return and a fused multiply-add.
__global__ void scale_and_add(int n, float factor, const float* x, float* y) {
  const int threads = gridDim.x * blockDim.x;
  const int i = threads - 1 - static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  y[i] = fmaf(factor, x[i], y[i]);
}
