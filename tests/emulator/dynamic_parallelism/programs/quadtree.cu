/// Counts points in the cells of a quadtree: a block parts its points among four cells and launches
/// four blocks for them, as long as a cell holds many.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Points {
  float *x, *y;  // [n]
};

struct Node {
  int first, count;  // of its points
  float left, bottom, size;
};

struct FourNodes {
  Node node[4];
};

struct Limits {
  int most_depth, few;
};

__device__ int leaves, points_in_leaves, deepest;

/// Moves the node's points from `from` to `to`, one cell behind the other.
template <int kThreads>
__global__ void part(FourNodes nodes, Points from, Points to, int depth, Limits limits) {
  extern __shared__ int counts[];  // [4], then [4]: where each cell begins
  const Node node = nodes.node[blockIdx.x];
  const bool is_leaf = node.count <= limits.few || depth == limits.most_depth;
  if (is_leaf) {
    if (threadIdx.x == 0) {
      atomicAdd(&leaves, 1);
      atomicAdd(&points_in_leaves, node.count);
      atomicMax(&deepest, depth);
    }
    return;
  }
  if (threadIdx.x < 4) counts[threadIdx.x] = 0;
  __syncthreads();
  const float half = node.size / 2;
  const auto cell_of = [&](int i) {
    return (from.x[i] >= node.left + half) + 2 * (from.y[i] >= node.bottom + half);
  };
  for (int i = threadIdx.x; i < node.count; i += kThreads)
    atomicAdd(&counts[cell_of(node.first + i)], 1);
  __syncthreads();
  int* const next = counts + 4;
  if (threadIdx.x == 0) {
    next[0] = node.first;
    for (int cell = 1; cell < 4; ++cell) next[cell] = next[cell - 1] + counts[cell - 1];
    FourNodes below;
    for (int cell = 0; cell < 4; ++cell)
      below.node[cell] = {next[cell], counts[cell], node.left + (cell % 2) * half,
                          node.bottom + (cell / 2) * half, half};
    // Begins when this block and all others of its grid have ended.
    part<kThreads><<<4, kThreads, 8 * sizeof(int), cudaStreamTailLaunch>>>(below, to, from,
                                                                           depth + 1, limits);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < node.count; i += kThreads) {
    const int at = atomicAdd(&next[cell_of(node.first + i)], 1);
    to.x[at] = from.x[node.first + i];
    to.y[at] = from.y[node.first + i];
  }
}

int leaves_of(const std::vector<float>& x, const std::vector<float>& y, Node node, int depth,
              Limits limits) {
  std::vector<float> in_x[4], in_y[4];
  if (static_cast<int>(x.size()) <= limits.few || depth == limits.most_depth) return 1;
  const float half = node.size / 2;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int cell = (x[i] >= node.left + half) + 2 * (y[i] >= node.bottom + half);
    in_x[cell].push_back(x[i]);
    in_y[cell].push_back(y[i]);
  }
  int sum = 0;
  for (int cell = 0; cell < 4; ++cell)
    sum += leaves_of(in_x[cell], in_y[cell],
                     {0, 0, node.left + (cell % 2) * half, node.bottom + (cell / 2) * half, half},
                     depth + 1, limits);
  return sum;
}

int main() {
  constexpr int kPoints = 2000, kThreads = 64;
  constexpr Limits kLimits{6, 16};
  std::vector<float> x(kPoints), y(kPoints);
  std::srand(3);
  for (float* value : {x.data(), y.data()})
    for (int i = 0; i < kPoints; ++i) {
      const float part = static_cast<float>(std::rand() % 4096) / 4096;
      value[i] = part * part;
    }
  Points a, b;
  for (float** row : {&a.x, &a.y, &b.x, &b.y}) cudaMallocManaged(row, kPoints * sizeof(float));
  for (int i = 0; i < kPoints; ++i) a.x[i] = x[i], a.y[i] = y[i];
  const Node root = {0, kPoints, 0, 0, 1};
  part<kThreads><<<1, kThreads, 8 * sizeof(int)>>>(FourNodes{{root}}, a, b, 0, kLimits);
  int found[3];
  cudaMemcpyFromSymbol(&found[0], leaves, sizeof(int));
  cudaMemcpyFromSymbol(&found[1], points_in_leaves, sizeof(int));
  cudaMemcpyFromSymbol(&found[2], deepest, sizeof(int));
  std::printf("%s: %d points, depth %d, %s\n",
              found[0] == leaves_of(x, y, root, 0, kLimits) ? "as many leaves" : "WRONG", found[1],
              found[2], cudaGetErrorName(cudaGetLastError()));
  for (float* row : {a.x, a.y, b.x, b.y}) cudaFree(row);
}
