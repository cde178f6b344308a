// A kernel draws what the library draws: XORWOW's sequences in turn.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>

__global__ void begin(curandState* states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void draw(curandState* states, float* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  numbers[i] = curand_uniform(&state);
  states[i] = state;
}

int main() {
  const int n = 256;
  curandState* states;
  float *drawn, *generated;
  cudaMalloc(&states, n * sizeof *states);
  cudaMallocManaged(&drawn, n * sizeof(float));
  cudaMallocManaged(&generated, n * sizeof(float));

  begin<<<2, n / 2>>>(states, 42);
  draw<<<2, n / 2>>>(states, drawn);
  curandGenerator_t generator;
  int failed = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  failed += curandSetPseudoRandomGeneratorSeed(generator, 42);
  failed += curandGenerateUniform(generator, generated, n);
  cudaDeviceSynchronize();

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += drawn[i] != generated[i];
  std::printf("%d wrong\n", wrong + failed);
  curandDestroyGenerator(generator);
  cudaFree(states);
  cudaFree(drawn);
  cudaFree(generated);
  return wrong + failed != 0;
}
