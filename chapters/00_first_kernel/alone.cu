// Adds two arrays on a GPU: a whole CUDA program, from the first allocation to the last check.
//
//     ./course nvcc chapters/00_first_kernel/alone.cu -o add && ./add     without a GPU
//     nvcc chapters/00_first_kernel/alone.cu -o add && ./add              with one

#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program if a CUDA call fails, and says where and why.
#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (false)

// Every thread adds one pair of elements.
__global__ void add(int n, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // which pair is mine?
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1'000'000;
  const std::size_t bytes = n * sizeof(float);

  // The inputs, in the memory of the host (the CPU).
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 777);
  }

  // The device (the GPU) has memory of its own: allocate there, and copy the inputs over.
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  // Launch: enough blocks of 256 threads for one thread per pair.
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;  // rounded up
  add<<<blocks, threads>>>(n, device_a, device_b, device_c);
  CHECK(cudaGetLastError());       // could it be launched?
  CHECK(cudaDeviceSynchronize());  // wait for it: did it go wrong on the way?

  // Copy the sums back, and compare each with what the CPU gets.
  CHECK(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
  std::printf("%d sums, %d wrong\n", n, wrong);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  return wrong != 0;
}
