// Tiles of eight particles: a row of a tile is one sector, and a request fills four of them.
constexpr int kFields = 7, kPosition = 1, kVelocity = 4, kDimensions = 3;

__device__ int place([[maybe_unused]] int n, int i, int field) {
  return (kFields * (i / 8) + field) * 8 + i % 8;
}

__device__ int floats_for(int n) { return kFields * ((n + 7) / 8 * 8); }

__global__ void list_places(int n, int* places, int* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *floats = floats_for(n);
  if (i >= n) return;

  for (int field = 0; field < kFields; ++field) places[kFields * i + field] = place(n, i, field);
}

__global__ void move_particles(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int d = 0; d < kDimensions; ++d)
    particles[place(n, i, kPosition + d)] += dt * particles[place(n, i, kVelocity + d)];
}
