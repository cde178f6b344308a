// Tests groups: their members, communication and splitting.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdint>

#include "device_array.hpp"

namespace {

namespace cg = cooperative_groups;

struct Large {
  double number;
  int words[5];
};

__global__ void ranks(unsigned* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const unsigned rank = block.thread_rank();
  unsigned* mine = out + grid.thread_rank() * 8;
  mine[0] = rank;
  mine[1] = block.size() * 1000 + block.num_threads();
  mine[2] = block.group_index().x * 100 + block.group_index().y;
  mine[3] = block.thread_index().z * 100 + block.thread_index().y * 10 + block.thread_index().x;
  mine[4] = block.dim_threads().x * 100 + block.group_dim().y * 10 + block.dim_threads().z;
  mine[5] = static_cast<unsigned>(grid.block_rank());
  mine[6] = static_cast<unsigned>(grid.num_threads());
  mine[7] = static_cast<unsigned>(grid.num_blocks() * 10 + grid.dim_blocks().y);
}

template <unsigned kSize>
__global__ void tile(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<kSize>(block);
  const int thread = static_cast<int>(block.thread_rank());
  const int rank = static_cast<int>(tile.thread_rank());
  int* mine = out + thread * 12;
  mine[0] = rank;
  mine[1] = static_cast<int>(tile.size() * 1000 + tile.num_threads());
  mine[2] = static_cast<int>(tile.meta_group_rank() * 1000 + tile.meta_group_size());
  mine[3] = tile.shfl(thread, static_cast<int>(kSize) - 1);
  mine[4] = tile.shfl_up(thread, 1);
  mine[5] = tile.shfl_down(thread, 1);
  mine[6] = tile.shfl_xor(thread, kSize > 1 ? 1 : 0);
  mine[7] = static_cast<int>(tile.ballot(rank % 2 == 0));
  mine[8] = tile.any(thread == 5) * 10 + tile.all(thread < 64);
  mine[9] = static_cast<int>(tile.match_any(rank / 2));
  int predicate = -1;
  mine[10] = static_cast<int>(tile.match_all(thread / 4, predicate));
  mine[11] = predicate;
  tile.sync();
}

template <unsigned kSize>
void check_tile() {
  constexpr int kThreads = 96, kTile = static_cast<int>(kSize);
  constexpr unsigned kLanes = 0xffffffffu >> (32 - kSize);
  DeviceArray<int> out(kThreads * 12);
  tile<kSize><<<1, kThreads>>>(out.data());
  require_finished();
  for (int thread = 0; thread < kThreads; ++thread) {
    CAPTURE(kTile);
    CAPTURE(thread);
    const int* mine = out.data() + thread * 12;
    const int first = thread / kTile * kTile, rank = thread % kTile;
    CHECK(mine[0] == rank);
    CHECK(mine[1] == kTile * 1001);
    CHECK(mine[2] == thread / kTile * 1000 + kThreads / kTile);
    CHECK(mine[3] == first + kTile - 1);
    CHECK(mine[4] == (rank == 0 ? thread : thread - 1));
    CHECK(mine[5] == (rank == kTile - 1 ? thread : thread + 1));
    CHECK(mine[6] == (kTile == 1 ? thread : thread ^ 1));
    CHECK(static_cast<unsigned>(mine[7]) == (0x55555555u & kLanes));
    CHECK(mine[8] == (first <= 5 && 5 < first + kTile ? 10 : 0) + (first + kTile <= 64 ? 1 : 0));
    CHECK(static_cast<unsigned>(mine[9]) == (3u << (rank / 2 * 2) & kLanes));
    CHECK(static_cast<unsigned>(mine[10]) == (kTile <= 4 ? kLanes : 0));
    CHECK(mine[11] == (kTile <= 4 ? 1 : 0));
  }
}

template <class Group>
__device__ int rank_and_size(const Group& group) {
  return static_cast<int>(group.thread_rank() * 100 + group.size());
}

template <unsigned kSize, class ParentT>
__device__ int meta(const cg::thread_block_tile<kSize, ParentT>& tile) {
  return static_cast<int>(tile.meta_group_rank() * 100 + tile.meta_group_size());
}

__device__ int through_any_group(cg::thread_group group) {
  group.sync();
  return rank_and_size(group);
}

__global__ void nested(int* out) {
  const auto block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const auto half = cg::tiled_partition<16>(warp);
  const auto four = cg::tiled_partition<4>(half);
  int* mine = out + threadIdx.x * 10;
  mine[0] = meta(warp);
  mine[1] = meta(half);
  mine[2] = meta(four);
  mine[3] = rank_and_size(four);
  mine[4] = through_any_group(block);
  mine[5] = through_any_group(warp);
  mine[6] = through_any_group(four);
  mine[7] = rank_and_size(cg::tiled_partition(block, 8));
  const cg::thread_block_tile<4> forgotten = four;
  mine[8] = meta(forgotten);
  mine[9] = static_cast<int>(cg::thread_rank(block) + cg::group_size(four));
  cg::sync(block);
}

__global__ void coalesced(int* out, unsigned* ballots) {
  const int lane = static_cast<int>(threadIdx.x);
  int* mine = out + lane * 6;
  if (lane % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    mine[0] = rank_and_size(group);
    mine[1] = group.shfl(lane, 2);
    mine[2] = group.shfl_up(lane, 2);
    mine[3] = group.shfl_down(lane, 1);
    ballots[lane] = group.ballot(lane > 8);
    mine[4] = group.any(lane == 4) * 10 + group.all(lane < 20);
    ballots[32 + lane] = group.match_any(lane / 8);
    mine[5] = rank_and_size(cg::tiled_partition(group, 4));
    group.sync();
  }
}

__global__ void partitions(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  int* mine = out + lane * 6;
  const auto by_label = cg::labeled_partition(warp, (lane + 2) % 5);
  mine[0] = rank_and_size(by_label);
  mine[1] = static_cast<int>(by_label.meta_group_rank() * 100 + by_label.meta_group_size());
  const auto by_predicate = cg::binary_partition(warp, lane < 10);
  mine[2] = rank_and_size(by_predicate);
  mine[3] = static_cast<int>(by_predicate.meta_group_rank() * 100 + by_predicate.meta_group_size());
  mine[4] = cg::reduce(by_label, lane, cg::plus<int>());
  mine[5] = cg::reduce(by_predicate, lane, cg::greater<int>());
}

template <class T>
__global__ void collectives(const T* in, T* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(block);
  const unsigned lane = threadIdx.x;
  const T value = in[lane];
  T* mine = out + lane * 8;
  mine[0] = cg::reduce(warp, value, cg::plus<T>());
  mine[1] = cg::reduce(eight, value, cg::less<T>());
  mine[2] = cg::reduce(eight, value, cg::greater<T>());
  mine[3] = cg::reduce(eight, value, [](T a, T b) { return a * 2 < b ? b : a; });
  mine[4] = cg::inclusive_scan(warp, value);
  mine[5] = cg::exclusive_scan(eight, value);
  mine[6] = cg::inclusive_scan(eight, value, cg::greater<T>());
  mine[7] = cg::exclusive_scan(eight, value, cg::greater<T>());
}

template <class T>
void check_collectives() {
  DeviceArray<T> in(32), out(32 * 8);
  for (std::size_t lane = 0; lane < 32; ++lane)
    in[lane] = static_cast<T>((lane * 37 + 11) % 29 + 1);
  collectives<T><<<1, 32>>>(in.data(), out.data());
  require_finished();
  T total = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) total += in[lane];
  T running = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    const std::size_t first = lane / 8 * 8;
    T least = in[first], most = in[first], before = 0, most_before = 0, most_so_far = in[first];
    for (std::size_t i = first; i < first + 8; ++i) {
      least = in[i] < least ? in[i] : least;
      most = in[i] > most ? in[i] : most;
      if (i < lane) before += in[i];
      if (i < lane) most_before = in[i] > most_before ? in[i] : most_before;
      if (i <= lane) most_so_far = in[i] > most_so_far ? in[i] : most_so_far;
    }
    running += in[lane];
    const T* mine = out.data() + lane * 8;
    CHECK(mine[0] == total);
    CHECK(mine[1] == least);
    CHECK(mine[2] == most);
    CHECK(mine[3] <= most);
    CHECK(mine[4] == running);
    CHECK(mine[5] == before);
    CHECK(mine[6] == most_so_far);
    CHECK(mine[7] == most_before);
  }
}

__global__ void bits_of_all(unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned lane = threadIdx.x;
  out[0] = cg::reduce(warp, ~(1u << lane), cg::bit_and<unsigned>());
  out[1] = cg::reduce(warp, lane % 2 == 0 ? 1u << lane : 0u, cg::bit_or<unsigned>());
  out[2] = cg::reduce(warp, lane, cg::bit_xor<unsigned>());
}

__global__ void large_values(Large* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(threadIdx.x);
  const Large mine{lane * 0.5, {lane, lane + 1, lane + 2, lane + 3, lane + 4}};
  out[lane] = warp.shfl_xor(mine, 3);
}

__global__ void one_of_many(int* out, int* calls) {
  const auto block = cg::this_thread_block();
  const auto eight = cg::tiled_partition<8>(block);
  cg::invoke_one(block, [&] { atomicAdd(calls, 1); });
  const int thread = static_cast<int>(threadIdx.x);
  out[thread] = cg::invoke_one_broadcast(
      eight, [&](int factor) { return thread * factor; }, 10);
}

__global__ void stage(const float* in, float* out, int count) {
  __shared__ alignas(16) float staged[256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, in, sizeof(float) * static_cast<unsigned>(count));
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
    out[i] = staged[count - 1 - i];
  block.sync();
  cg::memcpy_async(block, reinterpret_cast<float4*>(staged), 8, reinterpret_cast<const float4*>(in),
                   4);
  cg::wait_prior<0>(block);
  if (threadIdx.x < 16) out[count + static_cast<int>(threadIdx.x)] = staged[threadIdx.x];
}

__global__ void bytes(const char* in, char* out, int offset_in, int offset_out, int count) {
  __shared__ alignas(16) char staged[128];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (unsigned i = threadIdx.x; i < 128; i += 32) staged[i] = '.';
  warp.sync();
  cg::memcpy_async(warp, static_cast<void*>(staged + offset_out),
                   static_cast<const void*>(in + offset_in), static_cast<size_t>(count));
  cg::wait(warp);
  for (unsigned i = threadIdx.x; i < 128; i += 32) out[i] = staged[i];
}

__global__ void split_barrier(int* out) {
  __shared__ int value;
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 77) value = 5;
  auto token = block.barrier_arrive();
  const int own = static_cast<int>(threadIdx.x);
  block.barrier_wait(std::move(token));
  out[own] = value + own;
}

__global__ void alone(unsigned* out) {
  const auto self = cg::this_thread();
  self.sync();
  out[threadIdx.x] = self.size() + 10 * self.thread_rank();
}

}  // namespace

TEST_CASE("block and grid number their threads, x first") {
  const dim3 grid(2, 3), threads(4, 3, 2);
  constexpr unsigned kThreads = 24;
  DeviceArray<unsigned> out(6 * kThreads * 8);
  ranks<<<grid, threads>>>(out.data());
  require_finished();
  for (unsigned block = 0; block < 6; ++block)
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      const unsigned* mine = out.data() + (block * kThreads + thread) * 8;
      CHECK(mine[0] == thread);
      CHECK(mine[1] == kThreads * 1001);
      CHECK(mine[2] == block % 2 * 100 + block / 2);
      CHECK(mine[3] == thread / 12 * 100 + thread / 4 % 3 * 10 + thread % 4);
      CHECK(mine[4] == 432);
      CHECK(mine[5] == block);
      CHECK(mine[6] == 6 * kThreads);
      CHECK(mine[7] == 63);
    }
}

TEST_CASE("tiles of every size") {
  check_tile<1>();
  check_tile<2>();
  check_tile<4>();
  check_tile<8>();
  check_tile<16>();
  check_tile<32>();
}

TEST_CASE("a thread is a group of its own") {
  DeviceArray<unsigned> out(64);
  alone<<<1, 64>>>(out.data());
  require_finished();
  for (std::size_t thread = 0; thread < 64; ++thread) CHECK(out[thread] == 1);
}

TEST_CASE("tiles of tiles, and groups known only at run time") {
  DeviceArray<int> out(64 * 10);
  nested<<<1, 64>>>(out.data());
  require_finished();
  for (int thread = 0; thread < 64; ++thread) {
    CAPTURE(thread);
    const int* mine = out.data() + thread * 10;
    const int lane = thread % 32;
    CHECK(mine[0] == thread / 32 * 100 + 2);
    CHECK(mine[1] == lane / 16 * 100 + 2);
    CHECK(mine[2] == lane % 16 / 4 * 100 + 4);
    CHECK(mine[3] == lane % 4 * 100 + 4);
    CHECK(mine[4] == thread * 100 + 64);
    CHECK(mine[5] == lane * 100 + 32);
    CHECK(mine[6] == lane % 4 * 100 + 4);
    CHECK(mine[7] == lane % 8 * 100 + 8);
    CHECK(mine[8] == mine[2]);
    CHECK(mine[9] == thread + 4);
  }
}

TEST_CASE("the threads that take a branch together form a group") {
  DeviceArray<int> out(32 * 6);
  DeviceArray<unsigned> ballots(64);
  coalesced<<<1, 32>>>(out.data(), ballots.data());
  require_finished();
  for (int lane = 1; lane < 32; lane += 3) {
    CAPTURE(lane);
    const int rank = lane / 3, size = 11;
    const int* mine = out.data() + lane * 6;
    CHECK(mine[0] == rank * 100 + size);
    CHECK(mine[1] == 7);
    CHECK(mine[2] == (rank < 2 ? lane : lane - 6));
    CHECK(mine[3] == (rank == size - 1 ? lane : lane + 3));
    CHECK(ballots[static_cast<std::size_t>(lane)] == 0x7f8);  // ranks 3 to 10: lanes 10 to 31
    CHECK(mine[4] == 10);
    unsigned same = 0;
    for (int other = 0; other < size; ++other)
      if ((1 + 3 * other) / 8 == lane / 8) same |= 1u << other;
    CHECK(ballots[static_cast<std::size_t>(32 + lane)] == same);
    CHECK(mine[5] == rank % 4 * 100 + (rank < 8 ? 4 : 3));
  }
}

TEST_CASE("groups split by label and by predicate") {
  DeviceArray<int> out(32 * 6);
  partitions<<<1, 32>>>(out.data());
  require_finished();
  for (int lane = 0; lane < 32; ++lane) {
    CAPTURE(lane);
    const int* mine = out.data() + lane * 6;
    const int size = lane % 5 < 2 ? 7 : 6;
    int sum = 0;
    for (int other = lane % 5; other < 32; other += 5) sum += other;
    CHECK(mine[0] == lane / 5 * 100 + size);
    CHECK(mine[1] == lane % 5 * 100 + 5);
    CHECK(mine[2] == (lane < 10 ? lane * 100 + 10 : (lane - 10) * 100 + 22));
    CHECK(mine[3] == (lane < 10 ? 102 : 2));
    CHECK(mine[4] == sum);
    CHECK(mine[5] == (lane < 10 ? 9 : 31));
  }
}

TEST_CASE("reductions and scans of every type") {
  check_collectives<int>();
  check_collectives<unsigned>();
  check_collectives<long long>();
  check_collectives<float>();
  check_collectives<double>();
}

TEST_CASE("reductions of bits") {
  DeviceArray<unsigned> out(3);
  bits_of_all<<<1, 32>>>(out.data());
  require_finished();
  CHECK(out[0] == 0);
  CHECK(out[1] == 0x55555555u);
  CHECK(out[2] == 0);
}

TEST_CASE("a shuffle moves values of up to 32 bytes") {
  DeviceArray<Large> out(32);
  large_values<<<1, 32>>>(out.data());
  require_finished();
  for (int lane = 0; lane < 32; ++lane) {
    const Large& got = out[static_cast<std::size_t>(lane)];
    CHECK(got.number == (lane ^ 3) * 0.5);
    CHECK(got.words[4] == (lane ^ 3) + 4);
  }
}

TEST_CASE("one thread works for the group") {
  DeviceArray<int> out(64), calls(1);
  calls[0] = 0;
  one_of_many<<<3, 64>>>(out.data(), calls.data());
  require_finished();
  CHECK(calls[0] == 3);
  for (std::size_t thread = 0; thread < 64; ++thread) {
    CHECK(out[thread] % 10 == 0);
    CHECK(out[thread] / 80 == static_cast<int>(thread / 8));
    CHECK(out[thread] == out[thread / 8 * 8]);
  }
}

TEST_CASE("a block copies to shared memory together") {
  for (const int count : {1, 3, 4, 31, 100, 256}) {
    CAPTURE(count);
    DeviceArray<float> in(256), out(272);
    for (std::size_t i = 0; i < 256; ++i) in[i] = static_cast<float>(i) + 0.5f;
    stage<<<1, 96>>>(in.data(), out.data(), count);
    require_finished();
    for (int i = 0; i < count; ++i)
      CHECK(out[static_cast<std::size_t>(i)] == in[static_cast<std::size_t>(count - 1 - i)]);
    for (int i = 0; i < 16; ++i)
      CHECK(out[static_cast<std::size_t>(count + i)] == in[static_cast<std::size_t>(i)]);
  }
}

TEST_CASE("a copy of bytes respects every alignment and touches nothing else") {
  DeviceArray<char> in(128), out(128);
  for (std::size_t i = 0; i < 128; ++i) in[i] = static_cast<char>('A' + i % 26);
  for (const int offset_in : {0, 1, 4, 8})
    for (const int offset_out : {0, 1, 5, 8})
      for (const int count : {0, 1, 7, 16, 50, 100}) {
        CAPTURE(offset_in);
        CAPTURE(offset_out);
        CAPTURE(count);
        bytes<<<1, 32>>>(in.data(), out.data(), offset_in, offset_out, count);
        require_finished();
        bool equal = true;
        for (int i = 0; i < 128; ++i) {
          const bool copied = i >= offset_out && i < offset_out + count;
          equal &= out[static_cast<std::size_t>(i)] ==
                   (copied ? in[static_cast<std::size_t>(i - offset_out + offset_in)] : '.');
        }
        CHECK(equal);
      }
}

TEST_CASE("a barrier in two halves is a barrier") {
  DeviceArray<int> out(96);
  split_barrier<<<1, 96>>>(out.data());
  require_finished();
  for (std::size_t thread = 0; thread < 96; ++thread)
    CHECK(out[thread] == 5 + static_cast<int>(thread));
}
