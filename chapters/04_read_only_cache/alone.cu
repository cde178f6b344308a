// What a promise about pointers buys: one loop, with __restrict__ and without.
//
//     ./course nvcc chapters/04_read_only_cache/alone.cu -o promise && ./course profile ./promise
//     nvcc chapters/04_read_only_cache/alone.cu -o promise && ./promise      with a GPU

#include <cmath>
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

// Each thread goes down a column of a matrix, and computes a polynomial of each element.
__global__ void without_promise(int n, int rows, const float* c, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int row = 0; row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

// The same, and a promise: what is written through `out` is read through no other pointer.
__global__ void with_promise(int n, int rows, const float* __restrict__ c,
                             const float* __restrict__ in, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int row = 0; row < rows; ++row) {
    const float x = in[row * n + i];
    out[row * n + i] = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
  }
}

int main() {
  const int n = 16'384, rows = 16;
  const std::vector<float> c = {1.0f, -2.0f, 0.5f, 0.25f};
  std::vector<float> in(n * rows), out(n * rows);
  for (int i = 0; i < n * rows; ++i) in[i] = static_cast<float>(i % 1000) / 1000;

  float *device_c, *device_in, *device_out;
  CHECK(cudaMalloc(&device_c, c.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_in, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_out, out.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));

  int wrong = 0;
  for (const bool promised : {false, true}) {
    const auto kernel = promised ? with_promise : without_promise;
    CHECK(cudaMemset(device_out, 0xff, out.size() * sizeof(float)));  // NaN: nothing old may pass
    kernel<<<n / 256, 256>>>(n, rows, device_c, device_in, device_out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * rows; ++i) {
      const float x = in[i];
      const float expected = ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
      wrong += !(std::abs(out[i] - expected) < 1e-5f);
    }
  }
  std::printf("%d polynomials, %d wrong\n", 2 * n * rows, wrong);
  CHECK(cudaFree(device_c));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return wrong != 0;
}
