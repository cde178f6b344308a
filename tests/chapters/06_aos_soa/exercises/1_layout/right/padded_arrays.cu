// An array per field, each rounded up to whole warps, in another order than the particle has.
constexpr int kFields = 7, kPosition = 1, kVelocity = 4, kDimensions = 3;

__device__ int pitch_of(int n) { return (n + 31) & ~31; }
__device__ int place(int n, int i, int field) { return (kFields - 1 - field) * pitch_of(n) + i; }
__device__ int floats_for(int n) { return kFields * pitch_of(n); }

__global__ void list_places(int n, int* places, int* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *floats = floats_for(n);
  for (int field = 0; i < n && field < kFields; ++field)
    places[kFields * i + field] = place(n, i, field);
}

__global__ void move_particles(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int d = kDimensions; d-- > 0;) {
    float& position = particles[place(n, i, kPosition + d)];
    position = fmaf(dt, particles[place(n, i, kVelocity + d)], position);
  }
}
