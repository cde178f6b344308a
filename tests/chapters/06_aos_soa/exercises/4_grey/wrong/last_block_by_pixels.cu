// The last block does without shared memory, so that nobody has to wait there.
//! loads
//= sectors loaded
__global__ void grey(int n, const unsigned char* rgb, unsigned char* shade) {
  extern __shared__ unsigned char tile[];
  const int threads = blockDim.x, first = blockIdx.x * threads, i = first + threadIdx.x;
  const bool is_last = n - first < threads;
  for (int k = threadIdx.x; k < 3 * threads && !is_last; k += threads) tile[k] = rgb[3 * first + k];
  __syncthreads();
  if (i >= n) return;
  const unsigned char* const pixel = is_last ? rgb + 3 * i : tile + 3 * threadIdx.x;
  shade[i] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) / 256;
}
