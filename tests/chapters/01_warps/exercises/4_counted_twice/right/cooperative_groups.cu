// A block and its warps as groups, which know their ranks.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void add_up_rounds(int width, int height, const int* steps, int* rounds) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int mine = col < width && row < height ? steps[row * width + col] : 0;
  const int most = cg::reduce(warp, mine, cg::greater<int>());
  if (warp.thread_rank() == 0) atomicAdd(rounds, most);
}
