// A sleep stands where a barrier should, and many reads of constant memory are there for show.
//! result, sectors, all warps
//= in another order of its threads, the results are wrong
__constant__ int zeros[2000];

__global__ void turn(int width, int height, const int* in, int* out) {
  __shared__ int pixels[8][32];
  volatile int(*const tile)[32] = pixels;
  const int left = blockIdx.x * 32, top = blockIdx.y * 8;
  int sum = 0;
  for (int k = 0; k < 300000 / (gridDim.x * gridDim.y * 256); ++k)
    sum += static_cast<volatile int*>(zeros)[k % 2000];
  if (sum != 0) return;
  if (left + threadIdx.x < width && top + threadIdx.y < height)
    tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + threadIdx.x];
  __nanosleep(1000000);
  const int thread = 32 * threadIdx.y + threadIdx.x, col = thread / 8, row = 7 - thread % 8;
  if (left + col < width && top + row < height)
    out[(left + col) * height + height - 1 - top - row] = tile[row][col];
}
