// The scan of cooperative groups; the last warp does it.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void compact_blocks(int n, const int* in, int* count, int* out) {
  __shared__ int places[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned lane = warp.thread_rank(), me = warp.meta_group_rank();
  const unsigned warps = warp.meta_group_size();
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  const int value = i < n ? in[i] : 0;
  const unsigned kept = warp.ballot(value < 0);
  if (lane == 0) places[me] = __popc(kept);
  block.sync();
  if (me == warps - 1) {
    const int mine = lane < warps ? places[lane] : 0;
    const int before = cg::exclusive_scan(warp, mine, cg::plus<int>());
    int first = 0;
    if (lane == 31 && before + mine != 0) first = atomicAdd(count, before + mine);
    first = warp.shfl(first, 31);
    if (lane < warps) places[lane] = first + before;
  }
  block.sync();
  if (value < 0) out[places[me] + __popc(kept & ((1u << lane) - 1))] = value;
}
