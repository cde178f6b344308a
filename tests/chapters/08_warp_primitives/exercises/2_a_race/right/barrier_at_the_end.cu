// The barrier stands at the end of the function, and the warps' values are read by a tree.
__device__ int best_of_block(int value, int* best_of_warps) {
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  for (int bit = 1; bit < 32; bit *= 2) value = max(value, __shfl_xor_sync(~0u, value, bit));
  if (lane == 31) best_of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = best_of_warps[lane < warps ? lane : 0];
  for (int bit = 16; bit > 0; bit /= 2) value = max(value, __shfl_xor_sync(~0u, value, bit));
  __syncthreads();
  return value;
}

__global__ void stretch_contrast(int n, const int* pixels, int* stretched) {
  __shared__ int best_of_warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixel = i < n ? pixels[i] : 0;
  const int brightest = best_of_block(pixel, best_of_warps);
  const int darkest = -best_of_block(i < n ? -pixel : -5000, best_of_warps);
  if (i < n) stretched[i] = 255 * (pixel - darkest) / max(brightest - darkest, 1);
}
