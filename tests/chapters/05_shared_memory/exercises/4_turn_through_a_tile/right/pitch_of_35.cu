// Pointers to rows, and a pitch of 35, which is as good as 33.
constexpr int kPitch = 35;

__global__ void turn_through_tile(int width, int height, const int* in, int* out) {
  __shared__ int tile[32 * kPitch];
  const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
  const int* row = in + (top + threadIdx.y) * width + left;
  const bool loads = left + threadIdx.x < unsigned(width) && top + threadIdx.y < unsigned(height);
  if (loads) tile[threadIdx.y * kPitch + threadIdx.x] = row[threadIdx.x];
  __syncthreads();
  const bool stores = top + threadIdx.x < unsigned(height) && left + threadIdx.y < unsigned(width);
  if (!stores) return;
  int* last = out + (left + threadIdx.y) * height + height - 1 - top;
  *(last - threadIdx.x) = tile[threadIdx.x * kPitch + threadIdx.y];
}
