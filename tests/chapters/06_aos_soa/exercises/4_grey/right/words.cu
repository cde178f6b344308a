// Four bytes at a time, and the last ones by themselves.
__global__ void grey(int n, const unsigned char* rgb, unsigned char* shade) {
  extern __shared__ uchar4 words[];
  unsigned char* tile = reinterpret_cast<unsigned char*>(words);
  const int first = blockIdx.x * blockDim.x;
  const int bytes = 3 * min(static_cast<int>(blockDim.x), n - first);
  const uchar4* from = reinterpret_cast<const uchar4*>(rgb + 3 * first);
  for (int k = threadIdx.x; k < bytes / 4; k += blockDim.x) words[k] = from[k];
  const int rest = bytes / 4 * 4 + threadIdx.x;
  if (rest < bytes) tile[rest] = rgb[3 * first + rest];
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i < n) {
    const unsigned char* pixel = tile + 3 * threadIdx.x;
    shade[i] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
  }
}
