// A group of the black lanes: its lane of rank 0 is always there.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void list_black(int n, int most, const int* steps, int* count, int* list) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_black = i < n && steps[i] == most;
  const auto alike = cg::binary_partition(warp, is_black);
  if (!is_black) return;
  int first = 0;
  if (alike.thread_rank() == 0) first = atomicAdd(count, int(alike.num_threads()));
  list[alike.shfl(first, 0) + int(alike.thread_rank())] = i;
}
