// Exercise 06.2: split structures into arrays. `./course check 06 --exercise 2` says how far you
// are.

constexpr int kFields = 7;  // of a particle, all of them floats

/// From an array of structures to a structure of arrays, at 4 sectors per request on both sides.
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
#ifdef COURSE_SOLUTION
  for (int k = threadIdx.x; k < kFields * count; k += blockDim.x) tile[k] = structures[k];
  __syncthreads();
  structures = tile;
#else
  // TODO: carry them into `tile` so that neighbouring lanes read neighbouring floats, and let
  // `structures` point there.
#endif

  const int thread = threadIdx.x;
  if (thread >= count) return;
  for (int field = 0; field < kFields; ++field)
    arrays[field * pitch + first + thread] = structures[kFields * thread + field];
}
