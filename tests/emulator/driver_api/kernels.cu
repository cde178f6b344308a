// A module with what programs have in theirs. Its tests load it here and on a device.
__constant__ float factors[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ int launches = 5;
__device__ int never_used[3] = {7, 8, 9};
static __device__ float hidden = 0.5f;
namespace inner {
__device__ double in_namespace = 2.25;
}
__managed__ int shared_with_host = 11;

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
  if (i == 0) atomicAdd(&launches, 1);
}

/// C = A B for square matrices whose side is a multiple of the tile's.
template <class T, int kTile>
__global__ void multiply(const T* a, const T* b, T* c, int side) {
  __shared__ T tile_a[kTile][kTile];
  __shared__ T tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int first = 0; first < side; first += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * side + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * side + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * side + col] = sum;
}
template __global__ void multiply<float, 16>(const float*, const float*, float*, int);
template __global__ void multiply<double, 8>(const double*, const double*, double*, int);

extern "C" __global__ void scale(float* data, int which) {
  data[threadIdx.x] *= factors[which] * (1.0f + hidden);
}

/// Reverses a block's numbers by way of dynamic shared memory.
extern "C" __global__ void reverse(int* data) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void read_texture(cudaTextureObject_t texture, float* out, int width,
                                        int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    out[y * width + x] =
        tex2D<float>(texture, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
}

extern "C" __global__ void write_surface(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x;
  if (x < width) surf2Dwrite(static_cast<float>(10 * x), surface, x * 4, 0);
}

struct Pair {
  char small;
  double large;
};
extern "C" __global__ void mixed(char c, Pair pair, short s, double* out) {
  out[0] = c;
  out[1] = pair.small;
  out[2] = pair.large;
  out[3] = s;
}

extern "C" __global__ void __launch_bounds__(64) small_blocks(int* out) { *out = 1; }

static __global__ void local_kernel(int* out) { *out = 2; }
void launch_it(int* out) { local_kernel<<<1, 1>>>(out); }  // host code, which nobody calls

extern "C" __global__ void add_managed() { shared_with_host += 1; }

extern "C" __global__ void nothing() {}
