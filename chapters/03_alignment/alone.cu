// Adds two arrays, starting at an element that you choose: does it matter where they begin?
//
//     ./course nvcc chapters/03_alignment/alone.cu -o offset && ./course profile ./offset -- 11
//     nvcc chapters/03_alignment/alone.cu -o offset && ./offset 11        with a GPU

#include <cstdint>
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

// c[i] = a[i + offset] + b[i + offset], to the end of a and b.
__global__ void add_from(int n, int offset, const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - offset) c[i] = a[i + offset] + b[i + offset];
}

int main(int argc, char** argv) {
  const int n = 1 << 20;
  const std::size_t bytes = n * sizeof(float);
  const int offset = argc > 1 ? std::atoi(argv[1]) : 11;
  if (offset < 0 || offset >= n) {
    std::fprintf(stderr, "usage: %s [an offset from 0 to %d]\n", argv[0], n - 1);
    return 2;
  }

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

  // Where does the first thread read? A sector is 32 bytes, and begins at a multiple of 32.
  const auto address = reinterpret_cast<std::uintptr_t>(device_a + offset);
  std::printf("a + %d lies %d bytes past the start of a sector\n", offset,
              static_cast<int>(address % 32));

  const int threads = 512;
  const int blocks = (n + threads - 1) / threads;
  add_from<<<blocks, threads>>>(n, offset, device_a, device_b, device_c);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  const int sums = n - offset;
  CHECK(cudaMemcpy(c.data(), device_c, sums * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < sums; ++i) wrong += c[i] != a[i + offset] + b[i + offset];
  std::printf("%d sums, %d wrong\n", sums, wrong);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  return wrong != 0;
}
