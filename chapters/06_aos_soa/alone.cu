// The same step for the same particles, kept as structures and as arrays.
//
//     ./course nvcc chapters/06_aos_soa/alone.cu -o drift && ./course profile ./drift
//     nvcc chapters/06_aos_soa/alone.cu -o drift && ./drift               with a GPU

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

struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, charge;
};

// Array of structures: all fields of a particle are neighbours.
__global__ void drift_structures(int n, float dt, Particle* p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x += dt * p[i].vx;
}

// Structure of arrays: all x are neighbours, and all vx.
__global__ void drift_arrays(int n, float dt, float* x, const float* vx) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += dt * vx[i];
}

int main() {
  const int n = 100'000, threads = 128, blocks = (n + threads - 1) / threads;
  const float dt = 0.5f;
  std::vector<Particle> particles(n);
  std::vector<float> x(n), vx(n);
  for (int i = 0; i < n; ++i) {
    particles[i].x = x[i] = static_cast<float>(i % 1000);
    particles[i].vx = vx[i] = static_cast<float>(i % 777);
  }

  Particle* device_particles;
  float *device_x, *device_vx;
  CHECK(cudaMalloc(&device_particles, n * sizeof(Particle)));
  CHECK(cudaMalloc(&device_x, n * sizeof(float)));
  CHECK(cudaMalloc(&device_vx, n * sizeof(float)));
  CHECK(cudaMemcpy(device_particles, particles.data(), n * sizeof(Particle), cudaMemcpyDefault));
  CHECK(cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyDefault));
  CHECK(cudaMemcpy(device_vx, vx.data(), n * sizeof(float), cudaMemcpyDefault));

  drift_structures<<<blocks, threads>>>(n, dt, device_particles);
  CHECK(cudaGetLastError());
  drift_arrays<<<blocks, threads>>>(n, dt, device_x, device_vx);
  CHECK(cudaGetLastError());

  // Copies wait for the kernels.
  CHECK(cudaMemcpy(particles.data(), device_particles, n * sizeof(Particle), cudaMemcpyDefault));
  CHECK(cudaMemcpy(x.data(), device_x, n * sizeof(float), cudaMemcpyDefault));
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float expected = static_cast<float>(i % 1000) + dt * vx[i];
    wrong += (particles[i].x != expected) + (x[i] != expected);
  }
  std::printf("structures: %zu bytes from one x to the next\n", sizeof(Particle));
  std::printf("arrays:     %zu bytes from one x to the next\n", sizeof(float));
  std::printf("%d of %d results are wrong\n", wrong, 2 * n);

  CHECK(cudaFree(device_particles));
  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_vx));
  return wrong != 0;
}
