// flags: -arch=sm_80
// A matrix product of halves in tiles of shared memory, with sums in float; then a scaled sum of
// bfloat16 pairs and a trip through 8 bits. Numbers are small, so that every result is exact.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 16;
constexpr int kSide = 48;

__constant__ half weights[4];
__device__ half2 totals[2];

template <class T>
__global__ void product(const T* a, const T* b, T* c, int n) {
  __shared__ T tile_a[kTile][kTile], tile_b[kTile][kTile + 2];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i)
      sum += static_cast<float>(tile_a[threadIdx.y][i]) *
             static_cast<float>(tile_b[i][threadIdx.x]);
    __syncthreads();
  }
  c[row * n + column] = sum;
}

union Pair {
  __nv_bfloat162 numbers;
  unsigned bits;
};

__global__ void scale_and_add(const nv_bfloat162* x, nv_bfloat162* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const nv_bfloat162 two = __float2bfloat162_rn(2);
  Pair sum;
  sum.numbers = __hfma2(two, x[i], y[i]);
  sum.bits = __shfl_xor_sync(__activemask(), sum.bits, 1);
  y[i] = sum.numbers;
}

__global__ void quantise(const half* x, __nv_fp8_e4m3* codes, half* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  codes[i] = __nv_fp8_e4m3(x[i] * weights[i % 4]);
  back[i] = static_cast<half>(codes[i]) / weights[i % 4];
  half2 largest = __half2half2(back[i]);
  for (int distance = 16; distance > 0; distance /= 2)
    largest = __hmax2(largest, __shfl_down_sync(0xffffffffu, largest, distance));
  if (threadIdx.x % 32 == 0) atomicAdd(&totals[0], largest);
}

template <class T>
struct Array {
  explicit Array(int count) : count(count) { cudaMallocManaged(&data, count * sizeof(T)); }
  ~Array() { cudaFree(data); }
  T* data = nullptr;
  int count;
};

template <class T>
int wrong_products() {
  const int n = kSide;
  Array<T> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a.data[i] = i % 5 - 2;
    b.data[i] = T(0.5f) * T(i % 3);
  }
  product<T><<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(a.data, b.data, c.data, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n * n; ++i) {
    float expected = 0;
    for (int k = 0; k < n; ++k)
      expected += float(a.data[i / n * n + k]) * float(b.data[k * n + i % n]);
    wrong += float(c.data[i]) != expected;
  }
  return wrong;
}

int wrong_sums() {
  const int n = 64;
  Array<nv_bfloat162> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x.data[i] = nv_bfloat162(i, -i);
    y.data[i] = make_bfloat162(1, 2);
  }
  scale_and_add<<<1, n>>>(x.data, y.data, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int other = i ^ 1;
    const float2 found = __bfloat1622float2(y.data[i]);
    wrong += found.x != 2 * other + 1 || found.y != -2 * other + 2;
  }
  return wrong;
}

int wrong_codes() {
  const int n = 64;
  const std::vector<half> host_weights = {1, 2, 0.5, 4};
  cudaMemcpyToSymbol(weights, host_weights.data(), 4 * sizeof(half));
  Array<half> x(n), back(n);
  Array<__nv_fp8_e4m3> codes(n);
  for (int i = 0; i < n; ++i) x.data[i] = i % 16 - 8;
  quantise<<<2, 32>>>(x.data, codes.data, back.data, n);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += back.data[i] != x.data[i];
  half2 sums[2];
  cudaMemcpyFromSymbol(sums, totals, sizeof sums);
  return wrong + (sums[0] != half2(14, 14));
}

int main() {
  const int wrong =
      wrong_products<half>() + wrong_products<nv_bfloat16>() + wrong_sums() + wrong_codes();
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  std::printf("half_product: %d wrong\n", wrong);
  return error != cudaSuccess || wrong != 0;
}
