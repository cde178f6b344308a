// Groups of equals: a warp is split by colour, and the group of the transparent does nothing.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count_by_colour(int n, const int* colours, int* counts) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int step = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x + 32 * warp.meta_group_rank(); first < n;
       first += step) {
    const int i = first + warp.thread_rank();
    const int colour = i < n ? colours[i] : -1;
    const auto alike = cg::labeled_partition(warp, colour);
    if (colour >= 0 && alike.thread_rank() == 0)
      atomicAdd(&counts[colour], static_cast<int>(alike.num_threads()));
  }
}
