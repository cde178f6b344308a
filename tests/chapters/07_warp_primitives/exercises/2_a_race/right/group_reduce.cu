// Groups add up by themselves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void block_sums(int n, const int* in, int* sums) {
  __shared__ int partial[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  const int sum = cg::reduce(warp, i < n ? in[i] : 0, cg::plus<int>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  block.sync();
  if (warp.meta_group_rank() != 0) return;
  const int mine = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0;
  const int total = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) sums[blockIdx.x] = total;
}
