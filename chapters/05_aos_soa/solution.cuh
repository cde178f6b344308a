#pragma once

// Exercises for chapter 05: add lines below each TODO, then run `./course check 05`.
// `./course check 05 --hint` helps; `--hint 2` helps more.

// A particle has seven floats: its mass, its position x, y, z, and its velocity x, y, z.
constexpr int kFields = 7;
constexpr int kPosition = 1;  // the first of three
constexpr int kVelocity = 4;  // the first of three
constexpr int kDimensions = 3;

/// Exercise 1. A layout of your own: where field `field` of particle `i` of `n` is stored, counted
/// in floats from the start, which is the start of a line.
///
/// It is an array of structures now: 28 sectors per request of move_particles. 4 are enough.
__host__ __device__ inline int place([[maybe_unused]] int n, int i, int field) {
  int index = kFields * i + field;
  // TODO 1a: another place for every float, so that each request touches 4 sectors, for every n.
  index = (kFields * (i / 32) + field) * 32 + i % 32;

  return index;
}

/// How many floats n particles take in that layout: up to 31 more than n for each field.
__host__ __device__ inline int floats_for(int n) {
  int floats = kFields * n;
  // TODO 1b: as many as your layout needs.
  floats = kFields * ((n + 31) / 32 * 32);

  return floats;
}

/// Moves every particle by dt x its velocity, wherever its floats are. Given: nothing to do here.
__global__ void move_particles(int n, float dt, float* particles) {  // [floats_for(n)]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  for (int d = 0; d < kDimensions; ++d)
    particles[place(n, i, kPosition + d)] += dt * particles[place(n, i, kVelocity + d)];
}

/// Exercise 2. From an array of structures to a structure of arrays, at 4 sectors per request on
/// both sides.
///
/// The grid covers n; blocks are one-dimensional, a multiple of 32, and have kFields x blockDim.x
/// floats of dynamic shared memory.
__global__ void split_particles(int n, int pitch,
                                const float* particles,  // [n, kFields]
                                float* arrays) {         // [kFields, pitch]
  extern __shared__ float tile[];                        // [blockDim.x, kFields]
  const int first = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - first);
  const float* structures = particles + kFields * first;  // [count, kFields], those of this block
  // TODO 2: carry them into `tile` so that neighbouring lanes read neighbouring floats, and let
  // `structures` point there.
  for (int k = threadIdx.x; k < kFields * count; k += blockDim.x) tile[k] = structures[k];
  __syncthreads();
  structures = tile;

  const int thread = threadIdx.x;
  if (thread >= count) return;
  for (int field = 0; field < kFields; ++field)
    arrays[field * pitch + first + thread] = structures[kFields * thread + field];
}
