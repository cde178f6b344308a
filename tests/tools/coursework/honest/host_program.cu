// What the kernel was tried with is left in: functions of the host, their variables, a launch.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>
#define CHECK(call)                                                       \
  do {                                                                    \
    if (const cudaError_t error = (call); error != cudaSuccess) {         \
      std::cerr << __FILE__ << ": " << cudaGetErrorString(error) << "\n"; \
      std::exit(EXIT_FAILURE);                                            \
    }                                                                     \
  } while (0)
using std::cout;
int runs = 0;
const std::string kName = "doubled";
std::vector<float> values(100, 1.0f);
std::mt19937 generator(42);
__global__ void kernel(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}
static void reference(int n, const float* in, float* out) {
  for (int i = 0; i < n; ++i) out[i] = 2.0f * in[i];
}
void try_it(int n) {
  std::vector<float> in(static_cast<std::size_t>(n)), out(in.size());
  for (float& x : in) x = std::uniform_real_distribution<float>()(generator);
  float *device_in = nullptr, *device_out = nullptr;
  CHECK(cudaMalloc(&device_in, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_out, out.size() * sizeof(float)));
  cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  const auto begin = std::chrono::steady_clock::now();
  kernel<<<(n + 127) / 128, 128>>>(n, device_in, device_out);
  try {
    CHECK(cudaDeviceSynchronize());
    if (n < 0) throw std::runtime_error("n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s, %d\n", error.what(), errno);
  }
  float* const copy = new float[in.size()];
  reference(n, in.data(), copy);
  delete[] copy;
  cout << kName << ' ' << (std::chrono::steady_clock::now() - begin).count() << '\n';
  ++runs;
}
