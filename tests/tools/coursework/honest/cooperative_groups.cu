// Cooperative groups: the block, tiles, what is active; reductions and scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__global__ void kernel(int n, const float* in, float* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  const float x = i < n ? in[i] : 0.0f;
  const float sum = cg::reduce(tile, x, cg::plus<float>());
  const int before = cg::exclusive_scan(tile, static_cast<int>(x) & 3);
  const float third = tile.shfl(x, 3);
  block.sync();
  if (x > 0.0f) {
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0 && i + 1 < n) out[i] = static_cast<float>(active.size());
  } else if (i < n) {
    out[i] = sum + static_cast<float>(before) + third;
  }
}
