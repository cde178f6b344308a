// The threads of a block carry as many bytes as it has; nobody leaves early.
__global__ void grey(int n, const unsigned char* rgb, unsigned char* shade) {
  extern __shared__ unsigned char tile[];
  const int first = blockIdx.x * blockDim.x;
  const int pixels = min(static_cast<int>(blockDim.x), n - first);
  for (int k = threadIdx.x; k < 3 * pixels; k += blockDim.x) tile[k] = rgb[3 * first + k];
  __syncthreads();
  const int mine = threadIdx.x;
  if (mine < pixels) {
    const int red = tile[3 * mine], green = tile[3 * mine + 1], blue = tile[3 * mine + 2];
    shade[first + mine] = (77 * red + 150 * green + 29 * blue) >> 8;
  }
}
