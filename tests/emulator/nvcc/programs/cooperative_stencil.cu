// flags: -arch=sm_90
// A smoothing step again and again in one launch: the grid meets between two steps. As many blocks
// as the device holds at once go round all cells.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void smooth(int* cells, int* other, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  int *from = cells, *to = other;
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const int left = i > 0 ? from[i - 1] : 0, right = i + 1 < n ? from[i + 1] : 0;
      to[i] = (left + 2 * from[i] + right) / 4;
    }
    grid.sync();
    int* const swapped = from;
    from = to;
    to = swapped;
  }
}

int main() {
  int device = 0, can = 0, processors = 0, each = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const int threads = 128, n = 20'001, steps = 7;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, smooth, threads, 0);
  if (!can || each == 0) return 3;

  std::vector<int> expected(n), next(n);
  for (int i = 0; i < n; ++i) expected[i] = (i * 7919) % 100'003;
  int *cells, *other;
  const size_t bytes = n * sizeof(int);
  cudaMalloc(&cells, bytes);
  cudaMalloc(&other, bytes);
  cudaMemcpy(cells, expected.data(), bytes, cudaMemcpyHostToDevice);

  int count = n, rounds = steps;
  void* arguments[] = {&cells, &other, &count, &rounds};
  // A grid of twice as many blocks would not be there at once.
  const cudaError_t refused = cudaLaunchCooperativeKernel((void*)smooth, 2 * each * processors,
                                                          threads, arguments, 0, 0);
  int wrong = refused != cudaErrorCooperativeLaunchTooLarge || cudaGetLastError() != refused;
  wrong += cudaLaunchCooperativeKernel((void*)smooth, each * processors / 16, threads, arguments, 0,
                                       0) != cudaSuccess;

  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      const int left = i > 0 ? expected[i - 1] : 0, right = i + 1 < n ? expected[i + 1] : 0;
      next[i] = (left + 2 * expected[i] + right) / 4;
    }
    expected.swap(next);
  }
  std::vector<int> found(n);
  cudaMemcpy(found.data(), steps % 2 == 0 ? cells : other, bytes, cudaMemcpyDeviceToHost);
  wrong += cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += found[i] != expected[i];
  std::printf("cooperative_stencil: %d wrong\n", wrong);
  return wrong != 0;
}
