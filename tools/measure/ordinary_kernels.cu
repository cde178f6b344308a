// Fifty kernels of ordinary shapes, each launched once, for comparing counts of memory accesses.
//
// The results and the number of accesses of a kernel depend only on its fixed inputs. The program
// prints a line for each kernel: its name, and a hash of an integer output or the sum of another.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

constexpr unsigned kFullMask = 0xffffffffu;

/// Adds a scaled vector to another one with a grid-stride loop.
__global__ void saxpy_grid_stride(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

constexpr int kDotThreads = 128;

/// Sums products per block with a tree in shared memory.
__global__ void dot_product_tree(const float* a, const float* b, float* partial, int n) {
  __shared__ float sums[kDotThreads];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += a[i] * b[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned reach = kDotThreads / 2; reach > 0; reach /= 2) {
    if (threadIdx.x < reach) sums[threadIdx.x] += sums[threadIdx.x + reach];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

/// Counts random points in the quarter circle and adds them up with warp shuffles.
__global__ void monte_carlo_pi(unsigned seed, int samples, int* hits) {
  unsigned state = seed + 7919u * (blockIdx.x * blockDim.x + threadIdx.x);
  int count = 0;
  for (int i = 0; i < samples; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 20) / 4096.0f;
    state = state * 1664525u + 1013904223u;
    const float y = (state >> 20) / 4096.0f;
    if (x * x + y * y <= 1.0f) ++count;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    count += __shfl_down_sync(kFullMask, count, offset);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(hits, count);
}

/// Inclusive scan of each block with two buffers in dynamic shared memory (Hillis and Steele).
__global__ void scan_hillis_steele(const int* in, int* out, int n) {
  extern __shared__ int scan_buffers[];
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int i = blockIdx.x * threads + t;
  int* from = scan_buffers;
  int* to = scan_buffers + threads;
  from[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    to[t] = t >= step ? from[t] + from[t - step] : from[t];
    __syncthreads();
    int* const last = from;
    from = to;
    to = last;
  }
  if (i < n) out[i] = from[t];
}

constexpr int kBlellochThreads = 128;

/// Exclusive scan of two elements per thread: a sweep up and a sweep down (Blelloch).
__global__ void scan_blelloch(const int* in, int* out, int n) {
  __shared__ int tree[2 * kBlellochThreads];
  const int t = threadIdx.x;
  const int i = 2 * (blockIdx.x * kBlellochThreads + t);
  tree[2 * t] = i < n ? in[i] : 0;
  tree[2 * t + 1] = i + 1 < n ? in[i + 1] : 0;
  int width = 1;
  for (int active = kBlellochThreads; active > 0; active /= 2) {
    __syncthreads();
    if (t < active) tree[width * (2 * t + 2) - 1] += tree[width * (2 * t + 1) - 1];
    width *= 2;
  }
  if (t == 0) tree[2 * kBlellochThreads - 1] = 0;
  for (int active = 1; active <= kBlellochThreads; active *= 2) {
    width /= 2;
    __syncthreads();
    if (t < active) {
      const int left = width * (2 * t + 1) - 1;
      const int right = width * (2 * t + 2) - 1;
      const int value = tree[left];
      tree[left] = tree[right];
      tree[right] += value;
    }
  }
  __syncthreads();
  if (i < n) out[i] = tree[2 * t];
  if (i + 1 < n) out[i + 1] = tree[2 * t + 1];
}

constexpr int kScanWarps = 5;

/// Exclusive scan of each block: shuffles in the warps, then a scan of the warps' sums.
__global__ void scan_exclusive_shuffle(const int* in, int* out, int* totals, int n) {
  __shared__ int warp_sums[kScanWarps];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int value = i < n ? in[i] : 0;
  int sum = value;
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(kFullMask, sum, step);
    if (lane >= step) sum += below;
  }
  if (lane == 31) warp_sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int total = lane < kScanWarps ? warp_sums[lane] : 0;
    for (int step = 1; step < 32; step *= 2) {
      const int below = __shfl_up_sync(kFullMask, total, step);
      if (lane >= step) total += below;
    }
    if (lane < kScanWarps) warp_sums[lane] = total;
  }
  __syncthreads();
  const int before = warp > 0 ? warp_sums[warp - 1] : 0;
  if (i < n) out[i] = before + sum - value;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = before + sum;
}

/// Counts bytes with atomics in global memory.
__global__ void histogram_global(const unsigned char* data, int n, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}

/// Counts bytes per block in shared memory and adds the blocks' counts up.
__global__ void histogram_shared(const unsigned char* data, int n, unsigned* bins) {
  __shared__ unsigned local_bins[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) local_bins[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local_bins[data[i]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (local_bins[bin] > 0) atomicAdd(&bins[bin], local_bins[bin]);
  }
}

/// Transposes a matrix element by element, with 64-bit indices.
__global__ void transpose_naive(const int* in, int* out, long long rows, long long columns) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

/// Transposes tiles through shared memory, whose columns lie in one bank.
__global__ void transpose_tiled(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) {
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) {
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

constexpr int kTile = 16;

/// Transposes tiles through shared memory with a padded row.
__global__ void transpose_padded(const long long* in, long long* out, int rows, int columns) {
  __shared__ long long tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

/// One Jacobi sweep over a plane of doubles with a naive 5-point stencil.
__global__ void jacobi_sweep(const double* u, const double* f, double* next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + f[i]);
  }
}

/// Returns an element of a plane, or 0 outside of it.
__device__ float value_or_zero(const float* in, int width, int height, int x, int y) {
  return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
}

/// A 5-point stencil whose tile and halo lie in shared memory.
__global__ void stencil5_shared(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  tile[ty][tx] = value_or_zero(in, width, height, x, y);
  if (threadIdx.x == 0) tile[ty][0] = value_or_zero(in, width, height, x - 1, y);
  if (threadIdx.x == kTile - 1) tile[ty][kTile + 1] = value_or_zero(in, width, height, x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = value_or_zero(in, width, height, x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = value_or_zero(in, width, height, x, y + 1);
  __syncthreads();
  if (x < width && y < height) {
    out[y * width + x] = 0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                                         tile[ty - 1][tx] + tile[ty + 1][tx]);
  }
}

/// A 7-point stencil that marches along z and keeps its column in registers.
__global__ void stencil7_march(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int i = y * nx + x;
  float behind = in[i];
  float here = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    const float ahead = in[i + plane];
    out[i] =
        0.4f * here + 0.1f * (behind + ahead + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
    behind = here;
    here = ahead;
  }
}

constexpr int kBlurRadius = 4;
__constant__ float blur_taps[2 * kBlurRadius + 1];

/// The row pass of a separable blur: a 1-D convolution with a filter in constant memory.
__global__ void blur_rows(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x >= width) return;
  float sum = 0.0f;
  for (int k = -kBlurRadius; k <= kBlurRadius; ++k) {
    const int column = min(max(x + k, 0), width - 1);
    sum += blur_taps[k + kBlurRadius] * in[y * width + column];
  }
  out[y * width + x] = sum;
}

/// A 1-D convolution that reads its filter from global memory again and again.
__global__ void conv1d_restrict(const float* __restrict__ signal, const float* __restrict__ filter,
                                float* __restrict__ out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  const int start = i - taps / 2;
  for (int j = 0; j < taps; ++j) {
    if (start + j >= 0 && start + j < n) sum += signal[start + j] * filter[j];
  }
  out[i] = sum;
}

constexpr int kFilterSize = 5;
__constant__ float plane_filter[kFilterSize][kFilterSize];

/// A 2-D convolution with a constant filter and zeros outside of the image.
__global__ void conv2d(const float* image, float* out, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  float sum = 0.0f;
  for (int i = 0; i < kFilterSize; ++i) {
    for (int j = 0; j < kFilterSize; ++j) {
      const int y = row + i - kFilterSize / 2;
      const int x = column + j - kFilterSize / 2;
      if (y >= 0 && y < height && x >= 0 && x < width) {
        sum += plane_filter[i][j] * image[y * width + x];
      }
    }
  }
  out[row * width + column] = sum;
}

/// Multiplies two matrices, one element of the product per thread.
__global__ void matmul_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && column < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
  }
}

/// Multiplies two matrices with tiles in shared memory, guarded at the edges.
__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int tile = 0; tile < (k + kTile - 1) / kTile; ++tile) {
    const int a_column = tile * kTile + tx;
    const int b_row = tile * kTile + ty;
    a_tile[ty][tx] = row < m && a_column < k ? a[row * k + a_column] : 0.0f;
    b_tile[ty][tx] = b_row < k && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

constexpr int kBlockTile = 64;  // rows and columns of the product per block
constexpr int kDepthTile = 8;   // columns of A and rows of B per step

/// Multiplies two matrices with a tile of 4 x 4 sums in the registers of each thread.
__global__ void matmul_register_tile(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float a_tile[kDepthTile][kBlockTile];
  __shared__ float b_tile[kDepthTile][kBlockTile];
  const int t = threadIdx.y * 16 + threadIdx.x;
  const int row = blockIdx.y * kBlockTile;
  const int column = blockIdx.x * kBlockTile;
  float sums[4][4] = {};
  for (int start = 0; start < k; start += kDepthTile) {
    for (int i = t; i < kBlockTile * kDepthTile; i += 256) {
      a_tile[i % kDepthTile][i / kDepthTile] =
          a[(row + i / kDepthTile) * k + start + i % kDepthTile];
      b_tile[i / kBlockTile][i % kBlockTile] =
          b[(start + i / kBlockTile) * n + column + i % kBlockTile];
    }
    __syncthreads();
#pragma unroll
    for (int depth = 0; depth < kDepthTile; ++depth) {
      float a_part[4], b_part[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        a_part[i] = a_tile[depth][threadIdx.y * 4 + i];
        b_part[i] = b_tile[depth][threadIdx.x * 4 + i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += a_part[i] * b_part[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      c[(row + threadIdx.y * 4 + i) * n + column + threadIdx.x * 4 + j] = sums[i][j];
    }
  }
}

/// Multiplies a matrix with a vector, a row per thread.
__global__ void matvec_row(const float* a, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += a[row * columns + j] * x[j];
  y[row] = sum;
}

/// Multiplies a CSR matrix with a vector, a row of its own length per thread.
__global__ void spmv_csr_scalar(const int* starts, const int* columns, const float* values,
                                const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

/// Multiplies a CSR matrix with a vector, a row per warp.
__global__ void spmv_csr_vector(const int* __restrict__ starts, const int* __restrict__ columns,
                                const float* __restrict__ values, const float* __restrict__ x,
                                float* __restrict__ y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int end = starts[row + 1];
  float sum = 0.0f;
  for (int i = starts[row] + lane; i < end; i += 32) sum += values[i] * x[columns[i]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(kFullMask, sum, offset);
  if (lane == 0) y[row] = sum;
}

/// Multiplies an ELL matrix, stored by columns and filled up with -1, with a vector.
__global__ void spmv_ell(const int* columns, const float* values, const float* x, float* y,
                         int rows, int longest) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < longest; ++k) {
    const int column = columns[k * rows + row];
    if (column >= 0) sum += values[k * rows + row] * x[column];
  }
  y[row] = sum;
}

/// One level of a breadth-first search: nodes outside of the frontier return early.
__global__ void bfs_step(const int* starts, const int* edges, const unsigned char* frontier,
                         const int* depth, int* next_depth, int nodes, int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || !frontier[node]) return;
  for (int i = starts[node]; i < starts[node + 1]; ++i) {
    const int neighbour = edges[i];
    if (depth[neighbour] < 0) atomicMax(&next_depth[neighbour], level + 1);
  }
}

/// Finds the nearest centroid of each point for k-means.
__global__ void kmeans_assign(const float* __restrict__ points, const float* __restrict__ centroids,
                              int* __restrict__ nearest, int count, int clusters, int dimensions) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float smallest = 1e30f;
  int best = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      const float difference = points[i * dimensions + d] - centroids[c * dimensions + d];
      distance += difference * difference;
    }
    if (distance < smallest) {
      smallest = distance;
      best = c;
    }
  }
  nearest[i] = best;
}

constexpr int kBodies = 64;  // per block and tile

/// Sums the accelerations and potentials of bodies with tiles of float4 in shared memory.
__global__ void nbody_tile(const float4* bodies, float4* accelerations, int n) {
  __shared__ float4 tile[kBodies];
  const int i = blockIdx.x * kBodies + threadIdx.x;
  const float4 body = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int start = 0; start < n; start += kBodies) {
    const int j = start + threadIdx.x;
    float4 next = make_float4(0, 0, 0, 0);
    if (j < n) next = bodies[j];
    tile[threadIdx.x] = next;
    __syncthreads();
    for (int k = 0; k < kBodies; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - body.x;
      const float dy = other.y - body.y;
      const float dz = other.z - body.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1.0f);
      const float pull = other.w * inverse * inverse * inverse;
      sum.x += dx * pull;
      sum.y += dy * pull;
      sum.z += dz * pull;
      sum.w += other.w * inverse;
    }
    __syncthreads();
  }
  if (i < n) accelerations[i] = sum;
}

/// Relaxes the points of one colour in place (Gauss and Seidel).
__global__ void red_black_sweep(float* u, int nx, int ny, int colour) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < nx - 1 && y < ny - 1 && (x + y) % 2 == colour) {
    u[y * nx + x] =
        0.25f * (u[y * nx + x - 1] + u[y * nx + x + 1] + u[(y - 1) * nx + x] + u[(y + 1) * nx + x]);
  }
}

constexpr int kSortThreads = 128;

/// Sorts the keys of each block in shared memory with a bitonic network.
__global__ void bitonic_sort_shared(int* keys) {
  __shared__ int block_keys[kSortThreads];
  const int t = threadIdx.x;
  block_keys[t] = keys[blockIdx.x * kSortThreads + t];
  __syncthreads();
  for (int size = 2; size <= kSortThreads; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int partner = t ^ stride;
      if (partner > t) {
        const bool ascending = (t & size) == 0;
        const int low = block_keys[t];
        const int high = block_keys[partner];
        if ((low > high) == ascending) {
          block_keys[t] = high;
          block_keys[partner] = low;
        }
      }
      __syncthreads();
    }
  }
  keys[blockIdx.x * kSortThreads + t] = block_keys[t];
}

/// One step of a bitonic sort in global memory.
__global__ void bitonic_step_global(int* keys, int stride, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int partner = i ^ stride;
  if (partner <= i) return;
  if ((i & size) == 0) {
    if (keys[i] > keys[partner]) {
      const int key = keys[i];
      keys[i] = keys[partner];
      keys[partner] = key;
    }
  } else {
    if (keys[i] < keys[partner]) {
      const int key = keys[i];
      keys[i] = keys[partner];
      keys[partner] = key;
    }
  }
}

/// Sorts by counting, for each key, the keys that come before it, and scattering.
__global__ void rank_sort(const int* keys, int* sorted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  int rank = 0;
  for (int j = 0; j < n; ++j) {
    if (keys[j] < key || (keys[j] == key && j < i)) ++rank;
  }
  sorted[rank] = key;
}

constexpr int kHeadSize = 24;
constexpr int kMaxKeys = 100;
constexpr int kAttentionThreads = 64;

/// Attention of one query per block: scores, their softmax, and the weighted sum of the values.
__global__ void attention_row(const float* queries, const float* keys, const float* values,
                              float* out, int count) {
  __shared__ float query[kHeadSize];
  __shared__ float weights[kMaxKeys];
  __shared__ float partial[kAttentionThreads];
  const int t = threadIdx.x;
  if (t < kHeadSize) query[t] = queries[blockIdx.x * kHeadSize + t];
  __syncthreads();
  float largest = -1e30f;
  for (int j = t; j < count; j += kAttentionThreads) {
    float score = 0.0f;
    for (int d = 0; d < kHeadSize; ++d) score += query[d] * keys[j * kHeadSize + d];
    score *= rsqrtf(static_cast<float>(kHeadSize));
    weights[j] = score;
    largest = fmaxf(largest, score);
  }
  partial[t] = largest;
  __syncthreads();
  for (int reach = kAttentionThreads / 2; reach > 0; reach /= 2) {
    if (t < reach) partial[t] = fmaxf(partial[t], partial[t + reach]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();
  float sum = 0.0f;
  for (int j = t; j < count; j += kAttentionThreads) {
    const float weight = expf(weights[j] - largest);
    weights[j] = weight;
    sum += weight;
  }
  partial[t] = sum;
  __syncthreads();
  for (int reach = kAttentionThreads / 2; reach > 0; reach /= 2) {
    if (t < reach) partial[t] += partial[t + reach];
    __syncthreads();
  }
  if (t < kHeadSize) {
    float mixed = 0.0f;
    for (int j = 0; j < count; ++j) mixed += weights[j] * values[j * kHeadSize + t];
    out[blockIdx.x * kHeadSize + t] = mixed / partial[0];
  }
}

/// Normalises rows of float4, a row per warp.
__global__ void layernorm_rows(const float4* in, const float4* gamma, const float4* beta,
                               float4* out, int rows, int width4) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  float squares = 0.0f;
  for (int i = lane; i < width4; i += 32) {
    const float4 v = in[row * width4 + i];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int mask = 16; mask > 0; mask /= 2) {
    sum += __shfl_xor_sync(kFullMask, sum, mask);
    squares += __shfl_xor_sync(kFullMask, squares, mask);
  }
  const float mean = sum / (4 * width4);
  const float scale = rsqrtf(squares / (4 * width4) - mean * mean + 1e-5f);
  for (int i = lane; i < width4; i += 32) {
    float4 v = in[row * width4 + i];
    const float4 g = gamma[i];
    const float4 b = beta[i];
    v.x = (v.x - mean) * scale * g.x + b.x;
    v.y = (v.y - mean) * scale * g.y + b.y;
    v.z = (v.z - mean) * scale * g.z + b.z;
    v.w = (v.w - mean) * scale * g.w + b.w;
    out[row * width4 + i] = v;
  }
}

struct Point {
  float x, y, z;
};

/// Moves points of three floats, field by field.
__global__ void update_points(Point* points, const Point* velocities, float step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    points[i].x += step * velocities[i].x;
    points[i].y += step * velocities[i].y;
    points[i].z += step * velocities[i].z;
  }
}

struct alignas(16) Particle {
  float x, y, vx, vy;
};

/// Moves aligned particles of four floats, field by field.
__global__ void update_particles(Particle* particles, float step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particles[i].x += step * particles[i].vx;
  particles[i].y += step * particles[i].vy;
  particles[i].vy -= step * 0.5f;
}

struct Record {
  int id, key, count, flags, stamp;
};

/// Copies whole records of five ints in another order and touches one field.
__global__ void copy_records(const Record* in, const int* order, Record* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[order[i]];
    out[i].count += 1;
  }
}

/// Turns pixels of three bytes into grey ones.
__global__ void gray_from_rgb(const uchar3* rgb, unsigned char* gray, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const uchar3 pixel = rgb[i];
  gray[i] = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) >> 8;
}

/// Rotates an image of uchar4 about its centre; what comes from outside is black.
__global__ void rotate_image(const uchar4* in, uchar4* out, int width, int height, float cosine,
                             float sine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float dx = x - 0.5f * width;
  const float dy = y - 0.5f * height;
  const int from_x = static_cast<int>(floorf(cosine * dx + sine * dy + 0.5f * width + 0.5f));
  const int from_y = static_cast<int>(floorf(cosine * dy - sine * dx + 0.5f * height + 0.5f));
  uchar4 pixel = make_uchar4(0, 0, 0, 255);
  if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height) {
    pixel = in[from_y * width + from_x];
  }
  out[y * width + x] = pixel;
}

/// Adds a scaled vector of half2 to another one.
__global__ void half2_axpy(float a, const __half2* x, __half2* y, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

/// Looks values up in a table with cubic interpolation, its coefficients in a local array.
__global__ void cubic_table_lookup(const float* __restrict__ table, const float* __restrict__ in,
                                   float* __restrict__ out, int n, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float place = in[i] * 0.0625f;
  const int cell = min(static_cast<int>(place), cells - 1);
  const float t = place - cell;
  const float weights[4] = {((-0.5f * t + 1.0f) * t - 0.5f) * t, (1.5f * t - 2.5f) * t * t + 1.0f,
                            ((-1.5f * t + 2.0f) * t + 0.5f) * t, (0.5f * t - 0.5f) * t * t};
  float value = 0.0f;
  for (int k = 0; k < 4; ++k) value += weights[k] * table[cell + k];
  out[i] = value;
}

/// Counts the iterations until each point of the plane escapes.
__global__ void mandelbrot(int* iterations, int width, int height, int limit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float cx = -2.1f + 2.9f * column / width;
  const float cy = -1.2f + 2.4f * row / height;
  float x = 0.0f;
  float y = 0.0f;
  int count = 0;
  while (x * x + y * y < 4.0f && count < limit) {
    const float next_x = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next_x;
    ++count;
  }
  iterations[row * width + column] = count;
}

/// Subtracts the pivot's row from the rows below it, as in an LU decomposition.
__global__ void lud_inner_step(float* a, int n, int pivot) {
  const int column = pivot + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int row = pivot + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    const float factor = a[row * n + pivot] / a[pivot * n + pivot];
    a[row * n + column] -= factor * a[pivot * n + column];
  }
}

/// Marks where a pattern occurs in a text; each position stops at its first mismatch.
__global__ void match_pattern(const char* text, int length, const char* pattern, int pattern_length,
                              int* matches) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + pattern_length > length) return;
  int j = 0;
  while (j < pattern_length && text[i + j] == pattern[j]) ++j;
  matches[i] = j == pattern_length;
}

constexpr int kSegment = 160;  // elements per warp

/// Gathers the positions where runs start, with a ballot and one atomic per warp and step.
__global__ void compact_run_heads(const int* values, int* heads, int* counts, int n) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  for (int start = warp * kSegment; start < (warp + 1) * kSegment; start += 32) {
    const int i = start + lane;
    const bool head = i < n && (i == 0 || values[i] != values[i - 1]);
    const unsigned ballot = __ballot_sync(kFullMask, head);
    int offset = 0;
    if (lane == 0 && ballot != 0) offset = atomicAdd(&counts[warp], __popc(ballot));
    offset = __shfl_sync(kFullMask, offset, 0);
    if (head) heads[warp * kSegment + offset + __popc(ballot & ((1u << lane) - 1))] = i;
  }
}

/// One step of the Game of Life on a torus.
__global__ void life_step(const unsigned char* cells, unsigned char* next, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      neighbours += cells[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && cells[y * width + x]);
}

/// Max-pools 3 x 3 windows with a stride of 2, and stores the position of each maximum.
__global__ void max_pool_index(const float* in, float* out, int* places, int width, int height,
                               int out_width, int out_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  float largest = -1e30f;
  int best = -1;
  for (int row = 2 * y; row < min(2 * y + 3, height); ++row) {
    for (int column = 2 * x; column < min(2 * x + 3, width); ++column) {
      const float value = in[row * width + column];
      if (value > largest) {
        largest = value;
        best = row * width + column;
      }
    }
  }
  out[y * out_width + x] = largest;
  places[y * out_width + x] = best;
}

/// Runs a small program per thread with a switch in a loop.
__global__ void opcode_loop(const unsigned char* program, const unsigned* a, const unsigned* b,
                            unsigned* scratch, unsigned* out, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value = i;
  for (int step = 0; step < steps; ++step) {
    switch (program[step * n + i]) {
      case 0:
        value += a[i];
        break;
      case 1:
        value ^= b[value % 256];
        break;
      case 2:
        scratch[i] = value;
        break;
      case 3:
        value = 5 * value + scratch[i];
        break;
      default:
        value >>= 1;
        break;
    }
  }
  out[i] = value;
}

/// Gathers from one of two arrays, with loads on both sides of a branch.
__global__ void branch_gather(const unsigned char* flags, const int* index, const float* a,
                              const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (flags[i]) {
    out[i] = 2.0f * a[index[i]];
  } else {
    out[i] = b[n - 1 - index[i]] + b[i];
  }
}

/// Ranks the nodes of linked lists by walking to the end, which points to itself.
__global__ void list_rank_walk(const int* next, int* ranks, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int node = i;
  int rank = 0;
  while (next[node] != node) {
    node = next[node];
    ++rank;
  }
  ranks[i] = rank;
}

/// Hooks the roots of each edge's ends together, as in connected components by union-find.
__global__ void union_hook(const int2* edges, const int* parents, int* hooks, int* hooked,
                           int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = edges[i].x;
  int b = edges[i].y;
  while (parents[a] != a) a = parents[a];
  while (parents[b] != b) b = parents[b];
  if (a == b) return;
  atomicMin(&hooks[max(a, b)], min(a, b));
  atomicCAS(&hooked[max(a, b)], 0, 1);
}

/// Prints a message and exits if a CUDA call has failed.
void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Returns the next number of a fixed sequence, from 0 to limit - 1.
int next_random(int limit) {
  static unsigned state = 20240607u;
  state = state * 1664525u + 1013904223u;
  return static_cast<int>((state >> 8) % static_cast<unsigned>(limit));
}

/// An array in device memory that converts to the pointer type of a kernel's parameter.
template <typename T>
struct Array {
  /// Fills the array with zeros, or with random integers below the limit.
  explicit Array(int count, int below = 0) : host(count), limit(below) {}
  explicit Array(std::vector<T> values) : host(std::move(values)) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { check(cudaFree(data), "cudaFree"); }

  template <typename U>
  operator U*() const {
    return reinterpret_cast<U*>(data);
  }

  std::size_t bytes() const { return host.size() * sizeof(T); }

  void prepare() {
    if (limit > 0) {
      for (T& value : host) value = static_cast<T>(next_random(limit));
    }
    check(cudaMalloc(&data, bytes()), "cudaMalloc");
    check(cudaMemcpy(data, host.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

  void report(const char*) {}

  std::vector<T> host;
  int limit = 0;
  T* data = nullptr;
};

/// The output array, whose hash or sum is printed.
template <typename T>
struct Out : Array<T> {
  using Array<T>::Array;

  void report(const char* name) {
    std::vector<T>& values = this->host;
    check(cudaMemcpy(values.data(), this->data, this->bytes(), cudaMemcpyDeviceToHost), name);
    if constexpr (std::is_integral_v<T>) {
      std::uint64_t hash = 14695981039346656037ull;
      const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
      for (std::size_t i = 0; i < this->bytes(); ++i) hash = (hash ^ bytes[i]) * 1099511628211ull;
      std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
    } else {
      double sum = 0;
      for (const T& value : values) sum += static_cast<float>(value);
      std::printf("%s %.4e\n", name, sum);
    }
  }
};

/// The launch configuration of a kernel.
struct Shape {
  dim3 grid, block;
  std::size_t shared_bytes = 0;
};

template <typename A>
void prepare(A& argument) {
  if constexpr (std::is_class_v<A>) argument.prepare();
}

template <typename A>
void report(const char* name, A& argument) {
  if constexpr (std::is_class_v<A>) argument.report(name);
}

/// Fills the arrays in order, launches the kernel and prints its line.
template <typename... Parameters, typename... Arguments>
void run(const char* name, void (*kernel)(Parameters...), const Shape& shape,
         Arguments&&... arguments) {
  (prepare(arguments), ...);
  kernel<<<shape.grid, shape.block, shape.shared_bytes>>>(static_cast<Parameters>(arguments)...);
  check(cudaGetLastError(), name);
  check(cudaDeviceSynchronize(), name);
  (report(name, arguments), ...);
}

/// Returns the numbers from 0 to count - 1 in random order.
std::vector<int> random_order(int count) {
  std::vector<int> order(count);
  for (int i = 0; i < count; ++i) order[i] = i;
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[next_random(i + 1)]);
  return order;
}

/// The positions of a sparse matrix's entries, or a graph's edges.
struct Csr {
  std::vector<int> starts;   // first entry of each row, and the end of the last row
  std::vector<int> columns;  // column of each entry
};

/// Returns a random matrix whose rows have 0 to `longest` entries.
Csr random_csr(int rows, int columns, int longest) {
  Csr matrix;
  matrix.starts.push_back(0);
  for (int row = 0; row < rows; ++row) {
    const int length = next_random(longest + 1);
    for (int i = 0; i < length; ++i) matrix.columns.push_back(next_random(columns));
    matrix.starts.push_back(static_cast<int>(matrix.columns.size()));
  }
  return matrix;
}

void run_sums() {
  run("saxpy_grid_stride", saxpy_grid_stride, {8, 128}, 5003, 2.5f, Array<float>(5003, 100),
      Out<float>(5003, 100));
  run("dot_product_tree", dot_product_tree, {10, kDotThreads}, Array<float>(3700, 16),
      Array<float>(3700, 16), Out<float>(10), 3700);
  run("monte_carlo_pi", monte_carlo_pi, {6, 192}, 17u, 25, Out<int>(1));
  run("scan_hillis_steele", scan_hillis_steele, {6, 256, 2 * 256 * sizeof(int)},
      Array<int>(1500, 50), Out<int>(1500), 1500);
  run("scan_blelloch", scan_blelloch, {5, kBlellochThreads}, Array<int>(1251, 50), Out<int>(1251),
      1251);
  run("scan_exclusive_shuffle", scan_exclusive_shuffle, {7, 32 * kScanWarps}, Array<int>(1111, 50),
      Out<int>(1111), Array<int>(7), 1111);
  run("histogram_global", histogram_global, {24, 128}, Array<unsigned char>(3001, 40), 3001,
      Out<unsigned>(256));
  run("histogram_shared", histogram_shared, {6, 96}, Array<unsigned char>(4100, 100), 4100,
      Out<unsigned>(256));
}

void run_planes() {
  run("transpose_naive", transpose_naive, {{3, 5}, {16, 16}}, Array<int>(70 * 45, 1000),
      Out<int>(45 * 70), 70, 45);
  run("transpose_tiled", transpose_tiled, {{3, 3}, {32, 8}}, Array<int>(96 * 80, 1000),
      Out<int>(80 * 96), 96, 80);
  run("transpose_padded", transpose_padded, {{5, 4}, {kTile, kTile}},
      Array<long long>(60 * 75, 1000), Out<long long>(75 * 60), 60, 75);
  run("jacobi_sweep", jacobi_sweep, {{5, 7}, {16, 8}}, Array<double>(66 * 50, 20),
      Array<double>(66 * 50, 4), Out<double>(66 * 50), 66, 50);
  run("stencil5_shared", stencil5_shared, {{5, 4}, {kTile, kTile}}, Array<float>(70 * 54, 64),
      Out<float>(70 * 54), 70, 54);
  run("stencil7_march", stencil7_march, {{2, 5}, {32, 4}}, Array<float>(35 * 18 * 9, 30),
      Out<float>(35 * 18 * 9), 35, 18, 9);
  const float taps[] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
  check(cudaMemcpyToSymbol(blur_taps, taps, sizeof(taps)), "cudaMemcpyToSymbol");
  run("blur_rows", blur_rows, {{3, 20}, 64}, Array<float>(150 * 20, 256), Out<float>(150 * 20), 150,
      20);
  run("conv1d_restrict", conv1d_restrict, {16, 160}, Array<float>(2500, 50), Array<float>(11, 9),
      Out<float>(2500), 2500, 11);
  float filter[kFilterSize * kFilterSize];
  for (float& value : filter) value = next_random(7);
  check(cudaMemcpyToSymbol(plane_filter, filter, sizeof(filter)), "cudaMemcpyToSymbol");
  run("conv2d", conv2d, {{4, 3}, {16, 16}}, Array<float>(61 * 44, 50), Out<float>(61 * 44), 61, 44);
}

void run_matrices() {
  run("matmul_naive", matmul_naive, {{5, 4}, {16, 16}}, Array<float>(50 * 37, 10),
      Array<float>(37 * 70, 10), Out<float>(50 * 70), 50, 70, 37);
  run("matmul_tiled", matmul_tiled, {{5, 4}, {kTile, kTile}}, Array<float>(60 * 50, 10),
      Array<float>(50 * 76, 10), Out<float>(60 * 76), 60, 76, 50);
  run("matmul_register_tile", matmul_register_tile, {{2, 2}, {16, 16}}, Array<float>(128 * 24, 10),
      Array<float>(24 * 128, 10), Out<float>(128 * 128), 128, 24);
  run("matvec_row", matvec_row, {5, 64}, Array<float>(300 * 61, 10), Array<float>(61, 10),
      Out<float>(300), 300, 61);
  const Csr narrow = random_csr(500, 400, 12);
  run("spmv_csr_scalar", spmv_csr_scalar, {4, 128}, Array<int>(narrow.starts),
      Array<int>(narrow.columns), Array<float>(narrow.starts.back(), 10), Array<float>(400, 10),
      Out<float>(500), 500);
  const Csr wide = random_csr(90, 700, 90);
  run("spmv_csr_vector", spmv_csr_vector, {23, 128}, Array<int>(wide.starts),
      Array<int>(wide.columns), Array<float>(wide.starts.back(), 10), Array<float>(700, 10),
      Out<float>(90), 90);
  std::vector<int> columns(450 * 8, -1);
  for (int row = 0; row < 450; ++row) {
    const int length = next_random(9);
    for (int k = 0; k < length; ++k) columns[k * 450 + row] = next_random(400);
  }
  run("spmv_ell", spmv_ell, {5, 96}, Array<int>(columns), Array<float>(450 * 8, 10),
      Array<float>(400, 10), Out<float>(450), 450, 8);
}

void run_points_and_sorts() {
  const int nodes = 900, level = 3;
  const Csr graph = random_csr(nodes, nodes, 9);
  std::vector<unsigned char> frontier(nodes);
  std::vector<int> depths(nodes, -1);
  for (int node = 0; node < nodes; ++node) {
    const int kind = next_random(4);
    if (kind < 2) depths[node] = level - kind;
    frontier[node] = kind == 0;
  }
  run("bfs_step", bfs_step, {8, 128}, Array<int>(graph.starts), Array<int>(graph.columns),
      Array<unsigned char>(frontier), Array<int>(depths), Out<int>(depths), nodes, level);
  run("kmeans_assign", kmeans_assign, {6, 128}, Array<float>(700 * 5, 40), Array<float>(7 * 5, 40),
      Out<int>(700), 700, 7, 5);
  run("nbody_tile", nbody_tile, {4, kBodies}, Array<float>(4 * 230, 50), Out<float>(4 * 230), 230);
  run("red_black_sweep", red_black_sweep, {{3, 12}, {32, 4}}, Out<float>(67 * 50, 40), 67, 50, 1);
  run("bitonic_sort_shared", bitonic_sort_shared, {5, kSortThreads},
      Out<int>(5 * kSortThreads, 10000));
  run("bitonic_step_global", bitonic_step_global, {16, 128}, Out<int>(2048, 10000), 4, 16);
  run("rank_sort", rank_sort, {7, 64}, Array<int>(410, 200), Out<int>(410), 410);
}

void run_rows_and_records() {
  run("attention_row", attention_row, {18, kAttentionThreads}, Array<float>(18 * kHeadSize, 3),
      Array<float>(90 * kHeadSize, 3), Array<float>(90 * kHeadSize, 20), Out<float>(18 * kHeadSize),
      90);
  run("layernorm_rows", layernorm_rows, {10, 128}, Array<float>(37 * 200, 30), Array<float>(200, 3),
      Array<float>(200, 20), Out<float>(37 * 200), 37, 50);
  run("update_points", update_points, {10, 128}, Out<float>(3 * 1200, 90),
      Array<float>(3 * 1200, 10), 0.5f, 1200);
  run("update_particles", update_particles, {12, 96}, Out<float>(4 * 1100, 60), 0.25f, 1100);
  run("copy_records", copy_records, {7, 128}, Array<int>(5 * 800, 1000),
      Array<int>(random_order(800)), Out<int>(5 * 800), 800);
  run("gray_from_rgb", gray_from_rgb, {12, 256}, Array<unsigned char>(3 * 2867, 256),
      Out<unsigned char>(2867), 2867);
  run("rotate_image", rotate_image, {{4, 3}, {16, 16}}, Array<unsigned char>(4 * 60 * 45, 256),
      Out<unsigned char>(4 * 60 * 45), 60, 45, 0.87758256f, 0.47942554f);
  run("half2_axpy", half2_axpy, {11, 128}, 3.0f, Array<__half>(2 * 1300, 20),
      Out<__half>(2 * 1300, 20), 1300);
  run("cubic_table_lookup", cubic_table_lookup, {14, 128}, Array<float>(63, 90),
      Array<float>(1700, 16 * 60), Out<float>(1700), 1700, 60);
}

void run_irregular() {
  run("mandelbrot", mandelbrot, {{4, 6}, {16, 8}}, Out<int>(62 * 45), 62, 45, 30);
  std::vector<float> matrix(60 * 60);
  for (float& value : matrix) value = next_random(10);
  matrix[5 * 60 + 5] = 100.0f;  // the pivot
  run("lud_inner_step", lud_inner_step, {{4, 4}, {16, 16}}, Out<float>(matrix), 60, 5);
  run("match_pattern", match_pattern, {24, 128}, Array<char>(3000, 2), 3000, Array<char>(6, 2), 6,
      Out<int>(3000));
  run("compact_run_heads", compact_run_heads, {5, 128}, Array<int>(3010, 3),
      Out<int>(20 * kSegment), Array<int>(20), 3010);
  run("life_step", life_step, {{5, 4}, {16, 16}}, Array<unsigned char>(70 * 50, 2),
      Out<unsigned char>(70 * 50), 70, 50);
  run("max_pool_index", max_pool_index, {{3, 4}, {16, 8}}, Array<float>(76 * 60, 100),
      Array<float>(38 * 30), Out<int>(38 * 30), 76, 60, 38, 30);
  run("opcode_loop", opcode_loop, {8, 64}, Array<unsigned char>(12 * 500, 5),
      Array<unsigned>(500, 1000), Array<unsigned>(256, 1000), Array<unsigned>(500),
      Out<unsigned>(500), 500, 12);
  run("branch_gather", branch_gather, {11, 128}, Array<unsigned char>(1400, 2),
      Array<int>(random_order(1400)), Array<float>(1400, 50), Array<float>(1400, 50),
      Out<float>(1400), 1400);
  const std::vector<int> order = random_order(700);
  std::vector<int> next(700);
  for (int i = 0; i < 700; ++i) {
    const bool last = i == 699 || next_random(9) == 0;
    next[order[i]] = last ? order[i] : order[i + 1];
  }
  run("list_rank_walk", list_rank_walk, {8, 96}, Array<int>(next), Out<int>(700), 700);
  std::vector<int> parents(600), hooks(600);
  for (int i = 0; i < 600; ++i) {
    parents[i] = next_random(3) == 0 ? i : i / 2 + next_random(i - i / 2 + 1);
    hooks[i] = i;
  }
  run("union_hook", union_hook, {7, 128}, Array<int>(2 * 800, 600), Array<int>(parents),
      Out<int>(hooks), Array<int>(600), 800);
}

int main() {
  run_sums();
  run_planes();
  run_matrices();
  run_points_and_sorts();
  run_rows_and_records();
  run_irregular();
  return 0;
}
