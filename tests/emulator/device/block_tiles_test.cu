// Tiles of several warps: who belongs to them, what they exchange, and in which order they add up.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "device_array.hpp"

namespace {

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 1024;

__host__ __device__ int number(unsigned thread) { return static_cast<int>(thread * 7919 % 1000); }
__host__ __device__ float real(unsigned thread) { return 1.0f / static_cast<float>(thread + 1); }

/// The same whichever operand comes first, but not whichever pair is combined first.
struct Symmetric {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const {
    return a * b + 3 * (a + b) + 1;
  }
};
/// Tells its operands apart.
struct Ordered {
  __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * 31 + b; }
};

/// What one thread finds.
struct Found {
  unsigned rank, size, meta_rank, meta_size;
  int shuffled, any, all;
  int sum, largest;
  float real_sum;
  unsigned combined;
  int sum_through, sum_before;
  float real_through, real_before;
  unsigned combined_through, combined_before;
  unsigned first;
};

template <unsigned kSize>
__device__ void look(const cg::thread_block& block, Found* found, int* visits) {
  const auto tile = cg::tiled_partition<kSize>(block);
  const unsigned thread = block.thread_rank();
  Found& mine = found[thread];
  mine.rank = tile.thread_rank();
  mine.size = tile.size() * 10000 + tile.num_threads();
  mine.meta_rank = tile.meta_group_rank();
  mine.meta_size = tile.meta_group_size();
  mine.shuffled = tile.shfl(number(thread), kSize - 27);
  mine.any = tile.any(thread == 100);
  mine.all = tile.all(thread < kThreads - 30);
  mine.sum = cg::reduce(tile, number(thread), cg::plus<int>());
  mine.largest = cg::reduce(tile, number(thread), cg::greater<int>());
  mine.real_sum = cg::reduce(tile, real(thread), cg::plus<float>());
  mine.combined = cg::reduce(tile, thread, Symmetric());
  mine.sum_through = cg::inclusive_scan(tile, number(thread));
  mine.sum_before = cg::exclusive_scan(tile, number(thread));
  mine.real_through = cg::inclusive_scan(tile, real(thread), cg::plus<float>());
  mine.real_before = cg::exclusive_scan(tile, real(thread), cg::plus<float>());
  mine.combined_through = cg::inclusive_scan(tile, thread, Ordered());
  mine.combined_before = cg::exclusive_scan(tile, thread, Ordered());
  mine.first = cg::invoke_one_broadcast(tile, [&] { return block.thread_rank(); });
  cg::invoke_one(tile, [&] { atomicAdd(visits, 1); });
}

template <unsigned kSize>
__global__ void look_with_memory(Found* found, int* visits) {
  __shared__ cg::block_tile_memory<kThreads> memory;
  look<kSize>(cg::this_thread_block(memory), found, visits);
}

template <unsigned kSize>
__global__ void look_without_memory(Found* found, int* visits) {
  look<kSize>(cg::this_thread_block(), found, visits);
}

/// One value of all, in the order of CUDA's reductions.
template <class T, class Operation>
T reduced(std::vector<T> values, const Operation& operation) {
  for (std::size_t distance = values.size() / 2; distance > 0; distance /= 2) {
    const std::vector<T> old = values;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = operation(old[i], old[i ^ distance]);
  }
  return values[0];
}

/// Running values, in the order of CUDA's scans.
template <class T, class Operation>
std::vector<T> scanned(std::vector<T> values, const Operation& operation) {
  for (std::size_t distance = 1; distance < values.size(); distance *= 2) {
    const std::vector<T> old = values;
    for (std::size_t i = distance; i < values.size(); ++i)
      values[i] = operation(old[i], old[i - distance]);
  }
  return values;
}

/// The same for a tile of several warps: each warp by itself, and then the warps.
template <class T, class Operation>
struct Tile {
  Tile(const std::vector<T>& values, const Operation& operation) {
    constexpr std::size_t kWarp = 32;
    std::vector<T> totals, ends;
    std::vector<std::vector<T>> warps;
    for (std::size_t first = 0; first < values.size(); first += kWarp) {
      const std::vector<T> warp(values.begin() + static_cast<std::ptrdiff_t>(first),
                                values.begin() + static_cast<std::ptrdiff_t>(first + kWarp));
      totals.push_back(reduced(warp, operation));
      warps.push_back(scanned(warp, operation));
      ends.push_back(warps.back().back());
    }
    total = reduced(totals, operation);
    const std::vector<T> previous = scanned(ends, operation);
    for (std::size_t w = 0; w < warps.size(); ++w)
      for (std::size_t lane = 0; lane < kWarp; ++lane) {
        const T below = lane == 0 ? T{} : warps[w][lane - 1];
        through.push_back(w == 0 ? warps[w][lane] : operation(warps[w][lane], previous[w - 1]));
        before.push_back(w == 0      ? below
                         : lane == 0 ? previous[w - 1]
                                     : operation(below, previous[w - 1]));
      }
  }
  T total;
  std::vector<T> through, before;
};

template <unsigned kSize>
void check_tiles(bool has_memory) {
  CAPTURE(kSize);
  CAPTURE(has_memory);
  DeviceArray<Found> found(kThreads);
  DeviceArray<int> visits(1);
  visits[0] = 0;
  if (has_memory)
    look_with_memory<kSize><<<1, kThreads>>>(found.data(), visits.data());
  else
    look_without_memory<kSize><<<1, kThreads>>>(found.data(), visits.data());
  require_finished();
  CHECK(visits[0] == static_cast<int>(kThreads / kSize));
  for (unsigned first = 0; first < kThreads; first += kSize) {
    std::vector<int> numbers;
    std::vector<float> reals;
    std::vector<unsigned> ranks;
    for (unsigned i = first; i < first + kSize; ++i) {
      numbers.push_back(number(i));
      reals.push_back(real(i));
      ranks.push_back(i);
    }
    const auto plus = [](auto a, auto b) { return a + b; };
    const Tile of_numbers(numbers, plus);
    const Tile of_reals(reals, plus);
    const Tile symmetric(ranks, Symmetric());
    const Tile ordered(ranks, Ordered());
    const auto larger = [](int a, int b) { return a < b ? b : a; };
    const Tile largest(numbers, larger);
    for (unsigned i = 0; i < kSize; ++i) {
      CAPTURE(first + i);
      const Found& mine = found[first + i];
      REQUIRE(mine.rank == i);
      REQUIRE(mine.size == kSize * 10001);
      REQUIRE(mine.meta_rank == first / kSize);
      REQUIRE(mine.meta_size == kThreads / kSize);
      REQUIRE(mine.shuffled == number(first + kSize - 27));
      REQUIRE((mine.any != 0) == (first <= 100 && 100 < first + kSize));
      REQUIRE((mine.all != 0) == (first + kSize < kThreads));
      REQUIRE(mine.sum == of_numbers.total);
      REQUIRE(mine.largest == largest.total);
      REQUIRE(mine.real_sum == of_reals.total);
      REQUIRE(mine.combined == symmetric.total);
      REQUIRE(mine.sum_through == of_numbers.through[i]);
      REQUIRE(mine.sum_before == of_numbers.before[i]);
      REQUIRE(mine.real_through == of_reals.through[i]);
      REQUIRE(mine.real_before == of_reals.before[i]);
      REQUIRE(mine.combined_through == ordered.through[i]);
      REQUIRE(mine.combined_before == ordered.before[i]);
      REQUIRE(mine.first == first);
    }
  }
}

/// Tiles of tiles, and a tile that has forgotten its parent.
__global__ void nested(unsigned* out) {
  const auto block = cg::this_thread_block();
  const auto large = cg::tiled_partition<256>(block);
  const cg::thread_block_tile<64, cg::thread_block_tile<256, cg::thread_block>> middle =
      cg::tiled_partition<64>(large);
  const auto warp = cg::tiled_partition<32>(middle);
  const auto small = cg::tiled_partition<8>(middle);
  const cg::thread_block_tile<64> forgotten = middle;
  unsigned* const mine = out + block.thread_rank() * 6;
  mine[0] = middle.meta_group_rank() * 1000 + middle.meta_group_size();
  mine[1] = warp.meta_group_rank() * 1000 + warp.meta_group_size();
  mine[2] = small.meta_group_rank() * 1000 + small.meta_group_size();
  mine[3] = forgotten.meta_group_rank() * 1000 + forgotten.meta_group_size();
  mine[4] = cg::reduce(forgotten, block.thread_rank(), cg::plus<unsigned>());
  mine[5] = cg::thread_rank(middle) * 1000 + static_cast<unsigned>(cg::group_size(large));
  cg::sync(middle);
}

/// Each tile reverses its own part of an array, again and again, and the larger tiles theirs.
__global__ void reverse(int* data) {
  __shared__ int shared[512];
  const auto block = cg::this_thread_block();
  const auto half = cg::tiled_partition<256>(block);
  const auto part = cg::tiled_partition<64>(half);
  const unsigned thread = block.thread_rank();
  shared[thread] = data[thread];
  for (int round = 0; round < 3; ++round) {
    part.sync();
    const int from_part = shared[thread / 64 * 64 + 63 - thread % 64];
    part.sync();
    shared[thread] = from_part;
    half.sync();
    const int from_half = shared[thread / 256 * 256 + 255 - thread % 256];
    half.sync();
    shared[thread] = from_half;
  }
  data[thread] = shared[thread];
}

/// A tile meets as often as it likes, whatever the others do.
__global__ void meet_unequally(int* rounds) {
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  int counted = 0;
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round)
    counted = cg::reduce(tile, counted + 1, cg::greater<int>());
  if (tile.meta_group_rank() == 2) return;
  tile.sync();
  rounds[threadIdx.x] = counted;
}

}  // namespace

TEST_CASE("tiles of several warps") {
  for (const bool has_memory : {false, true}) {
    check_tiles<64>(has_memory);
    check_tiles<128>(has_memory);
    check_tiles<256>(has_memory);
    check_tiles<512>(has_memory);
    check_tiles<1024>(has_memory);
  }
}

TEST_CASE("tiles of tiles of several warps") {
  constexpr unsigned kAll = 512;
  DeviceArray<unsigned> out(kAll * 6);
  nested<<<1, dim3(64, 4, 2)>>>(out.data());
  require_finished();
  for (unsigned i = 0; i < kAll; ++i) {
    CAPTURE(i);
    const unsigned* const mine = out.data() + i * 6;
    const unsigned first = i / 64 * 64;
    CHECK(mine[0] == i % 256 / 64 * 1000 + 4);
    CHECK(mine[1] == i % 64 / 32 * 1000 + 2);
    CHECK(mine[2] == i % 64 / 8 * 1000 + 8);
    CHECK(mine[3] == i % 256 / 64 * 1000 + 4);
    CHECK(mine[4] == 64 * first + 63 * 32);
    CHECK(mine[5] == i % 64 * 1000 + 256);
  }
}

TEST_CASE("a tile's barrier orders what its threads write and read") {
  DeviceArray<int> data(512);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
  reverse<<<1, 512>>>(data.data());
  require_finished();
  // Two reversals, of 64 and of 256, move the tiles: three times, the last one becomes the first.
  for (std::size_t i = 0; i < data.size(); ++i)
    CHECK(data[i] == static_cast<int>(i / 256 * 256 + (3 - i % 256 / 64) * 64 + i % 64));
}

TEST_CASE("tiles do not wait for each other") {
  DeviceArray<int> rounds(256);
  meet_unequally<<<1, 256>>>(rounds.data());
  require_finished();
  for (std::size_t i = 0; i < rounds.size(); ++i)
    CHECK(rounds[i] == (i / 64 == 2 ? -1 : static_cast<int>(i / 64) + 1));
}
