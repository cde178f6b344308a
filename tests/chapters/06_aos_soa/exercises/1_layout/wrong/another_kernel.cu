// Structures of three floats. The kernel is another one, in which threads take floats as they lie;
// it does not mend the layout.
//! loads, stores
//= sectors per load request
constexpr int kFields = 7, kPosition = 1, kVelocity = 4;

__device__ int pitch_of(int n) { return (n + 31) / 32 * 32; }
__device__ int place(int n, int i, int field) {
  if (field < kPosition) return i;
  const bool is_velocity = field >= kVelocity;
  return pitch_of(n) * (is_velocity ? 4 : 1) + 3 * i + field -
         (is_velocity ? kVelocity : kPosition);
}

__global__ void list_places(int n, int* places, int* floats) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *floats = kFields * pitch_of(n);
  for (int field = 0; i < n && field < kFields; ++field)
    places[kFields * i + field] = place(n, i, field);
}

__global__ void move_particles(int n, float dt, float* particles) {
  const int first = blockIdx.x * blockDim.x, end = min(n, first + static_cast<int>(blockDim.x));
  float* const positions = particles + place(n, 0, kPosition);
  const float* const velocities = particles + place(n, 0, kVelocity);
  for (int k = 3 * first + threadIdx.x; k < 3 * end; k += blockDim.x)
    positions[k] += dt * velocities[k];
}
