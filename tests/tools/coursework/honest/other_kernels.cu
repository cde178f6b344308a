// Earlier tries are left in: kernels with shared arrays, templates of kernels, device functions.
#define TILE 32
__device__ int tries = 0;
__constant__ float weights[3] = {1.0f, 2.0f, 3.0f};
__global__ void transposed(float* out, const float* in, int n) {
  __shared__ float tile[TILE][TILE + 1];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
  atomicAdd(&tries, 1);
}
template <int kFactor>
__global__ void scaled(int n, const float* in, float* out) {
  if (static_cast<int>(threadIdx.x) < n) out[threadIdx.x] = kFactor * in[threadIdx.x];
}
__device__ float weigh(float x, int i) { return x * weights[i % 3]; }
__device__ void wait(volatile float* p) {
  while (*p > 0.0f) *p -= 1.0f;
}
__global__ void kernel(int n, const float* in, float* out) {
  __shared__ float tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x ^ 1] + 1.0f;
}
void launch_all(float* a, float* b) {
  transposed<<<1, dim3(TILE, TILE)>>>(a, b, 32);
  scaled<4><<<1, 32>>>(32, a, b);
}
