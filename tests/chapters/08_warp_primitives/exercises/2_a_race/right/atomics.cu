// The first lane of each warp brings its warp's values by atomic operations.
__global__ void stretch_contrast(int n, const int* pixels, int* stretched) {
  __shared__ int darkest, brightest;
  if (threadIdx.x == 0) {
    darkest = 4096;
    brightest = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixel = i < n ? pixels[i] : 0;
  int least = i < n ? pixel : 4096, most = pixel;
  for (int bit = 1; bit < 32; bit *= 2) {
    least = min(least, __shfl_xor_sync(~0u, least, bit));
    most = max(most, __shfl_xor_sync(~0u, most, bit));
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(&darkest, least);
    atomicMax(&brightest, most);
  }
  __syncthreads();
  if (i < n) stretched[i] = 255 * (pixel - darkest) / max(brightest - darkest, 1);
}
