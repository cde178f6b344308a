// What moves lies in tiles; the masses, which nobody moves, come behind them.
constexpr int kFields = 7, kPosition = 1, kVelocity = 4, kDimensions = 3;

__device__ int tiles(int n) { return (n + 31) / 32; }

__device__ int place(int n, int i, int field) {
  if (field == 0) return 6 * 32 * tiles(n) + i;
  return (6 * (i / 32) + field - 1) * 32 + i % 32;
}

__device__ int floats_for(int n) { return 6 * 32 * tiles(n) + n; }

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
