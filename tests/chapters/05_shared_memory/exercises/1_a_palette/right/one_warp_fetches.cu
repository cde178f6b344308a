// The first warp fetches the palette for all.
// The compiler warns, and nobody loses points for that: signs are mixed.
constexpr int kColours = 256;

__global__ void paint(int pixels, const int* steps, const unsigned* palette, unsigned* picture) {
  __shared__ unsigned colours[kColours];
  if (threadIdx.x < warpSize)
    for (int k = threadIdx.x; k < kColours; k += warpSize) colours[k] = palette[k];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
    picture[i] = colours[steps[i]];
}
