// A cooperative group copies, and waits for what it has copied.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void split_particles(int n, int pitch, const float* particles, float* arrays) {
  extern __shared__ float tile[];
  const auto block = cg::this_thread_block();
  const int first = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - first);
  cg::memcpy_async(block, tile, particles + 7 * first, 7 * count * sizeof(float));
  cg::wait(block);
  const int thread = block.thread_rank();
  if (thread >= count) return;
  for (int field = 0; field < 7; ++field)
    arrays[field * pitch + first + thread] = tile[7 * thread + field];
}
