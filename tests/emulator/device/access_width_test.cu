// Tests how many requests the engine counts for the device library's loads, stores, copies and
// atomics.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdint>
#include <cuda/ptx>

#include "device_array.hpp"
#include "emulator/counters.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 64;  // two warps

__global__ void copy_float4(const float4* in, float4* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void fill_float4(float4* out, float s) { out[threadIdx.x] = {s, s, s, s}; }
__global__ void make_vector(float4* out, float s) { out[threadIdx.x] = make_float4(s, s, s, s); }
__global__ void scale_float2(const float2* in, float2* out) {
  const float2 v = in[threadIdx.x];
  out[threadIdx.x] = float2{v.x * 2, v.y * 3};
}
__global__ void copy_float3(const float3* in, float3* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void cached(const double2* in, double2* out) {
  __stcs(out + threadIdx.x, __ldg(in + threadIdx.x));
  __stcg(out + kThreads + threadIdx.x, __ldcs(in + threadIdx.x));
}
/// What hints for caches, profilers and the compiler ask for changes neither values nor requests.
__global__ void hinted(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  __prof_trigger(1);
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(in) : "memory");
  const int a = __ldca(in + i), b = __ldcv(in + i + kThreads), c = __ldlu(in + i + 2 * kThreads);
  __assume(a >= 0);
  __stwb(out + i, a + 3 * b + 5 * c);
  asm volatile("griddepcontrol.launch_dependents;");
}
__global__ void bytes_of_words(const uchar4* in, uchar4* out) {
  uchar4 v = in[threadIdx.x];
  v.x = static_cast<unsigned char>(v.y + 1);
  out[threadIdx.x] = v;
}
__global__ void staged(const float4* in, float4* out) {
  __shared__ float4 tile[kThreads];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void staged_by_group(const float* in, float* out) {
  __shared__ alignas(16) float tile[4 * kThreads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, reinterpret_cast<float4*>(tile), reinterpret_cast<const float4*>(in),
                   sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void staged_in_bulk(const float4* in, float4* out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) float4 tile[kThreads];
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   std::uint32_t{sizeof tile});
    for (unsigned half = 0; half < 2; ++half)
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + half * kThreads / 2,
                         in + half * kThreads / 2, std::uint32_t{sizeof tile / 2}, &barrier);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
  }
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void add_to_one(int* sum) { atomicAdd(sum, 1); }
__global__ void add_to_own(float* sums) {
  if (threadIdx.x % 2 == 0)
    atomicAdd(sums + threadIdx.x, 1.0f);
  else
    atomicAdd(sums + threadIdx.x, 2.0f);
}
__global__ void add_in_shared(unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1u);
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}
__global__ void only_registers(float* out) {
  float4 v = {1, 2, 3, 4};
  v = make_float4(v.w, v.z, v.y, v.x);
  v.x = __shfl_xor_sync(0xffffffffu, v.x, 1) + norm4df(v.x, v.y, v.z, v.w);
  if (v.x < 0) *out = v.y;
}

template <class Launch>
emu::Counters counted(const Launch& launch) {
  launch();
  require_finished();
  REQUIRE(emu::last_launch() != nullptr);
  return emu::last_launch()->counters;
}

}  // namespace

TEST_CASE("a vector is one request a warp, however it is written") {
  DeviceArray<float4> in(kThreads), out(kThreads);
  auto counters = counted([&] { copy_float4<<<1, kThreads>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_load.sectors == 32);
  CHECK(counters.global_store.requests == 2);
  counters = counted([&] { fill_float4<<<1, kThreads>>>(out.data(), 3); });
  CHECK(counters.global_store.requests == 2);
  CHECK(counters.global_store.bytes == kThreads * 16);
  CHECK(out[5].z == 3);
  counters = counted([&] { make_vector<<<1, kThreads>>>(out.data(), 4); });
  CHECK(counters.global_store.requests == 2);

  DeviceArray<float2> pairs(kThreads), scaled(kThreads);
  counters = counted([&] { scale_float2<<<1, kThreads>>>(pairs.data(), scaled.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_store.requests == 2);

  DeviceArray<uchar4> words(kThreads), changed(kThreads);
  counters = counted([&] { bytes_of_words<<<1, kThreads>>>(words.data(), changed.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_store.requests == 2);
}

TEST_CASE("a vector of 12 bytes is three requests") {
  DeviceArray<float3> in(kThreads), out(kThreads);
  const auto counters = counted([&] { copy_float3<<<1, kThreads>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 6);
  CHECK(counters.global_store.requests == 6);
}

TEST_CASE("loads and stores with a cache hint are single requests") {
  DeviceArray<double2> in(kThreads), out(2 * kThreads);
  const auto counters = counted([&] { cached<<<1, kThreads>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 4);
  CHECK(counters.global_store.requests == 4);

  DeviceArray<int> numbers(3 * kThreads), sums(kThreads);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * i);
  const auto of_hints = counted([&] { hinted<<<1, kThreads>>>(numbers.data(), sums.data()); });
  CHECK(of_hints.global_load.requests == 6);
  CHECK(of_hints.global_store.requests == 2);
  for (std::size_t i = 0; i < sums.size(); ++i)
    CHECK(sums[i] == numbers[i] + 3 * numbers[i + kThreads] + 5 * numbers[i + 2 * kThreads]);
}

TEST_CASE("a copy to shared memory is one global load and one shared store") {
  DeviceArray<float4> in(kThreads), out(kThreads);
  auto counters = counted([&] { staged<<<1, kThreads>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.shared_store.requests == 2);
  CHECK(counters.shared_load.requests == 2);
  CHECK(counters.global_store.requests == 2);

  DeviceArray<float> floats(4 * kThreads), first(kThreads);
  for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i);
  counters = counted([&] { staged_by_group<<<1, kThreads>>>(floats.data(), first.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.shared_store.requests == 2);
  CHECK(first[63] == 63);
}

TEST_CASE("a bulk copy is no access of a lane, nor is an mbarrier") {
  DeviceArray<float4> in(kThreads), out(kThreads);
  in[kThreads - 1] = {1, 2, 3, 4};
  const auto counters = counted([&] { staged_in_bulk<<<1, kThreads>>>(in.data(), out.data()); });
  CHECK(out[kThreads - 1].w == 4);
  CHECK(counters.global_load.requests == 0);
  CHECK(counters.shared_store.requests == 0);
  CHECK(counters.shared_atomic.requests == 0);
  CHECK(counters.shared_load.requests == 2);
  CHECK(counters.global_store.requests == 2);
  CHECK(counters.bulk.copies == 2);
  CHECK(counters.bulk.bytes == kThreads * sizeof(float4));
}

TEST_CASE("atomics are counted apart, one request for each call in the source") {
  DeviceArray<int> sum(1);
  sum[0] = 0;
  auto counters = counted([&] { add_to_one<<<1, kThreads>>>(sum.data()); });
  CHECK(counters.global_atomic.requests == 2);
  CHECK(counters.global_load.requests == 0);
  CHECK(counters.global_store.requests == 0);
  CHECK(sum[0] == static_cast<int>(kThreads));

  DeviceArray<float> sums(kThreads);
  for (std::size_t i = 0; i < kThreads; ++i) sums[i] = 0;
  counters = counted([&] { add_to_own<<<1, kThreads>>>(sums.data()); });
  CHECK(counters.global_atomic.requests == 4);
  CHECK(sums[63] == 2);

  DeviceArray<unsigned> total(1);
  counters = counted([&] { add_in_shared<<<1, kThreads>>>(total.data()); });
  CHECK(counters.shared_atomic.requests == 2);
  CHECK(counters.global_atomic.requests == 0);
  CHECK(total[0] == kThreads);
}

TEST_CASE("what stays in registers is not counted") {
  DeviceArray<float> out(1);
  const auto counters = counted([&] { only_registers<<<1, kThreads>>>(out.data()); });
  CHECK(counters.global_load.requests + counters.global_store.requests +
            counters.shared_load.requests + counters.shared_store.requests ==
        0);
}
