// Exercise 06.1: a layout for particles of seven floats. `./course check 06 --exercise 1` says how
// far you are.

// A particle has seven floats: its mass, its position x, y, z, and its velocity x, y, z.
constexpr int kFields = 7;
constexpr int kPosition = 1;  // the first of three
constexpr int kVelocity = 4;  // the first of three
constexpr int kDimensions = 3;

/// A layout of your own: where field `field` of particle `i` of `n` is stored, counted in floats
/// from the start, which is the start of a line.
///
/// It is an array of structures now: 28 sectors per request of move_particles. 4 are enough.
__device__ int place([[maybe_unused]] int n, int i, int field) {
#ifdef COURSE_SOLUTION
  return (kFields * (i / 32) + field) * 32 + i % 32;
#else
  // TODO: another place for every float, so that each request touches 4 sectors, for every n.
  return kFields * i + field;
#endif
}

/// How many floats n particles take in that layout: up to 31 more than n for each field.
__device__ int floats_for(int n) {
#ifdef COURSE_SOLUTION
  return kFields * ((n + 31) / 32 * 32);
#else
  // TODO: as many as your layout needs.
  return kFields * n;
#endif
}

/// Tells the check where everything is. Given: nothing to do here.
__global__ void list_places(int n,
                            int* places,    // [n, kFields]
                            int* floats) {  // [1]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *floats = floats_for(n);
  if (i >= n) return;

  for (int field = 0; field < kFields; ++field) places[kFields * i + field] = place(n, i, field);
}

/// Moves every particle by dt x its velocity, wherever its floats are. Given: nothing to do here.
__global__ void move_particles(int n, float dt, float* particles) {  // [floats_for(n)]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int d = 0; d < kDimensions; ++d)
    particles[place(n, i, kPosition + d)] += dt * particles[place(n, i, kVelocity + d)];
}
