// Tests atomic operations of every type: return values, effects, and that no update is lost.
#include <cstdint>
#include <limits>
#include <vector>

#include "device_array.hpp"

namespace {

constexpr unsigned kThreads = 192;
constexpr unsigned kBlocks = 16;

// All threads of all blocks count in the same few words; `old` records the values returned.
template <class T>
__global__ void count_up(T* counter, unsigned char* seen) {
  const T old = atomicAdd(counter, T{1});
  seen[static_cast<unsigned>(old)] = 1;
  atomicAdd_block(counter + 1, T{2});
  atomicAdd_system(counter + 2, T{3});
}

template <class T>
void check_count() {
  constexpr unsigned kAll = kThreads * kBlocks;
  DeviceArray<T> counters(3);
  DeviceArray<unsigned char> seen(kAll);
  for (std::size_t i = 0; i < 3; ++i) counters[i] = T{0};
  for (std::size_t i = 0; i < kAll; ++i) seen[i] = 0;
  count_up<<<kBlocks, kThreads>>>(counters.data(), seen.data());
  require_finished();
  CHECK(counters[0] == T{kAll});
  CHECK(counters[2] == T{3 * kAll});
  unsigned distinct = 0;
  for (std::size_t i = 0; i < kAll; ++i) distinct += seen[i];
  CHECK(distinct == kAll);
}

// Checks each operation's effect and return value in one thread.
template <class T>
__global__ void each_once(T* words, T* old, T a, T b) {
  old[0] = atomicExch(words + 0, b);
  if constexpr (sizeof(T) == 4) {
    old[1] = atomicSub(words + 1, b);
  } else {
    words[1] -= b;
    old[1] = a;
  }
  old[2] = atomicMin(words + 2, b);
  old[3] = atomicMax(words + 3, b);
  old[4] = atomicAnd(words + 4, b);
  old[5] = atomicOr(words + 5, b);
  old[6] = atomicXor(words + 6, b);
  old[7] = atomicCAS(words + 7, a, b);
  old[8] = atomicCAS(words + 8, b, T{0});
  old[9] = atomicAdd(words + 9, b);
}

template <class T>
void check_each(T a, T b) {
  CAPTURE(a);
  CAPTURE(b);
  DeviceArray<T> words(10), old(10);
  for (std::size_t i = 0; i < 10; ++i) words[i] = a;
  each_once<T><<<1, 1>>>(words.data(), old.data(), a, b);
  require_finished();
  for (std::size_t i = 0; i < 10; ++i) CHECK(old[i] == a);
  CHECK(words[0] == b);
  CHECK(words[1] == static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)));
  CHECK(words[2] == (b < a ? b : a));
  CHECK(words[3] == (a < b ? b : a));
  CHECK(words[4] == (a & b));
  CHECK(words[5] == (a | b));
  CHECK(words[6] == (a ^ b));
  CHECK(words[7] == b);
  CHECK(words[8] == (a == b ? T{0} : a));
  CHECK(words[9] == static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)));
}

__global__ void signed_64(long long* words, long long* old, long long b) {
  old[0] = atomicMin(words + 0, b);
  old[1] = atomicMax(words + 1, b);
  old[2] = atomicAnd_block(words + 2, b);
  old[3] = atomicOr_system(words + 3, b);
  old[4] = atomicXor(words + 4, b);
}

// With a scope, the operations return and leave what they do without one.
__global__ void each_of_block(unsigned* words, unsigned* old, unsigned a, unsigned b) {
  old[0] = atomicExch_block(words + 0, b);
  old[1] = atomicSub_block(words + 1, b);
  old[2] = atomicMin_block(words + 2, b);
  old[3] = atomicMax_block(words + 3, b);
  old[4] = atomicAnd_block(words + 4, b);
  old[5] = atomicOr_block(words + 5, b);
  old[6] = atomicXor_block(words + 6, b);
  old[7] = atomicAdd_block(words + 7, b);
  old[8] = atomicInc_block(words + 8, b);
  old[9] = atomicDec_block(words + 9, b);
  old[10] = atomicCAS_block(words + 10, a, b);
  old[11] = atomicCAS_block(words + 11, a + 1, b);
}
__global__ void each_of_system(unsigned* words, unsigned* old, unsigned a, unsigned b) {
  old[0] = atomicExch_system(words + 0, b);
  old[1] = atomicSub_system(words + 1, b);
  old[2] = atomicMin_system(words + 2, b);
  old[3] = atomicMax_system(words + 3, b);
  old[4] = atomicAnd_system(words + 4, b);
  old[5] = atomicOr_system(words + 5, b);
  old[6] = atomicXor_system(words + 6, b);
  old[7] = atomicAdd_system(words + 7, b);
  old[8] = atomicInc_system(words + 8, b);
  old[9] = atomicDec_system(words + 9, b);
  old[10] = atomicCAS_system(words + 10, a, b);
  old[11] = atomicCAS_system(words + 11, a + 1, b);
}

__global__ void wrap_around(unsigned* words, unsigned* old) {
  for (int i = 0; i < 5; ++i) old[i] = atomicInc(words, 3);
  for (int i = 0; i < 5; ++i) old[5 + i] = atomicDec(words + 1, 3);
  old[10] = atomicInc(words + 2, 3);  // above the limit
  old[11] = atomicDec(words + 3, 3);
}

__global__ void floating(float* single, double* wide, float* exchanged, float2* pair,
                         float4* quad) {
  atomicAdd(single, 0.25f);
  atomicAdd(wide, 0.125);
  if (threadIdx.x == 0) *exchanged = atomicExch(exchanged + 1, 2.5f);
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
  atomicAdd(pair, make_float2(1, -1));
  atomicAdd(quad, make_float4(1, 2, 3, 4));
#endif
}

__global__ void halves(unsigned short* words, unsigned short* old) {
  old[0] = atomicCAS(words, static_cast<unsigned short>(7), static_cast<unsigned short>(9));
  old[1] = atomicCAS(words + 1, static_cast<unsigned short>(7), static_cast<unsigned short>(9));
}

#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
#define HAS_16_BYTES 1
#endif
struct alignas(16) Pair {
  unsigned long long low, high;
};
__global__ void sixteen_bytes(Pair* words, Pair* old) {
#ifdef HAS_16_BYTES
  old[0] = atomicExch(words, Pair{3, 4});
  old[1] = atomicCAS(words + 1, Pair{1, 2}, Pair{5, 6});
  old[2] = atomicCAS(words + 2, Pair{1, 3}, Pair{5, 6});
#endif
}

// A thread waits for a lock that its neighbour in the warp holds.
__global__ void locked_sum(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *static_cast<volatile int*>(sum) = *static_cast<volatile int*>(sum) + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void histogram(const unsigned char* data, unsigned count, unsigned* bins) {
  __shared__ unsigned own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&own[data[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

}  // namespace

TEST_CASE("no increment is lost, and no two threads see the same count") {
  SUBCASE("int") { check_count<int>(); }
  SUBCASE("unsigned") { check_count<unsigned>(); }
  SUBCASE("unsigned long long") { check_count<unsigned long long>(); }
  SUBCASE("float") { check_count<float>(); }
  SUBCASE("double") { check_count<double>(); }
}

TEST_CASE("integer operations on the edges of their types") {
  constexpr int kLowest = std::numeric_limits<int>::min(),
                kHighest = std::numeric_limits<int>::max();
  for (const int a : {0, 1, -1, 12345, kLowest, kHighest})
    for (const int b : {0, 1, -1, -777, kLowest, kHighest}) check_each<int>(a, b);
  for (const unsigned a : {0u, 1u, 0x80000000u, 0xffffffffu})
    for (const unsigned b : {0u, 2u, 0x7fffffffu, 0xffffffffu}) check_each<unsigned>(a, b);
  for (const unsigned long long a : {0ull, 1ull, 0x8000000000000000ull, ~0ull})
    for (const unsigned long long b : {0ull, 1ull << 40, ~0ull})
      check_each<unsigned long long>(a, b);
}

TEST_CASE("signed 64-bit operations") {
  DeviceArray<long long> words(5), old(5);
  constexpr long long kA = -5'000'000'000, kB = 7;
  for (std::size_t i = 0; i < 5; ++i) words[i] = kA;
  signed_64<<<1, 1>>>(words.data(), old.data(), kB);
  require_finished();
  for (std::size_t i = 0; i < 5; ++i) CHECK(old[i] == kA);
  CHECK(words[0] == kA);
  CHECK(words[1] == kB);
  CHECK(words[2] == (kA & kB));
  CHECK(words[3] == (kA | kB));
  CHECK(words[4] == (kA ^ kB));
}

TEST_CASE("operations of a block and of the system") {
  constexpr std::size_t kOperations = 12;
  for (const auto kernel : {each_of_block, each_of_system})
    for (const unsigned a : {0u, 5u, 0xfffffff0u})
      for (const unsigned b : {1u, 5u, 0x80000001u}) {
        CAPTURE(a);
        CAPTURE(b);
        DeviceArray<unsigned> words(kOperations), old(kOperations);
        for (std::size_t i = 0; i < kOperations; ++i) words[i] = a;
        kernel<<<1, 1>>>(words.data(), old.data(), a, b);
        require_finished();
        const unsigned expected[kOperations] = {
            b,     a - b, b < a ? b : a, a < b ? b : a,      a & b,
            a | b, a ^ b, a + b,         a >= b ? 0 : a + 1, a == 0 || a > b ? b : a - 1,
            b,     a};
        for (std::size_t i = 0; i < kOperations; ++i) {
          CAPTURE(i);
          CHECK(old[i] == a);
          CHECK(words[i] == expected[i]);
        }
      }
}

TEST_CASE("atomicInc and atomicDec wrap at the limit") {
  DeviceArray<unsigned> words(4), old(12);
  const unsigned start[] = {0, 2, 9, 9};
  for (std::size_t i = 0; i < 4; ++i) words[i] = start[i];
  wrap_around<<<1, 1>>>(words.data(), old.data());
  require_finished();
  const unsigned expected[] = {0, 1, 2, 3, 0, 2, 1, 0, 3, 2, 9, 9};
  for (std::size_t i = 0; i < 12; ++i) CHECK(old[i] == expected[i]);
  CHECK(words[0] == 1);
  CHECK(words[1] == 1);
  CHECK(words[2] == 0);
  CHECK(words[3] == 3);
}

TEST_CASE("floating-point sums and exchanges") {
  DeviceArray<float> single(1), exchanged(2);
  DeviceArray<double> wide(1);
  DeviceArray<float2> pair(1);
  DeviceArray<float4> quad(1);
  single[0] = 0;
  wide[0] = 0;
  exchanged[1] = 1.5f;
  pair[0] = {0, 0};
  quad[0] = {0, 0, 0, 0};
  floating<<<2, 64>>>(single.data(), wide.data(), exchanged.data(), pair.data(), quad.data());
  require_finished();
  CHECK(single[0] == 32.0f);
  CHECK(wide[0] == 16.0);
  CHECK(exchanged[1] == 2.5f);
  CHECK(pair[0].x == 128);
  CHECK(pair[0].y == -128);
  CHECK(quad[0].z == 384);
}

TEST_CASE("compare-and-swap of 2 and of 16 bytes") {
  DeviceArray<unsigned short> words(2), old(2);
  words[0] = 7;
  words[1] = 8;
  halves<<<1, 1>>>(words.data(), old.data());
  require_finished();
  CHECK(words[0] == 9);
  CHECK(words[1] == 8);
  CHECK(old[0] == 7);
  CHECK(old[1] == 8);

  DeviceArray<Pair> pairs(3), before(3);
  for (std::size_t i = 0; i < 3; ++i) pairs[i] = {1, 2};
  sixteen_bytes<<<1, 1>>>(pairs.data(), before.data());
  require_finished();
  CHECK(pairs[0].high == 4);
  CHECK(pairs[1].low == 5);
  CHECK(pairs[2].low == 1);
  for (std::size_t i = 0; i < 3; ++i) CHECK(before[i].high == 2);
}

TEST_CASE("a lane that waits for a lock lets its neighbours run") {
  DeviceArray<int> lock(1), sum(1);
  lock[0] = sum[0] = 0;
  locked_sum<<<4, 64>>>(lock.data(), sum.data());
  require_finished();
  CHECK(sum[0] == 256);
}

TEST_CASE("a histogram in shared memory counts everything once") {
  constexpr unsigned kCount = 10'000;
  DeviceArray<unsigned char> data(kCount);
  DeviceArray<unsigned> bins(16);
  std::vector<unsigned> expected(16);
  for (std::size_t i = 0; i < 16; ++i) bins[i] = 0;
  for (std::size_t i = 0; i < kCount; ++i)
    ++expected[(data[i] = static_cast<unsigned char>(i * i >> 3)) % 16];
  histogram<<<7, 96>>>(data.data(), kCount, bins.data());
  require_finished();
  for (std::size_t i = 0; i < 16; ++i) CHECK(bins[i] == expected[i]);
}
