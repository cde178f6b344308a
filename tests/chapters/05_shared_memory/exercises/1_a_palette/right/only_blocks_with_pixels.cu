// A block without pixels fetches nothing: all of its threads go home together.
constexpr int kColours = 256;

__global__ void paint(int pixels, const int* steps, const unsigned* palette, unsigned* picture) {
  __shared__ unsigned colours[kColours];
  const int begin = blockIdx.x * blockDim.x;
  if (begin >= pixels) return;

  int k = threadIdx.x;
  while (k < kColours) {
    colours[k] = __ldg(palette + k);
    k += blockDim.x;
  }
  __syncthreads();
  for (int i = begin + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
    picture[i] = colours[steps[i]];
}
