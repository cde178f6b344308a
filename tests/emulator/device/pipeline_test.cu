// Tests copies from global to shared memory that bypass registers.
#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/ptx>

#include "device_array.hpp"

namespace {

constexpr int kThreads = 64;

template <int kBytes>
__global__ void copy_pieces(const unsigned char* in, unsigned char* out, int zeros) {
  __shared__ alignas(16) unsigned char staged[kThreads * 16];
  const unsigned offset = threadIdx.x * kBytes;
  __pipeline_memcpy_async(staged + offset, in + offset, kBytes, static_cast<size_t>(zeros));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kThreads * kBytes; i += kThreads) out[i] = staged[i];
}

template <int kBytes>
void check_pieces() {
  DeviceArray<unsigned char> in(kThreads * kBytes), out(kThreads * kBytes);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 7 + 1);
  for (const int zeros : {0, 1, 3, kBytes / 2, kBytes}) {
    CAPTURE(zeros);
    copy_pieces<kBytes><<<1, kThreads>>>(in.data(), out.data(), zeros);
    require_finished();
    bool equal = true;
    for (int i = 0; i < kThreads * kBytes; ++i)
      equal &= out[static_cast<std::size_t>(i)] ==
               (i % kBytes < kBytes - zeros ? in[static_cast<std::size_t>(i)] : 0);
    CHECK(equal);
  }
}

// Two stages: the next tile is copied while the current one is added up.
__global__ void two_stages(const float4* in, float* out, int tiles) {
  __shared__ float4 staged[2][kThreads];
  const auto fetch = [&](int tile) {
    if (tile < tiles)
      __pipeline_memcpy_async(&staged[tile % 2][threadIdx.x],
                              in + tile * kThreads + static_cast<int>(threadIdx.x), sizeof(float4));
    __pipeline_commit();
  };
  fetch(0);
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 v = staged[tile % 2][kThreads - 1 - threadIdx.x];
    sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Each thread copies an element of every tile and arrives when its copies have completed; threads
// wait only at the barriers.
__global__ void arriving_copies(const float* in, float* out, int tiles) {
  namespace ptx = cuda::ptx;
  constexpr int kStages = 2;
  __shared__ float staged[kStages][kThreads];
  __shared__ std::uint64_t full[kStages];
  if (threadIdx.x == 0)
    for (std::uint64_t& barrier : full) ptx::mbarrier_init(&barrier, std::uint32_t{kThreads});
  __syncthreads();
  const auto fetch = [&](int tile) {
    if (tile >= tiles) return;
    const int i = tile * kThreads + static_cast<int>(threadIdx.x);
    __pipeline_memcpy_async(&staged[tile % kStages][threadIdx.x], in + i, sizeof(float));
    ptx::cp_async_mbarrier_arrive_noinc(&full[tile % kStages]);
  };
  fetch(0);
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    const auto parity = static_cast<std::uint32_t>(tile / kStages % 2);
    while (!ptx::mbarrier_try_wait_parity(&full[tile % kStages], parity)) {
    }
    sum = 2 * sum + staged[tile % kStages][kThreads - 1 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void with_the_class(const double2* in, const int* small, double2* out, int* small_out) {
  namespace pipe = nvcuda::experimental;
  __shared__ double2 staged[kThreads];
  __shared__ int padded[kThreads][4];
  pipe::pipeline copies;
  pipe::memcpy_async(staged[threadIdx.x], in[threadIdx.x], copies);
  const size_t batch = copies.commit();
  pipe::memcpy_async(pipe::segment<4>(padded[threadIdx.x]),
                     pipe::segment<2>(small + 4 * threadIdx.x), copies);
  copies.commit_and_wait();
  copies.wait(batch);
  copies.wait_prior<0>();
  __syncthreads();
  out[threadIdx.x] = staged[kThreads - 1 - threadIdx.x];
  for (int i = 0; i < 4; ++i)
    small_out[4 * threadIdx.x + static_cast<unsigned>(i)] = padded[threadIdx.x][i];
}

}  // namespace

TEST_CASE("pieces of 4, 8 and 16 bytes, and the zeros at their ends") {
  check_pieces<4>();
  check_pieces<8>();
  check_pieces<16>();
}

TEST_CASE("two stages overlap") {
  constexpr int kTiles = 5;
  DeviceArray<float4> in(kTiles * kThreads);
  DeviceArray<float> out(kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const float base = static_cast<float>(i % 37);
    in[i] = {base, base + 1, base + 2, base + 3};
  }
  two_stages<<<1, kThreads>>>(in.data(), out.data(), kTiles);
  require_finished();
  for (int thread = 0; thread < kThreads; ++thread) {
    float sum = 0;
    for (int tile = 0; tile < kTiles; ++tile) {
      const float4 v = in[static_cast<std::size_t>(tile * kThreads + kThreads - 1 - thread)];
      sum += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    }
    CHECK(out[static_cast<std::size_t>(thread)] == sum);
  }
}

TEST_CASE("copies arrive at an mbarrier") {
  constexpr int kTiles = 7;
  DeviceArray<float> in(kTiles * kThreads), out(kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 31);
  arriving_copies<<<1, kThreads>>>(in.data(), out.data(), kTiles);
  require_finished();
  for (int thread = 0; thread < kThreads; ++thread) {
    float sum = 0;
    for (int tile = 0; tile < kTiles; ++tile)
      sum = 2 * sum + in[static_cast<std::size_t>((tile + 1) * kThreads - 1 - thread)];
    CHECK(out[static_cast<std::size_t>(thread)] == sum);
  }
}

TEST_CASE("the class counts batches and pads with zeros") {
  DeviceArray<double2> in(kThreads), out(kThreads);
  DeviceArray<int> small(4 * kThreads), small_out(4 * kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) {
    in[i] = {static_cast<double>(i), -static_cast<double>(i)};
    small[4 * i] = static_cast<int>(i);
    small[4 * i + 1] = -1;
  }
  with_the_class<<<1, kThreads>>>(in.data(), small.data(), out.data(), small_out.data());
  require_finished();
  for (std::size_t i = 0; i < kThreads; ++i) {
    CHECK(out[i].y == -static_cast<double>(kThreads - 1 - i));
    CHECK(small_out[4 * i] == static_cast<int>(i));
    CHECK(small_out[4 * i + 1] == -1);
    CHECK(small_out[4 * i + 2] == 0);
    CHECK(small_out[4 * i + 3] == 0);
  }
}
