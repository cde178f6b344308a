// The last warp reads without a barrier. What is read and written is volatile: no data race, and no
// order either.
//! race, barriers, meet, shares, shuffles
//= of the result depend on the order in which threads run
__global__ void stretch_contrast(int n, const int* pixels, int* stretched) {
  __shared__ volatile int dark[32], bright[32];
  __shared__ int darkest, brightest;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int pixel = i < n ? pixels[i] : 0;
  int least = i < n ? pixel : 4096, most = pixel;
  for (int bit = 1; bit < 32; bit *= 2) {
    least = min(least, __shfl_xor_sync(~0u, least, bit));
    most = max(most, __shfl_xor_sync(~0u, most, bit));
  }
  if (lane == 0) {
    dark[warp] = least;
    bright[warp] = most;
  }
  __syncwarp();
  if (warp == warps - 1) {
    least = dark[min(lane, warp)];
    most = bright[min(lane, warp)];
    for (int bit = 1; bit < 32; bit *= 2) {
      least = min(least, __shfl_xor_sync(~0u, least, bit));
      most = max(most, __shfl_xor_sync(~0u, most, bit));
    }
    if (lane == 0) {
      darkest = least;
      brightest = most;
    }
  }
  __syncthreads();
  if (i < n) stretched[i] = 255 * (pixel - darkest) / max(brightest - darkest, 1);
}
