// synccheck: each wrong kernel is reported, its fixed twin is not.
#include "checked.hpp"

using namespace check_tests;
using emu::Severity;

namespace {

constexpr unsigned kAll = 0xffffffffu;

std::string at(const char* tag) { return line_of(__FILE__, tag); }

__global__ void branches_wrong(int* out) {
  if (threadIdx.x < 32) {
    out[threadIdx.x] = 1;
    __syncthreads();  // @first branch
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();  // @second branch
  }
}
// Everything in one line.
// clang-format off
__global__ void one_line_wrong() {
  if (threadIdx.x < 32) __syncthreads(); else __syncthreads();  // @one line
}
// clang-format on
__global__ void one_line_right() { __syncthreads(); }
/// One call in the source that the compiler duplicates.
__global__ void unrolled(int* out, int last) {
#pragma unroll 4
  for (int turn = 0; turn < 4; ++turn) {
    if (turn == last) out[threadIdx.x] = turn;
    __syncthreads();
  }
}
__global__ void branches_right(int* out) {
  if (threadIdx.x < 32)
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = 2;
  __syncthreads();
}

__global__ void early_return_wrong(int* out, unsigned n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = 1;
  __syncthreads();  // @after return
}
__global__ void early_return_right(int* out, unsigned n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
  __syncthreads();
}

__global__ void half_a_barrier_wrong(int* out) {
  if (threadIdx.x < 16) __syncthreads();
  __syncwarp();  // @behind half a barrier
  out[threadIdx.x] = 1;
}
__global__ void half_a_barrier_right(int* out) {
  __syncthreads();
  __syncwarp();
  out[threadIdx.x] = 1;
}

__global__ void not_in_mask_wrong(int* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1, 0);  // @not in mask
}
__global__ void not_in_mask_right(int* out) { out[threadIdx.x] = __shfl_sync(kAll, 1, 0); }

__global__ void full_mask_in_branch_wrong(int* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_down_sync(kAll, 1, 1);  // @full mask
  __syncwarp();                                                           // @the others
}
__global__ void full_mask_in_branch_right(int* out) {
  const unsigned mask = __ballot_sync(kAll, threadIdx.x < 16);
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_xor_sync(mask, 1, 1);
  __syncwarp();
}

__global__ void two_masks_wrong(int* out) {
  if (threadIdx.x < 8)
    out[threadIdx.x] = __any_sync(0x000000ffu, 1);
  else
    out[threadIdx.x] = __any_sync(kAll, 1);  // @too wide
  __syncwarp();                              // @behind the masks
}
__global__ void two_masks_right(int* out) {
  out[threadIdx.x] = __any_sync(threadIdx.x < 8 ? 0x000000ffu : 0xffffff00u, 1);
}

__global__ void absent_source_wrong(int* out) {
  if (threadIdx.x >= 24) return;
  out[threadIdx.x] = __shfl_down_sync(0x00ffffffu, 1, 8);  // @absent source
}
__global__ void sum_of_part(int* out, unsigned mask) {
  int sum = static_cast<int>(threadIdx.x);
  for (unsigned step = 16; step > 0; step /= 2) {
    const int other = __shfl_down_sync(mask, sum, step);  // @part of a warp
    if (mask >> (threadIdx.x + step) & 1) sum += other;
  }
  out[threadIdx.x] = sum;
}
__global__ void absent_source_right(int* out) {
  const int value = threadIdx.x < 24;
  out[threadIdx.x] = __shfl_down_sync(kAll, value, 8);
}

__global__ void never_ends(int* out) {
  while (atomicAdd(out, 0) == 0) {  // no thread sets it
  }
}

__global__ void exited_lanes(int* out,
                             unsigned n) {  // in the mask, but returned: not waited for
  if (threadIdx.x >= n) return;
  __syncwarp();
  out[threadIdx.x] = __any_sync(kAll, 1);
}

/// Three kinds of threads: 32 wait in the first branch, 28 in the second, 4 have returned.
__global__ void three_ways_wrong() {
  if (threadIdx.x < 32) {
    __syncthreads();  // @first way
  } else if (threadIdx.x < 60) {
    __syncthreads();  // @second way
  }
}
__global__ void three_ways_right() { __syncthreads(); }
/// One call that the compiler may duplicate, and another one after it.
__global__ void unrolled_wrong(int* out, int last) {
  if (threadIdx.x < 16) {
#pragma unroll 4
    for (int turn = 0; turn < 4; ++turn) {
      if (turn == last) out[threadIdx.x] = turn;
      __syncthreads();  // @unrolled
    }
  } else {
    for (int turn = 0; turn < 4; ++turn) __syncthreads();  // @not unrolled
  }
}

__global__ void barrier_in_loop_wrong(int* out) {
  for (unsigned turn = 0; turn <= threadIdx.x / 32; ++turn) {
    out[threadIdx.x] = 1;
    __syncthreads();  // @uneven loop
  }
}
__global__ void barrier_in_loop_right(int* out) {
  for (unsigned turn = 0; turn < blockDim.x / 32; ++turn) {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
}

/// Some threads skip the barrier and continue.
__global__ void skipped_wrong(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x < 40) __syncthreads();  // @skipped
  out[threadIdx.x] = 2;                   // @behind the skipped
}
__global__ void skipped_right(int* out) {
  out[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = 2;
}
// clang-format off
__global__ void skipped_in_a_line(int* out) {
  if (threadIdx.x < 40) __syncthreads(); out[threadIdx.x] = 1;  // @skipped in a line
}
// clang-format on
/// The last action is in another function, or before the barrier.
__device__ void set(int* out, int value) { out[threadIdx.x] = value; }
__device__ void set_all(int* out) {
  __syncthreads();  // @within a function
  set(out, 1);
}
__global__ void early_return_with_a_value(int* out, unsigned n) {
  if (threadIdx.x >= n) {
    set(out, 0);
    return;
  }
  set_all(out);
  if (n == 0) out[0] = 0;
}
/// Lanes return from their warp between two barriers; or whole warps do.
__global__ void return_between_barriers(int* out, unsigned n) {
  out[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = 2;
  __syncthreads();  // @after the second part
}

}  // namespace

TEST_CASE("synccheck: barriers in two branches") {
  Device<int> out(64);
  const Result wrong = run_checked([&] { branches_wrong<<<1, 64>>>(out); });
  check_finding(wrong.findings, {.kind = "divergent_barrier",
                                 .line = at("second branch"),
                                 .thread = "(32,0,0)",
                                 .other_line = at("first branch"),
                                 .other_thread = "(0,0,0)"});
  CHECK(wrong.error == cudaSuccess);  // a device since Volta goes on
  check_silent(run_checked([&] { branches_right<<<1, 64>>>(out); }));
}

TEST_CASE("synccheck: barriers in two branches of one line") {
  check_finding(run_checked([&] { one_line_wrong<<<1, 64>>>(); }).findings,
                {.kind = "divergent_barrier",
                 .line = at("one line"),
                 .thread = "(32,0,0)",
                 .other_line = at("one line"),
                 .other_thread = "(0,0,0)"});
  check_silent(run_checked([&] { one_line_right<<<1, 64>>>(); }));
  Device<int> out(64);
  check_silent(run_checked([&] { unrolled<<<1, 64>>>(out, 3); }));
}

TEST_CASE("synccheck: a barrier after some threads have returned") {
  Device<int> out(64);
  check_finding(run_checked([&] { early_return_wrong<<<2, 64>>>(out, 50); }).findings,
                {.kind = "exited_threads",
                 .line = at("after return"),
                 .thread = "(0,0,0)",
                 .other_thread = "(50,0,0)",
                 .severity = Severity::warning,
                 .count = 2});
  check_silent(run_checked([&] { early_return_right<<<1, 64>>>(out, 50); }));
  check_finding(run_checked([&] { barrier_in_loop_wrong<<<1, 64>>>(out); }).findings,
                {.kind = "exited_threads",
                 .line = at("uneven loop"),
                 .thread = "(32,0,0)",
                 .other_thread = "(0,0,0)",
                 .severity = Severity::warning});
  check_silent(run_checked([&] { barrier_in_loop_right<<<1, 64>>>(out); }));
}

TEST_CASE("synccheck: threads that go past a barrier at which others wait") {
  Device<int> out(64);
  const Result wrong = run_checked([&] {
    for (int launch = 0; launch < 2; ++launch) skipped_wrong<<<1, 64>>>(out);
  });
  check_finding(wrong.findings, {.kind = "divergent_barrier",
                                 .line = at("skipped"),
                                 .thread = "(0,0,0)",
                                 .other_line = at("behind the skipped"),
                                 .other_thread = "(40,0,0)",
                                 .count = 2});
  REQUIRE(wrong.findings.size() == 1);
  CHECK(wrong.findings[0].title ==
        "divergent barrier: 40 of 64 threads wait at a __syncthreads(), 24 are missing: 24 went "
        "past it and have returned");
  CHECK(wrong.error == cudaSuccess);
  check_silent(run_checked([&] { skipped_right<<<1, 64>>>(out); }));
  check_finding(run_checked([&] { skipped_in_a_line<<<1, 64>>>(out); }).findings,
                {.kind = "divergent_barrier",
                 .line = at("skipped in a line"),
                 .other_line = at("skipped in a line"),
                 .other_thread = "(40,0,0)"});
}

TEST_CASE("synccheck: an early return is a warning, one from the middle of a warp is not") {
  Device<int> out(96);
  check_finding(run_checked([&] { early_return_with_a_value<<<1, 96>>>(out, 50); }).findings,
                {.kind = "exited_threads",
                 .line = at("within a function"),
                 .other_thread = "(50,0,0)",
                 .severity = Severity::warning});
  check_finding(run_checked([&] { return_between_barriers<<<1, 96>>>(out, 64); }).findings,
                {.kind = "exited_threads",
                 .line = at("after the second part"),
                 .other_thread = "(64,0,0)",
                 .severity = Severity::warning});
  const Result parted = run_checked([&] { return_between_barriers<<<1, 96>>>(out, 50); });
  check_finding(parted.findings, {.kind = "divergent_barrier",
                                  .line = at("after the second part"),
                                  .other_thread = "(50,0,0)"});
  REQUIRE(parted.findings.size() == 1);
  CHECK(parted.findings[0].title ==
        "divergent barrier: 50 of 96 threads wait at a __syncthreads(), 46 are missing: 14 of the "
        "same warps have returned after an earlier barrier, 32 have returned");
}

TEST_CASE("synccheck: a barrier that only half a warp reaches hangs, and says so") {
  Device<int> out(32);
  const Result wrong = run_checked([&] { half_a_barrier_wrong<<<1, 32>>>(out); });
  check_finding(wrong.findings, {.kind = "lanes_missing",
                                 .line = at("behind half a barrier"),
                                 .thread = "(16,0,0)",
                                 .other_thread = "(0,0,0)"});
  CHECK(wrong.error == cudaErrorLaunchTimeout);
  check_silent(run_checked([&] { half_a_barrier_right<<<1, 32>>>(out); }));
}

TEST_CASE("synccheck: masks without the caller, or with lanes that never come") {
  Device<int> out(32);
  check_finding(run_checked([&] { not_in_mask_wrong<<<1, 32>>>(out); }).findings,
                {.kind = "mask_lacks_caller", .line = at("not in mask"), .thread = "(16,0,0)"});
  check_silent(run_checked([&] { not_in_mask_right<<<1, 32>>>(out); }));
  check_finding(run_checked([&] { full_mask_in_branch_wrong<<<1, 32>>>(out); }).findings,
                {.kind = "lanes_missing",
                 .line = at("full mask"),
                 .thread = "(0,0,0)",
                 .other_line = at("the others"),
                 .other_thread = "(16,0,0)"});
  check_silent(run_checked([&] { full_mask_in_branch_right<<<1, 32>>>(out); }));
  check_finding(run_checked([&] { two_masks_wrong<<<1, 32>>>(out); }).findings,
                {.kind = "lanes_missing",
                 .line = at("behind the masks"),
                 .thread = "(0,0,0)",
                 .other_line = at("too wide"),
                 .other_thread = "(8,0,0)"});
  check_silent(run_checked([&] { two_masks_right<<<1, 32>>>(out); }));
}

TEST_CASE("synccheck: a shuffle from a lane that takes no part") {
  Device<int> out(32);
  check_finding(run_checked([&] { absent_source_wrong<<<1, 32>>>(out); }).findings,
                {.kind = "undefined_source",
                 .line = at("absent source"),
                 .thread = "(16,0,0)",
                 .severity = Severity::warning,
                 .count = 8});
  check_silent(run_checked([&] { absent_source_right<<<1, 32>>>(out); }));
}

TEST_CASE("synccheck: a shuffle from a lane that the block does not have") {
  Device<int> out(64);
  check_finding(run_checked([&] { sum_of_part<<<1, 20>>>(out, ~0u); }).findings,
                {.kind = "undefined_source",
                 .line = at("part of a warp"),
                 .thread = "(4,0,0)",
                 .severity = Severity::warning,
                 .count = 27});
  check_silent(run_checked([&] { sum_of_part<<<1, 20>>>(out, 0xfffff); }));
  check_silent(run_checked([&] { sum_of_part<<<2, 32>>>(out, ~0u); }));
}

TEST_CASE("synccheck: lanes that have exited are not waited for, which is CUDA's rule") {
  Device<int> out(32);
  check_silent(run_checked([&] { exited_lanes<<<1, 32>>>(out, 20); }));
}

TEST_CASE("synccheck: a divergent barrier says how many threads wait and how many are missing") {
  const auto title_of = [](auto&& launch, Severity severity = Severity::error) {
    const Result result = run_checked(launch);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].severity == severity);
    return result.findings[0].title;
  };
  Device<int> out(64);
  CHECK(title_of([&] { branches_wrong<<<1, 64>>>(out); }) ==
        "divergent barrier: 32 of 64 threads wait at a __syncthreads(), 32 are missing: 32 at "
        "another one");
  CHECK(title_of([&] { early_return_wrong<<<2, 64>>>(out, 50); }, Severity::warning) ==
        "50 of 64 threads wait at a __syncthreads(), 14 are missing: they have returned");
  CHECK(title_of([&] { three_ways_wrong<<<1, 64>>>(); }) ==
        "divergent barrier: 28 of 64 threads wait at a __syncthreads(), 36 are missing: 32 at "
        "another one, 4 have returned");
  check_finding(run_checked([&] { three_ways_wrong<<<1, 64>>>(); }).findings,
                {.kind = "divergent_barrier",
                 .line = at("second way"),
                 .thread = "(32,0,0)",
                 .other_line = at("first way"),
                 .other_thread = "(0,0,0)",
                 .count = 1});
  check_silent(run_checked([&] { three_ways_right<<<1, 64>>>(); }));
  check_finding(run_checked([&] { unrolled_wrong<<<1, 64>>>(out, 3); }).findings,
                {.kind = "divergent_barrier",
                 .line = at("not unrolled"),
                 .thread = "(16,0,0)",
                 .other_line = at("unrolled"),
                 .other_thread = "(0,0,0)"});
  CHECK(title_of([&] { full_mask_in_branch_wrong<<<1, 32>>>(out); }) ==
        "__shfl_down_sync with mask 0xffffffff: 16 of 32 lanes wait, 16 never come: lanes 16-31");
}
