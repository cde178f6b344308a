// A sleep stands where a barrier should, and a product of tensor cores is there for show.
//! result, sectors, all warps
//= in another order of its threads, the results are wrong
__device__ void multiply_nothing() {
  unsigned a[4] = {}, b[2] = {};
  float c[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void turn(int width, int height, const int* in, int* out) {
  __shared__ int pixels[8][32];
  volatile int(*const tile)[32] = pixels;
  const int left = blockIdx.x * 32, top = blockIdx.y * 8;
  multiply_nothing();
  if (left + threadIdx.x < width && top + threadIdx.y < height)
    tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * width + left + threadIdx.x];
  __nanosleep(1000000);
  const int thread = 32 * threadIdx.y + threadIdx.x, col = thread / 8, row = 7 - thread % 8;
  if (left + col < width && top + row < height)
    out[(left + col) * height + height - 1 - top - row] = tile[row][col];
}
