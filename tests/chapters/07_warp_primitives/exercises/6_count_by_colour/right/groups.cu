// Groups of equals. A warp is split twice: into painted pixels and others, and then by colour.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int colour = i < n ? colours[i] : -1;
  const auto painted = cg::binary_partition(warp, colour >= 0);
  if (colour < 0) return;
  const auto alike = cg::labeled_partition(painted, colour);
  if (alike.thread_rank() == 0) atomicAdd(&counts[colour], static_cast<int>(alike.num_threads()));
}
