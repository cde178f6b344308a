// Fetches four colours with one load, and paints from the end of the picture to its beginning.
__global__ void paint(int pixels, const int* steps, const unsigned* palette, unsigned* picture) {
  __shared__ uint4 colours[64];
  for (int k = threadIdx.x; k < 64; k += blockDim.x)
    colours[k] = reinterpret_cast<const uint4*>(palette)[k];
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= pixels) return;
  for (int i = first + (pixels - 1 - first) / stride * stride; i >= 0; i -= stride)
    picture[i] = reinterpret_cast<const unsigned*>(colours)[steps[i]];
}
