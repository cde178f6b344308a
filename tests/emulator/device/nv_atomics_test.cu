// nvcc's own atomics, __nv_atomic_...: what they return and leave, for the types that nvcc takes.
#include <cstdint>
#include <cstring>
#include <limits>

#include "device_array.hpp"

namespace {

constexpr unsigned kThreads = 192;
constexpr unsigned kBlocks = 16;

/// Each operation once. Those that return the old value work on the first half of the words, those
/// that return nothing on the second half.
template <class T>
__global__ void change_bits(T* words, T* old, T b) {
  old[0] = __nv_atomic_fetch_and(words + 0, b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  old[1] = __nv_atomic_fetch_or(words + 1, b, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_CLUSTER);
  old[2] = __nv_atomic_fetch_xor(words + 2, b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  old[3] = __nv_atomic_fetch_min(words + 3, b, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  old[4] = __nv_atomic_fetch_max(words + 4, b, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_and(words + 5, b, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(words + 6, b, __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_THREAD);
  __nv_atomic_xor(words + 7, b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_min(words + 8, b, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(words + 9, b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

template <class T>
__global__ void change_sum(T* words, T* old, T b) {
  old[0] = __nv_atomic_fetch_add(words + 0, b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  old[1] = __nv_atomic_fetch_sub(words + 1, b, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(words + 2, b, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_sub(words + 3, b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

/// Loads, stores and exchanges of numbers: `a` is in all words, and in `seen` what was found.
template <class T>
__global__ void move_numbers(T* words, T* seen, T a, T b) {
  seen[0] = __nv_atomic_exchange_n(words + 0, b, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  seen[1] = a;
  seen[2] = __nv_atomic_compare_exchange_n(words + 1, seen + 1, b, false, __NV_ATOMIC_ACQ_REL,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)
                ? a
                : b;
  seen[3] = b;  // another value than the word's
  seen[4] = __nv_atomic_compare_exchange_n(words + 2, seen + 3, b, true, __NV_ATOMIC_SEQ_CST,
                                           __NV_ATOMIC_ACQUIRE)
                ? b
                : a;
}

template <class T>
__global__ void load_and_store(T* words, T* seen, T b) {
  seen[0] = __nv_atomic_load_n(words + 0, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  seen[1] = __nv_atomic_load_n(words + 0, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_store_n(words + 1, b, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store_n(words + 2, b, __NV_ATOMIC_RELAXED);
}

template <class T>
void check_bits(T a, T b) {
  CAPTURE(a);
  CAPTURE(b);
  DeviceArray<T> words(10), old(5);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = a;
  change_bits<T><<<1, 1>>>(words.data(), old.data(), b);
  require_finished();
  for (std::size_t i = 0; i < old.size(); ++i) CHECK(old[i] == a);
  const T expected[] = {static_cast<T>(a & b), static_cast<T>(a | b), static_cast<T>(a ^ b),
                        b < a ? b : a, a < b ? b : a};
  for (std::size_t i = 0; i < words.size(); ++i) {
    CAPTURE(i);
    CHECK(words[i] == expected[i % 5]);
  }
}

template <class T>
void check_sum(T a, T b, T sum, T difference) {
  CAPTURE(a);
  CAPTURE(b);
  DeviceArray<T> words(4), old(2);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = a;
  change_sum<T><<<1, 1>>>(words.data(), old.data(), b);
  require_finished();
  for (std::size_t i = 0; i < old.size(); ++i) CHECK(old[i] == a);
  for (std::size_t i = 0; i < words.size(); ++i) {
    CAPTURE(i);
    CHECK(words[i] == (i % 2 == 0 ? sum : difference));
  }
}

template <class T>
void check_moves(T a, T b) {
  DeviceArray<T> words(3), seen(5);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = a;
  move_numbers<T><<<1, 1>>>(words.data(), seen.data(), a, b);
  require_finished();
  CHECK(words[0] == b);
  CHECK(words[1] == b);
  CHECK(words[2] == a);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CAPTURE(i);
    CHECK(seen[i] == a);  // also where another value was expected: it is told what was there
  }
}

template <class T>
void check_load_and_store(T a, T b) {
  DeviceArray<T> words(3), seen(2);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = a;
  load_and_store<T><<<1, 1>>>(words.data(), seen.data(), b);
  require_finished();
  CHECK(seen[0] == a);
  CHECK(seen[1] == a);
  CHECK(words[0] == a);
  CHECK(words[1] == b);
  CHECK(words[2] == b);
}

template <std::size_t bytes>
struct alignas(bytes) Object {
  unsigned char byte[bytes];
};

/// The generic forms: objects go through pointers, and only their size counts.
template <class T>
__global__ void move_objects(T* words, T* seen, T a, T b) {
  __nv_atomic_load(words + 0, seen + 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store(words + 1, &b, __NV_ATOMIC_RELEASE);
  if constexpr (sizeof(T) >= 4)
    __nv_atomic_exchange(words + 2, &b, seen + 1, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  if constexpr (sizeof(T) >= 2) {
    T expected = a;
    const bool first =
        __nv_atomic_compare_exchange(words + 3, &expected, &b, false, __NV_ATOMIC_RELEASE,
                                     __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    const bool again = __nv_atomic_compare_exchange(words + 3, &expected, &b, false,
                                                    __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    if (first && !again) seen[2] = expected;
  }
}

template <class T>
void check_objects(T a, T b) {
  CAPTURE(sizeof(T));
  const auto equal = [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) == 0; };
  DeviceArray<T> words(4), seen(3);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = a;
  move_objects<T><<<1, 1>>>(words.data(), seen.data(), a, b);
  require_finished();
  CHECK(equal(seen[0], a));
  CHECK(equal(words[0], a));
  CHECK(equal(words[1], b));
  CHECK(equal(words[2], sizeof(T) >= 4 ? b : a));
  CHECK(equal(words[3], sizeof(T) >= 2 ? b : a));
  if (sizeof(T) >= 4) CHECK(equal(seen[1], a));
  if (sizeof(T) >= 2) CHECK(equal(seen[2], b));
}

template <std::size_t bytes>
Object<bytes> object(unsigned char first) {
  Object<bytes> result;
  for (unsigned char& byte : result.byte) byte = first += 37;
  return result;
}

__global__ void compare_zeros(float* word, int* results) {
  float expected = 0.0f, desired = 1.0f;
  results[0] = __nv_atomic_compare_exchange(word, &expected, &desired, false, __NV_ATOMIC_RELAXED,
                                            __NV_ATOMIC_RELAXED);
  results[1] = __float_as_int(expected);
  expected = -0.0f;
  results[2] = __nv_atomic_compare_exchange(word, &expected, &desired, false, __NV_ATOMIC_RELAXED,
                                            __NV_ATOMIC_RELAXED);
}

/// All threads of all blocks count, in global and in shared memory, with every scope.
__global__ void count_up(unsigned* counters, unsigned char* seen) {
  __shared__ unsigned own;
  if (threadIdx.x == 0) __nv_atomic_store_n(&own, 0u, __NV_ATOMIC_RELAXED);
  __syncthreads();
  seen[__nv_atomic_fetch_add(counters, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)] = 1;
  __nv_atomic_fetch_add(counters + 1, 2u, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_add(&own, 3u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __syncthreads();
  if (threadIdx.x == 0)
    __nv_atomic_add(counters + 2, __nv_atomic_load_n(&own, __NV_ATOMIC_RELAXED),
                    __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

/// A lock that a thread waits for while its neighbour in the warp holds it.
__global__ void locked_sum(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    int expected = 0;
    if (__nv_atomic_compare_exchange_n(lock, &expected, 1, true, __NV_ATOMIC_ACQUIRE,
                                       __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
      *sum += 1;
      __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
      done = true;
    }
  }
}

/// Block 1 waits for what block 0 has written.
__global__ void hand_over(int* data, int* flag, int* received) {
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    *received = *data;
  }
}

}  // namespace

TEST_CASE("operations on bits and on the larger and the smaller number") {
  for (const int a : {0, 1, -1, 12345, std::numeric_limits<int>::min()})
    for (const int b : {0, -1, -777, std::numeric_limits<int>::max()}) check_bits(a, b);
  for (const unsigned a : {0u, 1u, 0x80000000u, 0xffffffffu})
    for (const unsigned b : {2u, 0x7fffffffu, 0xffffffffu}) check_bits(a, b);
  for (const long long a : {0ll, -5'000'000'000ll, std::numeric_limits<long long>::min()})
    for (const long long b : {7ll, -1ll, 1ll << 40}) check_bits(a, b);
  for (const unsigned long long a : {1ull, 1ull << 63, ~0ull})
    for (const unsigned long long b : {0ull, 1ull << 40, ~0ull}) check_bits(a, b);
  check_bits(-3l, 5l);
  check_bits(3ul, ~5ul);
}

TEST_CASE("sums and differences wrap, or round once") {
  constexpr int kLowest = std::numeric_limits<int>::min(),
                kHighest = std::numeric_limits<int>::max();
  check_sum(5, -7, -2, 12);
  check_sum(kHighest, 1, kLowest, kHighest - 1);
  check_sum(kLowest, kLowest, 0, 0);
  check_sum(1u, 2u, 3u, ~0u);
  check_sum(1ull, 1ull << 63, (1ull << 63) + 1, (1ull << 63) + 1);
  check_sum(1ul, 3ul, 4ul, ~0ul - 1);
  check_sum(1.0f, 0x1.8p-24f, 1 + 0x1p-23f, 1 - 0x1p-23f);
  check_sum(0.5f, -0.25f, 0.25f, 0.75f);
  check_sum(1.0, 0x1.8p-53, 1 + 0x1p-52, 1 - 0x1p-52);
}

TEST_CASE("exchanges, and comparisons that find their value or another one") {
  check_moves(3, -4);
  check_moves(3u, ~4u);
  check_moves(-1ll, 1ll << 40);
  check_moves(1ull, ~0ull);
  check_moves(7l, 8l);
}

TEST_CASE("loads and stores of integers of every size") {
  check_load_and_store(static_cast<std::uint8_t>(200), static_cast<std::uint8_t>(3));
  check_load_and_store(static_cast<std::int16_t>(-200), static_cast<std::int16_t>(3));
  check_load_and_store(-5, 6);
  check_load_and_store(1ull << 40, ~0ull);
}

TEST_CASE("the generic forms move objects of every size") {
  check_objects(object<1>(1), object<1>(100));
  check_objects(object<2>(1), object<2>(100));
  check_objects(object<4>(1), object<4>(100));
  check_objects(object<8>(1), object<8>(100));
  check_objects(object<16>(1), object<16>(100));
  check_objects(1.5f, -2.5f);
  check_objects(1.5, -2.5);
  check_objects(make_float2(1, 2), make_float2(3, 4));
}

TEST_CASE("comparisons are of bits: 0 is not -0") {
  DeviceArray<float> word(1);
  DeviceArray<int> results(3);
  word[0] = -0.0f;
  compare_zeros<<<1, 1>>>(word.data(), results.data());
  require_finished();
  CHECK(results[0] == 0);
  CHECK(results[1] == std::numeric_limits<int>::min());  // -0's bits
  CHECK(results[2] == 1);
  CHECK(word[0] == 1.0f);
}

TEST_CASE("no increment is lost, and no two threads see the same count") {
  constexpr unsigned kAll = kThreads * kBlocks;
  DeviceArray<unsigned> counters(3);
  DeviceArray<unsigned char> seen(kAll);
  for (std::size_t i = 0; i < counters.size(); ++i) counters[i] = 0;
  for (std::size_t i = 0; i < kAll; ++i) seen[i] = 0;
  count_up<<<kBlocks, kThreads>>>(counters.data(), seen.data());
  require_finished();
  CHECK(counters[0] == kAll);
  CHECK(counters[1] == 2 * kAll);
  CHECK(counters[2] == 3 * kAll);
  unsigned distinct = 0;
  for (std::size_t i = 0; i < kAll; ++i) distinct += seen[i];
  CHECK(distinct == kAll);
}

TEST_CASE("a lane that waits for a lock lets its neighbours run") {
  DeviceArray<int> lock(1), sum(1);
  lock[0] = sum[0] = 0;
  locked_sum<<<4, 64>>>(lock.data(), sum.data());
  require_finished();
  CHECK(sum[0] == 256);
}

TEST_CASE("a block waits for another block's flag") {
  DeviceArray<int> data(1), flag(1), received(1);
  flag[0] = 0;
  hand_over<<<2, 1>>>(data.data(), flag.data(), received.data());
  require_finished();
  CHECK(received[0] == 42);
}
