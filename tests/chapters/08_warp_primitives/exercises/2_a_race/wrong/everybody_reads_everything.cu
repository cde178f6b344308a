// Each warp looks through the block's pixels by itself, so that nobody has to wait.
//! race, barriers, meet, shares, shuffles
//= requests to global memory of the busiest warp
__global__ void stretch_contrast(int n, const int* pixels, int* stretched) {
  const int first = blockIdx.x * blockDim.x, end = min(n, first + static_cast<int>(blockDim.x));
  const int i = first + threadIdx.x;
  int darkest = 4096, brightest = 0;
  for (int k = first; k < end; ++k) {
    darkest = min(darkest, pixels[k]);
    brightest = max(brightest, pixels[k]);
  }
  __syncthreads();
  if (i < n) stretched[i] = 255 * (pixels[i] - darkest) / max(brightest - darkest, 1);
}
