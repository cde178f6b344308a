// Smooths a signal: transforms it, takes its high frequencies away in a kernel, transforms it back.
#include <cufft.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                         \
  do {                                                      \
    const int status = static_cast<int>(call);              \
    if (status != 0) {                                      \
      std::printf("%s: %d, %s\n", __FILE__, status, #call); \
      return 1;                                             \
    }                                                       \
  } while (false)

// Keeps the first `kept` frequencies. Two transforms multiply everything by n.
__global__ void keep_low(int frequencies, int kept, int n, cufftComplex* spectrum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frequencies) return;
  const float scale = i < kept ? 1.0f / n : 0.0f;
  spectrum[i].x *= scale;
  spectrum[i].y *= scale;
}

int main() {
  const int n = 1000, frequencies = n / 2 + 1;
  const double pi = std::acos(-1.0);
  std::vector<float> signal(n);
  for (int i = 0; i < n; ++i)
    signal[i] =
        static_cast<float>(std::sin(2 * pi * 3 * i / n) + 0.5 * std::sin(2 * pi * 200 * i / n));

  cufftReal* samples;
  cufftComplex* spectrum;
  CHECK(cudaMalloc(&samples, n * sizeof(cufftReal)));
  CHECK(cudaMalloc(&spectrum, frequencies * sizeof(cufftComplex)));
  CHECK(cudaMemcpy(samples, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  cudaStream_t stream;
  cufftHandle there, back;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cufftPlan1d(&there, n, CUFFT_R2C, 1));
  CHECK(cufftPlan1d(&back, n, CUFFT_C2R, 1));
  CHECK(cufftSetStream(there, stream));
  CHECK(cufftSetStream(back, stream));
  CHECK(cufftExecR2C(there, samples, spectrum));
  keep_low<<<(frequencies + 127) / 128, 128, 0, stream>>>(frequencies, 10, n, spectrum);
  CHECK(cudaGetLastError());
  CHECK(cufftExecC2R(back, spectrum, samples));
  CHECK(cudaMemcpyAsync(signal.data(), samples, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += std::fabs(signal[i] - std::sin(2 * pi * 3 * i / n)) > 1e-4;
  std::printf("%d wrong\n", wrong);
  CHECK(cufftDestroy(there));
  CHECK(cufftDestroy(back));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(samples));
  CHECK(cudaFree(spectrum));
  return wrong != 0;
}
