// Measures the time of kernels without counting, relative to OpenMP.
#include <cmath>
#include <cstdio>

#include "emulator/counters.h"
#include "measure.hpp"
#include "openmp.hpp"

namespace {

constexpr int kElements = 1 << 22;
constexpr int kThreads = 256;
constexpr int kEdge = 512, kImage = 2048;
constexpr int kTile = 32;
constexpr int kBins = 256;
constexpr float kRate = 0.02f, kVolatility = 0.3f;

__global__ void sum(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void sgemm_naive(int n, const float* A, const float* B, float* C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float total = 0.0f;
  for (int p = 0; p < n; ++p) total += A[row * n + p] * B[p * n + col];
  C[row * n + col] = total;
}

__global__ void sgemm_tiled(int n, const float* A, const float* B, float* C) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float total = 0.0f;
  for (int first = 0; first < n; first += kTile) {
    tile_a[y][x] = A[row * n + first + x];
    tile_b[y][x] = B[(first + y) * n + col];
    __syncthreads();
    for (int p = 0; p < kTile; ++p) total += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  C[row * n + col] = total;
}

__global__ void reduce(const float* in, float* sums) {
  __shared__ float of_thread[kThreads];
  const unsigned t = threadIdx.x;
  const float* const of = in + blockIdx.x * 4 * kThreads;
  of_thread[t] = of[t] + of[t + kThreads] + of[t + 2 * kThreads] + of[t + 3 * kThreads];
  __syncthreads();
  for (unsigned k = kThreads / 2; k > 0; k /= 2) {
    if (t < k) of_thread[t] += of_thread[t + k];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = of_thread[0];
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, row = blockIdx.y * kTile, col = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) tile[y][x] = in[(row + y) * n + col + x];
  __syncthreads();
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) out[(col + y) * n + row + x] = tile[x][y];
}

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[kBins];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__device__ float normal(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

__global__ void black_scholes(const float* price, const float* strike, const float* years,
                              float* call, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float root = kVolatility * sqrtf(years[i]);
  const float d1 =
      (logf(price[i] / strike[i]) + (kRate + 0.5f * kVolatility * kVolatility) * years[i]) / root;
  call[i] = price[i] * normal(d1) - strike[i] * expf(-kRate * years[i]) * normal(d1 - root);
}

__global__ void stencil(const float* in, float* out, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < 1 || col < 1 || row >= n - 1 || col >= n - 1) return;
  const float* const here = in + row * n + col;
  out[row * n + col] = 0.2f * (here[0] + here[-1] + here[1] + here[-n] + here[n]);
}

/// Runs both alternately, so that noise affects both.
void print_ratio(const char* name, const std::function<void()>& launch,
                 const std::function<void()>& with_openmp) {
  launch();
  with_openmp();
  std::vector<double> ours, theirs, ratios;
  for (int run = 0; run < kRuns; ++run) {
    ours.push_back(milliseconds_once(launch));
    theirs.push_back(milliseconds_once(with_openmp));
    ratios.push_back(ours.back() / theirs.back());
  }
  std::printf("%-28s %9.2f %9.2f %9.2f\n", name, median(theirs), median(ours), median(ratios));
}

/// Returns whether the device's results equal the host's except for rounding.
template <class T>
int is_wrong(const char* name, const T* device, const std::vector<T>& host, std::size_t count) {
  constexpr double kTolerance = 1e-4;
  std::vector<T> results(count);
  cudaMemcpy(results.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = static_cast<double>(host[i]);
    if (std::abs(static_cast<double>(results[i]) - wanted) <= kTolerance * (1 + std::abs(wanted)))
      continue;
    std::printf("%s: element %zu is wrong\n", name, i);
    return 1;
  }
  return 0;
}

}  // namespace

int measure_quick() {
  emu::set_counting(false);
  std::vector<float> a(kElements), b(kElements), c(kElements), out(kElements);
  std::vector<unsigned char> bytes(kElements);
  for (int i = 0; i < kElements; ++i) {
    a[i] = 1.0f + static_cast<float>(i % 97) / 97;
    b[i] = 1.0f + static_cast<float>(i % 89) / 89;
    c[i] = 0.5f + static_cast<float>(i % 7);
    bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  }
  float *const in_a = device_copy(a), *const in_b = device_copy(b), *const in_c = device_copy(c);
  float* const result = device_copy(out);
  unsigned char* const in_bytes = device_copy(bytes);
  std::vector<unsigned> counts(kBins);
  unsigned* const bins = device_copy(counts);
  int wrong = 0;

  std::printf("%-28s %9s %9s %9s\n", "median of 7, ms", "OpenMP", "uncounted", "ratio");
  const int blocks = kElements / kThreads;
  print_ratio(
      "sum, 4 Mi", [&] { sum<<<blocks, kThreads>>>(in_a, in_b, result, kElements); },
      [&] { openmp::sum(a.data(), b.data(), out.data(), kElements); });
  wrong += is_wrong("sum", result, out, kElements);

  const dim3 grid(kEdge / kTile, kEdge / kTile), block(kTile, kTile);
  const auto naive = [&] { sgemm_naive<<<grid, block>>>(kEdge, in_a, in_b, result); };
  print_ratio("naive SGEMM, 512", naive,
              [&] { openmp::sgemm_by_element(kEdge, a.data(), b.data(), out.data()); });
  wrong += is_wrong("naive SGEMM", result, out, kEdge * kEdge);
  print_ratio("... against 32 lanes", naive,
              [&] { openmp::sgemm_by_lanes(kEdge, a.data(), b.data(), out.data()); });
  wrong += is_wrong("naive SGEMM by lanes", result, out, kEdge * kEdge);
  print_ratio(
      "tiled SGEMM, 512", [&] { sgemm_tiled<<<grid, block>>>(kEdge, in_a, in_b, result); },
      [&] { openmp::sgemm_by_tiles(kEdge, a.data(), b.data(), out.data()); });
  wrong += is_wrong("tiled SGEMM", result, out, kEdge * kEdge);

  print_ratio(
      "reduction, 4 Mi", [&] { reduce<<<blocks / 4, kThreads>>>(in_a, result); },
      [&] { openmp::reduce(a.data(), out.data(), blocks / 4, 4 * kThreads); });
  wrong += is_wrong("reduction", result, out, blocks / 4);

  const dim3 image_grid(kImage / kTile, kImage / kTile), rows(kTile, 8);
  print_ratio(
      "transpose, 2048", [&] { transpose<<<image_grid, rows>>>(in_a, result, kImage); },
      [&] { openmp::transpose(a.data(), out.data(), kImage); });
  wrong += is_wrong("transpose", result, out, kElements);

  print_ratio(
      "histogram, 4 Mi bytes",
      [&] {
        cudaMemset(bins, 0, kBins * sizeof(unsigned));
        histogram<<<blocks / 64, kBins>>>(in_bytes, bins, kElements);
      },
      [&] {
        counts.assign(kBins, 0);
        openmp::histogram(bytes.data(), counts.data(), kElements);
      });
  wrong += is_wrong("histogram", bins, counts, kBins);

  print_ratio(
      "BlackScholes, 4 Mi",
      [&] { black_scholes<<<blocks, kThreads>>>(in_a, in_b, in_c, result, kElements); },
      [&] { openmp::black_scholes(a.data(), b.data(), c.data(), out.data(), kElements); });
  wrong += is_wrong("BlackScholes", result, out, kElements);

  cudaMemset(result, 0, kElements * sizeof(float));
  out.assign(kElements, 0.0f);
  const dim3 points(kTile, 8), point_grid(kImage / kTile, kImage / 8);
  print_ratio(
      "stencil, 2048", [&] { stencil<<<point_grid, points>>>(in_a, result, kImage); },
      [&] { openmp::stencil(a.data(), out.data(), kImage); });
  wrong += is_wrong("stencil", result, out, kElements);
  for (void* pointer :
       {static_cast<void*>(in_a), static_cast<void*>(in_b), static_cast<void*>(in_c),
        static_cast<void*>(result), static_cast<void*>(in_bytes), static_cast<void*>(bins)})
    cudaFree(pointer);
  return wrong;
}
