// Tests shuffles, votes, matches, reductions and barriers against the expected value of each lane.
#include <nv/target>

#include <bit>
#include <cstdint>

#include "device_array.hpp"

namespace {

constexpr int kLanes = 32;
constexpr unsigned kAll = 0xffffffffu;

enum class Shuffle { index, up, down, exclusive_or };

// Returns a value of any type that identifies its lane.
template <class T>
__host__ __device__ T value_of(int lane) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<T>(lane + 1) * static_cast<T>(0x100000001ll));
  else
    return static_cast<T>(lane * 3 - 5);
}

template <class T>
__global__ void shuffle_all(Shuffle shuffle, int operand, int width, T* out) {
  const int lane = static_cast<int>(threadIdx.x);
  const T value = value_of<T>(lane);
  switch (shuffle) {
    case Shuffle::index:
      out[lane] = __shfl_sync(kAll, value, operand + lane / 3, width);
      break;
    case Shuffle::up:
      out[lane] = __shfl_up_sync(kAll, value, static_cast<unsigned>(operand), width);
      break;
    case Shuffle::down:
      out[lane] = __shfl_down_sync(kAll, value, static_cast<unsigned>(operand), width);
      break;
    case Shuffle::exclusive_or:
      out[lane] = __shfl_xor_sync(kAll, value, operand, width);
      break;
  }
}

int source_of(Shuffle shuffle, int lane, int operand, int width) {
  const int first = lane / width * width;
  switch (shuffle) {
    case Shuffle::index:
      return first + (operand + lane / 3) % width;
    case Shuffle::up:
      return lane - operand < first ? lane : lane - operand;
    case Shuffle::down:
      return lane + operand >= first + width ? lane : lane + operand;
    default:
      return (lane ^ operand) >= first + width ? lane : lane ^ operand;
  }
}

template <class T>
void check_shuffles() {
  for (const Shuffle shuffle : {Shuffle::index, Shuffle::up, Shuffle::down, Shuffle::exclusive_or})
    for (const int width : {32, 16, 8, 4, 2, 1})
      for (const int operand : {0, 1, 2, 5, 16, 31}) {
        CAPTURE(static_cast<int>(shuffle));
        CAPTURE(width);
        CAPTURE(operand);
        DeviceArray<T> out(kLanes);
        shuffle_all<<<1, kLanes>>>(shuffle, operand, width, out.data());
        require_finished();
        for (int lane = 0; lane < kLanes; ++lane) {
          CAPTURE(lane);
          CHECK(out[static_cast<std::size_t>(lane)] ==
                value_of<T>(source_of(shuffle, lane, operand, width)));
        }
      }
}

__global__ void shuffle_defaults(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_sync(kAll, lane * lane, 7);  // whole warp
  out[kLanes + lane] =
      __shfl_sync(kAll, static_cast<short>(-lane), lane + 33);  // the lane modulo 32
  out[2 * kLanes + lane] = __shfl_xor_sync(kAll, lane, 1) + __shfl_down_sync(kAll, true, 1);
}

__global__ void sum_by_shuffle(const float* in, float* out) {
  float sum = in[threadIdx.x];
  for (int delta = kLanes / 2; delta > 0; delta /= 2) sum += __shfl_down_sync(kAll, sum, delta);
  if (threadIdx.x == 0) *out = sum;
}

// Two halves of a warp, each with its own mask.
__global__ void shuffle_in_halves(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane < kLanes / 2)
    out[lane] = __shfl_sync(0x0000ffffu, lane, 3);
  else
    out[lane] = __shfl_sync(0xffff0000u, lane, 20);
}

__global__ void vote(unsigned* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = __ballot_sync(kAll, lane % 3 == 0 ? 4 : 0);
  out[32 + lane] = static_cast<unsigned>(__any_sync(kAll, lane == 31)) * 10 +
                   static_cast<unsigned>(__any_sync(kAll, 0));
  out[64 + lane] = static_cast<unsigned>(__all_sync(kAll, lane < 32)) * 10 +
                   static_cast<unsigned>(__all_sync(kAll, lane != 4));
  out[96 + lane] = static_cast<unsigned>(__uni_sync(kAll, 7)) * 100 +
                   static_cast<unsigned>(__uni_sync(kAll, 0)) * 10 +
                   static_cast<unsigned>(__uni_sync(kAll, lane == 1));
  if (lane >= 8) {
    out[128 + lane] = __ballot_sync(0xffffff00u, lane % 2);
    out[160 + lane] = __activemask();
  } else {
    out[128 + lane] = __ballot_sync(0x000000ffu, 1);
    out[160 + lane] = __activemask();
  }
}

template <class T>
__global__ void match(unsigned* out, int* predicates) {
  const unsigned lane = threadIdx.x;
  out[lane] = __match_any_sync(kAll, value_of<T>(static_cast<int>(lane % 5)));
  int predicate = -1;
  out[32 + lane] = __match_all_sync(kAll, value_of<T>(9), &predicate);
  predicates[lane] = predicate;
  out[64 + lane] = __match_all_sync(kAll, value_of<T>(lane == 3), &predicate);
  predicates[32 + lane] = predicate;
}

template <class T>
void check_match() {
  DeviceArray<unsigned> out(96);
  DeviceArray<int> predicates(64);
  match<T><<<1, kLanes>>>(out.data(), predicates.data());
  require_finished();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned same = 0;
    for (unsigned other = lane % 5; other < kLanes; other += 5) same |= 1u << other;
    CHECK(out[lane] == same);
    CHECK(out[32 + lane] == kAll);
    CHECK(predicates[lane] == 1);
    CHECK(out[64 + lane] == 0);
    CHECK(predicates[32 + lane] == 0);
  }
}

__global__ void reduce(const int* in, int* out, unsigned* unsigned_out) {
  const int value = in[threadIdx.x];
  const unsigned bits = static_cast<unsigned>(value);
  if (threadIdx.x % 2 == 0) return;
  const unsigned odd = 0xaaaaaaaau;
  const int sums[] = {__reduce_add_sync(odd, value), __reduce_min_sync(odd, value),
                      __reduce_max_sync(odd, value)};
  const unsigned words[] = {
      __reduce_add_sync(odd, bits),        __reduce_min_sync(odd, bits),
      __reduce_max_sync(odd, bits),        __reduce_and_sync(odd, bits | 0x10u),
      __reduce_or_sync(odd, bits & 0xffu), __reduce_xor_sync(odd, bits)};
  if (threadIdx.x != 17) return;
  for (int i = 0; i < 3; ++i) out[i] = sums[i];
  for (int i = 0; i < 6; ++i) unsigned_out[i] = words[i];
}

__global__ void block_votes(int* out) {
  const int thread = static_cast<int>(threadIdx.x);
  out[thread] = __syncthreads_count(thread % 3 == 0);
  out[96 + thread] = __syncthreads_and(thread < 96) * 10 + __syncthreads_and(thread != 50);
  out[192 + thread] = __syncthreads_or(thread == 70) * 10 + __syncthreads_or(0);
}

__global__ void neighbours_through_shared(int* out) {
  __shared__ int values[2][kLanes];
  const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  values[warp][lane] = static_cast<int>(lane + 100 * warp);
  __syncwarp();
  out[threadIdx.x] = values[warp][(lane + 1) % kLanes];
  __syncwarp(kAll);
  values[warp][(lane + 5) % kLanes] = -1;
  __threadfence_block();
  __syncthreads();
  __threadfence();
  __threadfence_system();
  if (values[1 - warp][lane] != -1) out[threadIdx.x] = -1;
}

__global__ void find_nth(unsigned* out) {
  out[threadIdx.x] = __fns(0xb4u, 0, static_cast<int>(threadIdx.x) + 1);
}

// Returns a bit for each branch side taken.
__host__ __device__ int sides_taken() {
  int taken = 0;
  NV_IF_TARGET(NV_IS_DEVICE, (taken |= 1;))
  NV_IF_TARGET(NV_IS_HOST, (taken |= 2;), (taken |= 4;))
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (const int a = 8, b = 0; taken |= a + b;), (taken |= 16;))
  NV_IF_ELSE_TARGET(NV_IS_EXACTLY_SM_90, (taken |= 32;), (taken |= 64;))
  NV_IF_TARGET(NV_PROVIDES_SM_100, (taken |= 128;))
  return taken;
}

__global__ void take_sides(int* out) { out[0] = sides_taken(); }

}  // namespace

TEST_CASE("shuffles move every type over every width") {
  SUBCASE("int") { check_shuffles<int>(); }
  SUBCASE("unsigned") { check_shuffles<unsigned>(); }
  SUBCASE("long") { check_shuffles<long>(); }
  SUBCASE("unsigned long") { check_shuffles<unsigned long>(); }
  SUBCASE("long long") { check_shuffles<long long>(); }
  SUBCASE("unsigned long long") { check_shuffles<unsigned long long>(); }
  SUBCASE("float") { check_shuffles<float>(); }
  SUBCASE("double") { check_shuffles<double>(); }
}

TEST_CASE("a shuffle's width is the warp's unless given, and small integers are promoted") {
  DeviceArray<int> out(3 * kLanes);
  shuffle_defaults<<<1, kLanes>>>(out.data());
  require_finished();
  for (int lane = 0; lane < kLanes; ++lane) {
    CHECK(out[static_cast<std::size_t>(lane)] == 49);
    CHECK(out[static_cast<std::size_t>(kLanes + lane)] == -((lane + 33) % kLanes));
    CHECK(out[static_cast<std::size_t>(2 * kLanes + lane)] == (lane ^ 1) + 1);
  }
}

TEST_CASE("a warp sums its values by shuffles") {
  DeviceArray<float> in(kLanes), out(1);
  float expected = 0;
  for (std::size_t i = 0; i < kLanes; ++i) expected += in[i] = static_cast<float>(i * i);
  sum_by_shuffle<<<1, kLanes>>>(in.data(), out.data());
  require_finished();
  CHECK(out[0] == expected);
}

TEST_CASE("the halves of a warp shuffle on their own") {
  DeviceArray<int> out(kLanes);
  shuffle_in_halves<<<1, kLanes>>>(out.data());
  require_finished();
  for (std::size_t lane = 0; lane < kLanes; ++lane) CHECK(out[lane] == (lane < 16 ? 3 : 20));
}

TEST_CASE("votes count the lanes of their mask") {
  DeviceArray<unsigned> out(192);
  vote<<<1, kLanes>>>(out.data());
  require_finished();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    CHECK(out[lane] == 0x49249249u);
    CHECK(out[32 + lane] == 10);
    CHECK(out[64 + lane] == 10);
    CHECK(out[96 + lane] == 110);
    CHECK(out[128 + lane] == (lane < 8 ? 0xffu : 0xaaaaaa00u));
    CHECK((out[160 + lane] >> lane & 1) == 1);
    CHECK((out[160 + lane] & ~(lane < 8 ? 0xffu : 0xffffff00u)) == 0);
  }
}

TEST_CASE("matches compare the bits of every type") {
  SUBCASE("int") { check_match<int>(); }
  SUBCASE("unsigned") { check_match<unsigned>(); }
  SUBCASE("long") { check_match<long>(); }
  SUBCASE("unsigned long") { check_match<unsigned long>(); }
  SUBCASE("long long") { check_match<long long>(); }
  SUBCASE("unsigned long long") { check_match<unsigned long long>(); }
  SUBCASE("float") { check_match<float>(); }
  SUBCASE("double") { check_match<double>(); }
}

TEST_CASE("reductions know the sign of their type and the lanes of their mask") {
  DeviceArray<int> in(kLanes), out(3);
  DeviceArray<unsigned> words(6);
  int sum = 0, least = 0, most = 0;
  unsigned smallest = kAll, largest = 0, conjunction = kAll, disjunction = 0, difference = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int value = lane % 2 == 0 ? 1000 * lane - 16000 : 7 * lane - 100;
    in[static_cast<std::size_t>(lane)] = value;
    if (lane % 2 == 0) continue;
    const unsigned bits = static_cast<unsigned>(value);
    sum += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
    smallest = bits < smallest ? bits : smallest;
    largest = bits > largest ? bits : largest;
    conjunction &= bits | 0x10u;
    disjunction |= bits & 0xffu;
    difference ^= bits;
  }
  reduce<<<1, kLanes>>>(in.data(), out.data(), words.data());
  require_finished();
  CHECK(out[0] == sum);
  CHECK(out[1] == least);
  CHECK(out[2] == most);
  CHECK(words[0] == static_cast<unsigned>(sum));
  CHECK(words[1] == smallest);
  CHECK(words[2] == largest);
  CHECK(words[3] == conjunction);
  CHECK(words[4] == disjunction);
  CHECK(words[5] == difference);
}

TEST_CASE("block barriers count, and and or their predicates") {
  DeviceArray<int> out(3 * 96);
  block_votes<<<1, 96>>>(out.data());
  require_finished();
  for (std::size_t thread = 0; thread < 96; ++thread) {
    CHECK(out[thread] == 32);
    CHECK(out[96 + thread] / 10 != 0);
    CHECK(out[96 + thread] % 10 == 0);
    CHECK(out[192 + thread] / 10 != 0);
    CHECK(out[192 + thread] % 10 == 0);
  }
}

TEST_CASE("barriers order shared memory") {
  DeviceArray<int> out(2 * kLanes);
  neighbours_through_shared<<<1, 2 * kLanes>>>(out.data());
  require_finished();
  for (unsigned thread = 0; thread < 2 * kLanes; ++thread)
    CHECK(out[thread] == static_cast<int>((thread + 1) % kLanes + 100 * (thread / kLanes)));
}

TEST_CASE("__fns finds the n-th set bit") {
  DeviceArray<unsigned> out(5);
  find_nth<<<1, 5>>>(out.data());
  require_finished();
  const unsigned expected[] = {2, 4, 5, 7, kAll};
  for (std::size_t i = 0; i < 5; ++i) CHECK(out[i] == expected[i]);
}

TEST_CASE("NV_IF_TARGET takes the side of a device of compute capability 9.0, or the host's") {
  DeviceArray<int> out(1);
  take_sides<<<1, 1>>>(out.data());
  require_finished();
  CHECK(out[0] == (1 | 4 | 8 | 32));
  CHECK(sides_taken() == (2 | 16 | 64));
}
