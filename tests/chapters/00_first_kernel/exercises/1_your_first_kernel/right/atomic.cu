// Adds in memory: dearer on a GPU, but right.
__global__ void scale_and_add(int n, float factor, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(y + i, factor * x[i]);
}
