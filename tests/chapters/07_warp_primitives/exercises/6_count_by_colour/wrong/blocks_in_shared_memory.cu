// A block looks for equals in shared memory. That is less work for the counters, and no warp
// primitive.
//! atomics, primitives
//= shuffles, votes, matches and reductions
__global__ void count_by_colour(int n, const int* colours, int* counts) {
  __shared__ int block[1024];
  const int thread = threadIdx.x, i = blockIdx.x * blockDim.x + thread;
  const int colour = i < n ? colours[i] : -1;
  block[thread] = colour;
  __syncthreads();
  if (colour < 0) return;
  int equal = 0;
  for (int k = 0; k < static_cast<int>(blockDim.x); ++k) {
    if (block[k] != colour) continue;
    if (k < thread) return;
    ++equal;
  }
  atomicAdd(&counts[colour], equal);
}
