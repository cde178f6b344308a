// Adds two arrays with one pair per thread, and with four: the same loads, but more at a time.
//
//     ./course nvcc chapters/07_unrolling/alone.cu -o sums && ./sums     without a GPU
//     nvcc chapters/07_unrolling/alone.cu -o sums && ./sums              with one

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

// One pair per thread: two loads, then a store.
__global__ void one_pair(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Four pairs per thread: eight loads, then four stores.
__global__ void four_pairs(int n, const float* a, const float* b, float* c) {
  const int threads = blockDim.x;
  const int first = blockIdx.x * 4 * threads;  // of the block's pairs
  const int i = first + threadIdx.x;           // my first pair; then in steps of `threads`
  if (first + 4 * threads <= n) {              // does the block have all of its pairs?
    float x[4], y[4];
    for (int u = 0; u < 4; ++u) {
      x[u] = a[i + u * threads];
      y[u] = b[i + u * threads];
    }
    for (int u = 0; u < 4; ++u) c[i + u * threads] = x[u] + y[u];
  } else {
    for (int k = i; k < n; k += threads) c[k] = a[k] + b[k];
  }
}

int main() {
  const int n = 1'000'000, threads = 256;
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 777);
  }
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  int all_wrong = 0;
  for (const int pairs : {1, 4}) {
    const auto kernel = pairs == 1 ? one_pair : four_pairs;
    CHECK(cudaMemset(device_c, 0xff, bytes));  // NaN: what is not written cannot pass
    kernel<<<(n + pairs * threads - 1) / (pairs * threads), threads>>>(n, device_a, device_b,
                                                                       device_c);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
    all_wrong += wrong;

    int blocks = 0;  // that a multiprocessor has room for
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    const int loaded = 2 * pairs * static_cast<int>(sizeof(float));  // by a thread, before it waits
    std::printf("%d per thread: %d sums wrong; %d threads x %d bytes = %d KiB on their way\n",
                pairs, wrong, blocks * threads, loaded, blocks * threads * loaded / 1024);
  }
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  return all_wrong != 0;
}
