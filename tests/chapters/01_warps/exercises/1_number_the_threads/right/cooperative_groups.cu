// A block and its warps as groups, which know their ranks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void describe_threads(int* warp, int* lane, int* lanes, int* leader) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int thread = block.thread_rank();
  const int behind = block.size() - tile.meta_group_rank() * 32;
  warp[thread] = tile.meta_group_rank();
  lane[thread] = tile.thread_rank();
  lanes[thread] = behind < 32 ? behind : 32;
  leader[thread] = __shfl_sync(0xffffffff, thread, 0);
}
