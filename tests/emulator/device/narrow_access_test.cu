// Tests half, bfloat16 and 8-bit floats in kernels: the requests that the engine counts, atomics,
// and communication between lanes.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "device_array.hpp"
#include "emulator/counters.h"

namespace {

[[maybe_unused]] const bool counts = (emu::set_counting(true), true);

namespace cg = cooperative_groups;

constexpr unsigned kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

template <class T>
__global__ void copy(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
template <class T>
__global__ void add(const T* a, const T* b, T* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
template <class T>
__global__ void scale_in_place(T* out, T factor) {
  out[threadIdx.x] *= factor;
}
template <class T>
__global__ void cached(const T* in, T* out) {
  __stcs(out + threadIdx.x, __ldg(in + threadIdx.x));
  __stwt(out + kLanes + threadIdx.x, __ldcg(in + threadIdx.x));
}
__global__ void widen(const __half* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void narrow_down(const float* in, __nv_bfloat16* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void add_pairs(const __half2* a, const __half2* b, __half2* out) {
  out[threadIdx.x] = __hfma2(a[threadIdx.x], b[threadIdx.x], __float2half2_rn(1));
}
__global__ void make_pairs(const float* in, __half2* out) {
  out[threadIdx.x] = __floats2half2_rn(in[threadIdx.x], 1.0f);
}
__global__ void one_of_each_pair(const __half2* in, __half* out) {
  out[threadIdx.x] = in[threadIdx.x].y;
}
__global__ void eight_at_a_time(const __half* in, __half* out) {
  float4 eight = reinterpret_cast<const float4*>(in)[threadIdx.x];
  auto* const pairs = reinterpret_cast<__half2*>(&eight);
  for (int i = 0; i < 4; ++i) pairs[i] = __hadd2(pairs[i], pairs[i]);
  reinterpret_cast<float4*>(out)[threadIdx.x] = eight;
}
__global__ void through_shared(const __half* in, __half* out) {
  __shared__ __half tile[kLanes];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[kLanes - 1 - threadIdx.x];
}
__global__ void to_eight_bits(const float* in, __nv_fp8_e4m3* one, __nv_fp8x4_e5m2* four) {
  one[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x]);
  four[threadIdx.x] = __nv_fp8x4_e5m2(float4{1, 2, 3, 4});
}

template <class Launch>
emu::Counters counted(const Launch& launch) {
  launch();
  require_finished();
  REQUIRE(emu::last_launch() != nullptr);
  return emu::last_launch()->counters;
}

/// Loads and stores neighbouring `T`s by one warp: one request each.
template <class T>
void check_copy(unsigned sectors) {
  DeviceArray<T> in(kLanes), out(kLanes);
  const auto counters = counted([&] { copy<<<1, kLanes>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 1);
  CHECK(counters.global_load.sectors == sectors);
  CHECK(counters.global_load.bytes == kLanes * sizeof(T));
  CHECK(counters.global_store.requests == 1);
  CHECK(counters.global_store.sectors == sectors);
}

template <class T>
void check_arithmetic() {
  DeviceArray<T> a(kLanes), b(kLanes), out(2 * kLanes);
  auto counters = counted([&] { add<<<1, kLanes>>>(a.data(), b.data(), out.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_store.requests == 1);
  counters = counted([&] { scale_in_place<<<1, kLanes>>>(out.data(), T{}); });
  CHECK(counters.global_load.requests == 1);
  CHECK(counters.global_store.requests == 1);
  counters = counted([&] { cached<<<1, kLanes>>>(a.data(), out.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_store.requests == 2);
}

}  // namespace

TEST_CASE("neighbouring numbers of 16 bits are one request of 2 sectors, pairs one of 4") {
  check_copy<__half>(2);
  check_copy<__nv_bfloat16>(2);
  check_copy<__half2>(4);
  check_copy<__nv_bfloat162>(4);
  check_copy<__nv_fp8_e4m3>(1);
  check_copy<__nv_fp8x2_e5m2>(2);
  check_copy<__nv_fp8x4_e4m3>(4);
}

TEST_CASE("operators and cached accesses load and store each number once") {
  check_arithmetic<__half>();
  check_arithmetic<__nv_bfloat16>();
  check_arithmetic<__half2>();
  check_arithmetic<__nv_bfloat162>();
}

TEST_CASE("a conversion loads and stores what it converts, once") {
  DeviceArray<__half> halves(kLanes);
  DeviceArray<__nv_bfloat16> brains(kLanes);
  DeviceArray<float> floats(kLanes);
  auto counters = counted([&] { widen<<<1, kLanes>>>(halves.data(), floats.data()); });
  CHECK(counters.global_load.requests == 1);
  CHECK(counters.global_load.sectors == 2);
  CHECK(counters.global_store.sectors == 4);
  counters = counted([&] { narrow_down<<<1, kLanes>>>(floats.data(), brains.data()); });
  CHECK(counters.global_load.sectors == 4);
  CHECK(counters.global_store.requests == 1);
  CHECK(counters.global_store.sectors == 2);

  DeviceArray<__nv_fp8_e4m3> one(kLanes);
  DeviceArray<__nv_fp8x4_e5m2> four(kLanes);
  counters = counted([&] { to_eight_bits<<<1, kLanes>>>(floats.data(), one.data(), four.data()); });
  CHECK(counters.global_store.requests == 2);
  CHECK(counters.global_store.sectors == 1 + 4);
}

TEST_CASE("pairs are loaded and stored whole, however they are made") {
  DeviceArray<__half2> a(kLanes), b(kLanes), out(kLanes);
  DeviceArray<__half> halves(kLanes);
  DeviceArray<float> floats(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) {
    a[i] = __half2(static_cast<int>(i), 2);
    b[i] = __half2(3, 4);
    floats[i] = static_cast<float>(i);
  }
  auto counters = counted([&] { add_pairs<<<1, kLanes>>>(a.data(), b.data(), out.data()); });
  CHECK(counters.global_load.requests == 2);
  CHECK(counters.global_load.sectors == 8);
  CHECK(counters.global_store.requests == 1);
  CHECK(__low2float(out[5]) == 16);
  CHECK(__high2float(out[5]) == 9);
  counters = counted([&] { make_pairs<<<1, kLanes>>>(floats.data(), out.data()); });
  CHECK(counters.global_store.requests == 1);
  CHECK(counters.global_store.sectors == 4);
  CHECK(out[7] == __half2(7, 1));
  counters = counted([&] { one_of_each_pair<<<1, kLanes>>>(a.data(), halves.data()); });
  CHECK(counters.global_load.requests == 1);
  CHECK(counters.global_load.bytes == kLanes * sizeof(__half));
  CHECK(counters.global_load.sectors == 4);
}

TEST_CASE("eight halves travel as one float4") {
  DeviceArray<__half> in(8 * kLanes), out(8 * kLanes);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  const auto counters = counted([&] { eight_at_a_time<<<1, kLanes>>>(in.data(), out.data()); });
  CHECK(counters.global_load.requests == 1);
  CHECK(counters.global_load.sectors == 16);
  CHECK(counters.global_store.requests == 1);
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(static_cast<int>(out[i]) == 2 * i);
}

TEST_CASE("two neighbouring halves share a word of shared memory: no conflict") {
  DeviceArray<__half> in(kLanes), out(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) in[i] = static_cast<int>(i);
  const auto counters = counted([&] { through_shared<<<1, kLanes>>>(in.data(), out.data()); });
  CHECK(counters.shared_store.requests == 1);
  CHECK(counters.shared_store.wavefronts == 1);
  CHECK(counters.shared_load.wavefronts == 1);
  CHECK(static_cast<int>(out[0]) == kLanes - 1);
}

// ----------------------------------------------------------------------------------- atomics

namespace {

template <class T>
__global__ void sum_up(T* sum, T value) {
  atomicAdd(sum, value);
}
template <class T>
__global__ void sum_of_own(T* sums, T* old) {
  old[threadIdx.x] = atomicAdd(sums + threadIdx.x, T(1.5f));
}
// How programs did this before atomicAdd supported halves.
__global__ void maximum_by_swapping(__half* maximum) {
  auto* const word = reinterpret_cast<unsigned short*>(maximum);
  unsigned short seen = *word;
  const __half mine = static_cast<int>(threadIdx.x + blockIdx.x);
  while (__hgt(mine, __ushort_as_half(seen))) {
    const unsigned short before = seen;
    seen = atomicCAS(word, before, __half_as_ushort(mine));
    if (seen == before) break;
  }
}

constexpr unsigned kBlocks = 8;

template <class T>
void check_atomics() {
  DeviceArray<T> sum(1);
  sum[0] = 0;
  sum_up<<<kBlocks, kLanes>>>(sum.data(), T(0.25f));  // every partial sum is exact
  require_finished();
  CHECK(static_cast<float>(sum[0]) == kBlocks * kLanes * 0.25f);

  DeviceArray<T> sums(kLanes), old(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) sums[i] = static_cast<int>(i);
  const auto counters = counted([&] { sum_of_own<<<1, kLanes>>>(sums.data(), old.data()); });
  CHECK(counters.global_atomic.requests == 1);
  CHECK(counters.global_atomic.bytes == kLanes * sizeof(T));
  CHECK(counters.global_load.requests == 0);
  for (std::size_t i = 0; i < kLanes; ++i) {
    CHECK(old[i] == T(static_cast<int>(i)));
    CHECK(static_cast<float>(sums[i]) == static_cast<float>(i) + 1.5f);
  }
}

template <class Pair, class Number>
void check_pair_atomics() {
  DeviceArray<Pair> sum(1);
  sum[0] = Pair(Number(0), Number(0));
  sum_up<<<kBlocks, kLanes>>>(sum.data(), Pair(Number(0.25f), Number(-0.5f)));
  require_finished();
  CHECK(__low2float(sum[0]) == kBlocks * kLanes * 0.25f);
  CHECK(__high2float(sum[0]) == kBlocks * kLanes * -0.5f);
  const auto counters =
      counted([&] { sum_up<<<1, kLanes>>>(sum.data(), Pair(Number(1), Number(1))); });
  CHECK(counters.global_atomic.requests == 1);
  CHECK(counters.global_atomic.bytes == sizeof(Pair));
}

}  // namespace

TEST_CASE("no sum of halves and bfloat16s is lost, and each is one atomic request") {
  check_atomics<__half>();
  check_pair_atomics<__half2, __half>();
  check_pair_atomics<__nv_bfloat162, __nv_bfloat16>();

  // 256 quarters: as many as 8 bits of mantissa can count.
  check_atomics<__nv_bfloat16>();
}

TEST_CASE("a half's word can be swapped") {
  DeviceArray<__half> maximum(1);
  maximum[0] = -1;
  maximum_by_swapping<<<kBlocks, kLanes>>>(maximum.data());
  require_finished();
  CHECK(static_cast<int>(maximum[0]) == kLanes - 1 + kBlocks - 1);
}

// ------------------------------------------------------------------------------------ shuffles

namespace {

template <class T>
__global__ void shuffles(T* out) {
  const T mine = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = __shfl_sync(kAllLanes, mine, 3);
  out[kLanes + threadIdx.x] = __shfl_up_sync(kAllLanes, mine, 1);
  out[2 * kLanes + threadIdx.x] = __shfl_down_sync(kAllLanes, mine, 2, 16);
  out[3 * kLanes + threadIdx.x] = __shfl_xor_sync(kAllLanes, mine, 5);
}
template <class Pair, class Number>
__global__ void pair_shuffles(Pair* out) {
  const Number mine = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = __shfl_xor_sync(kAllLanes, Pair(mine, -mine), 1);
  out[kLanes + threadIdx.x] = __shfl_down_sync(kAllLanes, Pair(-mine, mine), 31);
}
template <class T>
__global__ void reductions(T* out) {
  T sum = static_cast<int>(threadIdx.x);
  for (int distance = 16; distance > 0; distance /= 2)
    sum = __hadd(sum, __shfl_xor_sync(kAllLanes, sum, distance));
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const T largest = cg::reduce(tile, T(static_cast<int>(threadIdx.x)), cg::greater<T>());
  out[threadIdx.x] = threadIdx.x == 0 ? sum : largest;
}

template <class T>
void check_shuffles() {
  DeviceArray<T> out(4 * kLanes);
  shuffles<<<1, kLanes>>>(out.data());
  require_finished();
  for (std::size_t i = 0; i < kLanes; ++i) {
    CHECK(static_cast<unsigned>(out[i]) == 3);
    CHECK(static_cast<unsigned>(out[kLanes + i]) == (i == 0 ? 0 : i - 1));
    CHECK(static_cast<unsigned>(out[2 * kLanes + i]) == (i % 16 < 14 ? i + 2 : i));
    CHECK(static_cast<unsigned>(out[3 * kLanes + i]) == (i ^ 5));
  }
  reductions<<<1, kLanes>>>(out.data());
  require_finished();
  CHECK(static_cast<float>(out[0]) == 496);  // 0 + ... + 31, and exact in 8 bits
  CHECK(static_cast<float>(out[1]) == 7);
  CHECK(static_cast<float>(out[31]) == 31);
}

template <class Pair, class Number>
void check_pair_shuffles() {
  DeviceArray<Pair> out(2 * kLanes);
  pair_shuffles<Pair, Number><<<1, kLanes>>>(out.data());
  require_finished();
  CHECK(out[6] == Pair(Number(7), Number(-7)));
  CHECK(out[kLanes] == Pair(Number(-31), Number(31)));
}

}  // namespace

TEST_CASE("lanes pass each other halves, bfloat16s and pairs of them") {
  check_shuffles<__half>();
  check_shuffles<__nv_bfloat16>();
  check_pair_shuffles<__half2, __half>();
  check_pair_shuffles<__nv_bfloat162, __nv_bfloat16>();
}

// --------------------------------------------------------------------------------- mistakes

namespace {

__global__ void pair_at_odd_half(__half* numbers) {
  *reinterpret_cast<__half2*>(numbers + 1) = __float2half2_rn(1);
}

}  // namespace

TEST_CASE("a pair at an odd half is misaligned, as on a GPU") {
  __half* numbers = nullptr;
  REQUIRE(cudaMalloc(&numbers, 4 * sizeof *numbers) == cudaSuccess);
  pair_at_odd_half<<<1, 1>>>(numbers);
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
