// Measures the cost of counting and checking, relative to plain C++ with the same arithmetic.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <vector>

#include "emulator/check.h"
#include "emulator/counters.h"
#include "measure.hpp"
#include "plain.hpp"

namespace {

constexpr int kElements = 1 << 22;
constexpr int kOffset = 11;
constexpr int kThreads = 512;
constexpr int kEdge = 512;
constexpr int kTile = 32;

__global__ void read_offset(const float* a, const float* b, float* c, int n, int offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned k = i + static_cast<unsigned>(offset);
  if (k < static_cast<unsigned>(n)) c[i] = a[k] + b[k];
}

__global__ void sgemm_naive(int m, int n, int k, const float* A, const float* B, float* C) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int col = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}

__global__ void sgemm_tiled(int n, const float* A, const float* B, float* C) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kTile + y,
            col = static_cast<int>(blockIdx.x) * kTile + x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += kTile) {
    tile_a[y][x] = A[row * n + first + x];
    tile_b[y][x] = B[(first + y) * n + col];
    __syncthreads();
    for (int p = 0; p < kTile; ++p) sum += tile_a[y][p] * tile_b[p][x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__global__ void warp_sums(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}

void compare(const char* name, const std::function<void()>& launch,
             const std::function<void()>& plain) {
  emu::set_counting(false);
  const double without_ms = milliseconds(launch);
  emu::set_counting(true);
  const double with_ms = milliseconds(launch);
  emu::set_checking(emu::kAllChecks);
  const double checked_ms = milliseconds(launch);
  emu::set_checking({});
  cudaDeviceSynchronize();  // otherwise the next kernel's accesses would be attributed to the host
  const double plain_ms = milliseconds(plain);
  std::printf("%-24s %9.1f %9.1f %9.1f %9.1f %9.2f %9.2f %9.2f\n", name, plain_ms, without_ms,
              with_ms, checked_ms, without_ms / plain_ms, with_ms / plain_ms, checked_ms / with_ms);
}

}  // namespace

void measure_counting() {
  std::vector<float> a(kElements), b(kElements), c(kElements);
  for (int i = 0; i < kElements; ++i) {
    a[i] = static_cast<float>(i % 97);
    b[i] = static_cast<float>(i % 89);
  }
  float* const device_a = device_copy(a);
  float* const device_b = device_copy(b);
  float* const device_c = device_copy(c);

  std::printf("%-24s %9s %9s %9s %9s %9s %9s %9s\n", "median of 7, ms", "plain", "uncounted",
              "counted", "checked", "unc/plain", "cnt/plain", "chk/cnt");
  compare(
      "offset read, 4 Mi",
      [&] {
        read_offset<<<kElements / kThreads, kThreads>>>(device_a, device_b, device_c, kElements,
                                                        kOffset);
      },
      [&] { plain::read_offset(a.data(), b.data(), c.data(), kElements, kOffset); });
  const dim3 grid(kEdge / kTile, kEdge / kTile), block(kTile, kTile);
  const auto plain_sgemm = [&] { plain::sgemm(kEdge, kEdge, kEdge, a.data(), b.data(), c.data()); };
  compare(
      "naive SGEMM, 512",
      [&] { sgemm_naive<<<grid, block>>>(kEdge, kEdge, kEdge, device_a, device_b, device_c); },
      plain_sgemm);
  compare(
      "tiled SGEMM, 512",
      [&] { sgemm_tiled<<<grid, block>>>(kEdge, device_a, device_b, device_c); }, plain_sgemm);
  compare(
      "warp sums, 4 Mi", [&] { warp_sums<<<kElements / kThreads, kThreads>>>(device_a, device_c); },
      [&] {
        for (int first = 0; first < kElements; first += 32) {
          float sum = 0.0f;
          for (int i = 0; i < 32; ++i) sum += a[static_cast<std::size_t>(first + i)];
          c[static_cast<std::size_t>(first / 32)] = sum;
        }
      });
}
