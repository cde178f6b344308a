// Copies every stride-th float of an array. The work stays the same, whatever the stride. What the
// memory must move for it does not.
//
//     ./course nvcc chapters/02_coalescing/alone.cu -o copy && ./course profile ./copy
//     nvcc chapters/02_coalescing/alone.cu -o copy && ncu --set full ./copy      with a GPU

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

// Every thread copies one float. Neighbouring threads read floats that lie `stride` apart.
__global__ void copy(int n, int stride, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride];
}

int main() {
  const int n = 1 << 18;
  const int stride = 2;  // change me: 1, 3, 8, 32

  std::vector<float> in(n * stride), out(n);
  for (int i = 0; i < n * stride; ++i) in[i] = static_cast<float>(i % 1000);

  float *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_out, out.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));

  const int threads = 256;
  copy<<<(n + threads - 1) / threads, threads>>>(n, stride, device_in, device_out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != in[i * stride];
  std::printf("stride %d: %d floats copied, %d wrong\n", stride, n, wrong);

  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return wrong != 0;
}
