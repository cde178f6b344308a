// Tests the sixteen barriers of a block: for all of its threads, or for some of its warps.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "emulator/device/device_array.hpp"

namespace {

// The first 64 threads of the block meet, `count` at a time; the others do not take part.
__global__ void some_meet(unsigned* out, unsigned id, unsigned count) {
  __shared__ unsigned box[2];
  if (threadIdx.x >= 64) return;
  if (threadIdx.x % count == 0) box[threadIdx.x / count] = 9;
  __barrier_sync_count(id, count);
  if (threadIdx.x == 63) out[0] = box[threadIdx.x / count];
}

__global__ void all_meet(unsigned* out, unsigned id) {
  __shared__ unsigned box;
  if (threadIdx.x == 0) box = 9;
  __barrier_sync(id);
  out[threadIdx.x] = box;
}

// Lanes of one warp reach the same barrier in two lines.
__global__ void two_lines(unsigned* out) {
  __shared__ unsigned box[2];
  if (threadIdx.x % 2 != 0) {
    if (threadIdx.x == 1) box[0] = 5;
    __barrier_sync_count(3, 64);
  } else {
    if (threadIdx.x == 0) box[1] = 6;
    __barrier_sync_count(3, 64);
  }
  out[threadIdx.x] = box[0] * 10 + box[1];
}

// Pairs of warps, each with barriers of its own: one fills a box, the other empties it.
__global__ void pairs_of_warps(unsigned* out, int rounds) {
  __shared__ unsigned box[4][32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = warp / 2;
  const unsigned full = 1 + 2 * pair, empty = 2 + 2 * pair;
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (warp % 2 == 0) {
      box[pair][lane] = warp * 1000 + lane + static_cast<unsigned>(round);
      __barrier_sync_count(full, 64);
      __barrier_sync_count(empty, 64);
    } else {
      __barrier_sync_count(full, 64);
      sum += box[pair][31 - lane];
      __barrier_sync_count(empty, 64);
    }
  }
  out[threadIdx.x] = sum;
}

unsigned meet_some(unsigned id, unsigned count) {
  DeviceArray<unsigned> out(1);
  some_meet<<<1, 128>>>(out.data(), id, count);
  require_finished();
  return out[0];
}

}  // namespace

TEST_CASE("two of four warps meet") {
  CHECK(meet_some(1, 64) == 9);
  CHECK(meet_some(15, 64) == 9);
  CHECK(meet_some(0, 64) == 9);   // the barrier of __syncthreads with fewer threads
  CHECK(meet_some(16, 64) == 9);  // an H200 treats it as barrier 0
}

TEST_CASE("a barrier for one warp has a phase for each that comes") {
  CHECK(meet_some(1, 32) == 9);
}

TEST_CASE("a barrier for all threads of the block") {
  for (const unsigned id : {0u, 2u}) {
    DeviceArray<unsigned> out(128);
    all_meet<<<1, 128>>>(out.data(), id);
    require_finished();
    for (unsigned thread = 0; thread < 128; ++thread) CHECK(out[thread] == 9);
  }
}

TEST_CASE("the lanes of a warp may come from several lines") {
  DeviceArray<unsigned> out(64);
  two_lines<<<1, 64>>>(out.data());
  require_finished();
  for (unsigned thread = 0; thread < 64; ++thread) CHECK(out[thread] == 56);
}

TEST_CASE("pairs of warps hand over boxes, each at its own barriers") {
  constexpr unsigned kThreads = 256;
  constexpr int kRounds = 6;
  DeviceArray<unsigned> out(kThreads);
  pairs_of_warps<<<1, kThreads>>>(out.data(), kRounds);
  require_finished();
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    CAPTURE(thread);
    const unsigned warp = thread / 32, lane = thread % 32;
    const unsigned first = (warp - 1) * 1000 + 31 - lane;
    CHECK(out[thread] == (warp % 2 == 0 ? 0 : kRounds * first + kRounds * (kRounds - 1) / 2));
  }
}
