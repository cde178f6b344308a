// Everybody looks at what all have left in shared memory.
//! race, barriers, meet, shuffles
//= requests to shared memory of the busiest warp
__global__ void stretch_contrast(int n, const int* pixels, int* stretched) {
  __shared__ int block[1024];
  const int first = blockIdx.x * blockDim.x, size = min(n - first, static_cast<int>(blockDim.x));
  const int i = first + threadIdx.x;
  const int pixel = i < n ? pixels[i] : 0;
  block[threadIdx.x] = pixel;
  __syncthreads();
  int darkest = 4096, brightest = 0;
  for (int k = 0; k < size; ++k) {
    darkest = min(darkest, block[k]);
    brightest = max(brightest, block[k]);
  }
  if (i < n) stretched[i] = 255 * (pixel - darkest) / max(brightest - darkest, 1);
}
