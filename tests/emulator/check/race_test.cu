// racecheck: each wrong kernel is reported, its fixed twin is not.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "checked.hpp"

using namespace check_tests;
using emu::Severity;
namespace cg = cooperative_groups;

namespace {

constexpr unsigned kAll = 0xffffffffu;

std::string at(const char* tag) { return line_of(__FILE__, tag); }

// ------------------------------------------------------------------------------ shared, block

template <bool right>
__global__ void reverse(int* values) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = values[i];  // @reverse write
  if (right) __syncthreads();
  values[i] = tile[63 - i];  // @reverse read
}

template <bool right>
__global__ void loop(int* out, int turns) {
  __shared__ int turn_of[64];
  int sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    turn_of[threadIdx.x] = turn;  // @loop write
    __syncthreads();
    sum += turn_of[(threadIdx.x + 32) % 64];  // @loop read
    if (right) __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <bool right>
__global__ void everybody_writes(int* out) {
  __shared__ int last;
  if (right ? threadIdx.x == 0 : threadIdx.x % 32 == 0)
    last = static_cast<int>(threadIdx.x);  // @last
  __syncthreads();
  out[threadIdx.x] = last;
}

template <bool right>
__global__ void at_once(int* out) {
  __shared__ int place;
  if (!right || threadIdx.x == 0) place = static_cast<int>(threadIdx.x);  // @at once
  __syncwarp();
  out[threadIdx.x] = place;
}

__global__ void same_value(int* out) {
  __shared__ int flag;
  flag = 1;  // all write the same value, which is not a hazard
  __syncthreads();
  out[threadIdx.x] = flag;
}

template <bool right>
__global__ void count_down(int* out) {
  __shared__ int left;
  if (threadIdx.x == 0) left = 64;
  __syncthreads();
  if (right)
    atomicSub(&left, 1);
  else
    left = left - 1;  // @lost update
  __syncthreads();
  out[threadIdx.x] = left;
}

template <bool right>
__global__ void atomic_and_plain(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;  // @plain reset
  if (right) __syncthreads();
  atomicAdd(&count, 1);  // @atomic add
  __syncthreads();
  out[threadIdx.x] = count;
}

template <bool right>
__global__ void bytes(unsigned char* out) {
  __shared__ unsigned char tile[64];
  tile[threadIdx.x] = 1;  // @byte write
  if (right) __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ (right ? 32 : 35)];  // @byte read
}
__global__ void own_bytes(unsigned char* out) {
  __shared__ unsigned char tile[64];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];  // one word, but separate bytes
}

template <bool right>
__global__ void tree(const float* in, float* out) {
  __shared__ float sums[128];
  const unsigned i = threadIdx.x;
  sums[i] = in[i];
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (i < half) sums[i] += sums[i + half];  // @tree
    if (right) __syncthreads();
  }
  if (i == 0) out[0] = sums[0];
}

template <bool right>
__global__ void tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    tile_a[y][x] = A[y * n + first + x];  // @tile write
    tile_b[y][x] = B[(first + y) * 16 + x];
    __syncthreads();
    for (int p = 0; p < 16; ++p) sum += tile_a[y][p] * tile_b[p][x];  // @tile read
    if (right) __syncthreads();
  }
  C[y * 16 + x] = sum;
}

// ------------------------------------------------------------------------------- shared, warp

template <bool right>
__global__ void warp_tail(int* values) {
  __shared__ volatile int sums[64];
  const unsigned i = threadIdx.x;
  sums[i] = values[i];
  sums[i + 32] = 0;
  __syncwarp();
  for (int distance = 16; distance > 0; distance /= 2) {
    const int other = sums[i + static_cast<unsigned>(distance)];  // @tail read
    if (right) __syncwarp();
    sums[i] = sums[i] + other;  // @tail write
    if (right) __syncwarp();
  }
  values[i] = sums[0];
}

template <bool right>
__global__ void half_masks(int* out) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x;
  tile[lane] = 1;  // @half write
  __syncwarp(right ? kAll : lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = tile[lane ^ 16];  // @half read
}
__global__ void within_half(int* out) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x;
  tile[lane] = 1;
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = tile[lane ^ 8];
}

template <bool right>
__global__ void shuffle_orders_nothing(int* out) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x;
  tile[lane] = 1;  // @shuffle write
  int value = __shfl_xor_sync(kAll, static_cast<int>(lane), 1);
  if (right) __syncwarp();
  out[lane] = value + tile[lane ^ 1];  // @shuffle read
}

template <bool right>
__global__ void tiles_of_eight(int* out) {
  __shared__ int tile[32];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[threadIdx.x] = 1;  // @group write
  group.sync();
  out[threadIdx.x] = tile[threadIdx.x ^ (right ? 4 : 8)];  // @group read
}

// ------------------------------------------------------------------------------------- global

template <bool right>
__global__ void neighbour(int* values) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned n = gridDim.x * blockDim.x;
  if (right) {
    values[n + i] = values[i] + values[(i + 64) % n];
  } else {
    values[i] += values[(i + 64) % n];  // @neighbour
  }
}

template <bool right>
__global__ void sum_of_all(int* sum) {
  if (right)
    atomicAdd(sum, 1);
  else
    *sum = *sum + 1;  // @sum of all
}

template <bool right>
__global__ void read_early(int* sum, int* out) {
  atomicAdd(sum, 1);  // @early add
  __syncthreads();
  if (!right && threadIdx.x == 0) out[blockIdx.x] = *sum;  // @early read
}

template <bool right>
__global__ void within_block(int* values) {
  values[threadIdx.x] = 1;  // @global write
  if (right) __syncthreads();
  values[64 + threadIdx.x] = values[threadIdx.x ^ 32];  // @global read
}

enum class Fences { none, of_writers, of_readers, of_both };

__host__ __device__ constexpr bool of_writers(Fences fences) {
  return fences == Fences::of_writers || fences == Fences::of_both;
}
__host__ __device__ constexpr bool of_readers(Fences fences) {
  return fences == Fences::of_readers || fences == Fences::of_both;
}

// The last block adds up the others' results: fence, ticket, then another fence.
template <Fences fences>
__global__ void last_block(int* partial, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = static_cast<int>(blockIdx.x);  // @partial write
    if (of_writers(fences)) __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (of_readers(fences)) __threadfence();
  }
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];  // @partial read
}

enum class Fence { none, of_all_too_early, of_all, of_one };

// All threads write; one takes the ticket after a barrier; the last one resets it.
template <Fence fence>
__global__ void last_block_of_all(int* partial, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  if (fence == Fence::of_all_too_early) __threadfence();
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // @all write
  if (fence == Fence::of_all) __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (fence == Fence::of_one) __threadfence();
    is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __threadfence();
    if (is_last) *ticket = 0;
  }
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += partial[block * blockDim.x + threadIdx.x];  // @all read
  out[threadIdx.x] = sum;
}

template <Fences fences>
__global__ void flag_in_block(int* out) {
  __shared__ volatile int ready;
  __shared__ int data;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 7;  // @flag data
    if (of_writers(fences)) __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 32) {
    while (ready == 0) {
    }
    if (of_readers(fences)) __threadfence_block();
    out[0] = data;  // @flag read
  }
}

// A flag that is accessed only by atomic operations.
template <Fences fences>
__global__ void atomic_flag_in_block(int* out) {
  __shared__ int ready, data;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 7;  // @atomic flag data
    if (of_writers(fences)) __threadfence_block();
    atomicExch(&ready, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    if (of_readers(fences)) __threadfence_block();
    out[0] = data;  // @atomic flag read
  }
}

// A flag between blocks: on the reader's side, a fence within the block is not enough.
template <bool right>
__global__ void flag_between_blocks(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 7;  // @far data
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    right ? __threadfence() : __threadfence_block();
    out[0] = *data;  // @far read
  }
}

template <bool right>
__global__ void lock(int* mutex, int* sum) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  if (right) __threadfence();
  *sum += 1;  // @locked
  if (right) __threadfence();
  atomicExch(mutex, 0);
}

template <Fences fences>
__global__ void chain(int* values, int* flags) {
  if (threadIdx.x != 0) return;
  const unsigned block = blockIdx.x;
  int before = 0;
  if (block > 0) {
    while (atomicAdd(&flags[block - 1], 0) == 0) {
    }
    if (of_readers(fences)) __threadfence();
    before = values[block - 1] + values[0];  // @chain read
  }
  values[block] = before + 1;  // @chain write
  if (of_writers(fences)) __threadfence();
  atomicExch(&flags[block], 1);
}

// ------------------------------------------------------------------------------------- copies

template <bool right>
__global__ void asynchronous(const int* in, int* out) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  // @async write
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (right) __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @async read
}

__global__ void group_copy(const int* in, int* out) {
  __shared__ alignas(16) int tile[256];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(int) * 256);
  cg::wait(block);
  out[threadIdx.x] = tile[255 - threadIdx.x];
}

/// The programming guide's own atomic operation: the first read is only a guess.
__device__ void add_by_swaps(double* sum, double value) {
  auto* const address = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long old = *address, assumed = 0;
  do {
    assumed = old;
    const double wanted = value + __longlong_as_double(static_cast<long long>(assumed));
    old =
        atomicCAS(address, assumed, static_cast<unsigned long long>(__double_as_longlong(wanted)));
  } while (assumed != old);
}
/// @param sums  the sum of all values, and of each block's; [1 + 2 * gridDim.x]
template <bool with_fence>
__global__ void sums_by_swaps(double* sums) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    add_by_swaps(&sum, 1);
    if (with_fence) __threadfence();
    if (i < static_cast<int>(threadIdx.x % 2) + 1) add_by_swaps(sums, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) sums[1 + blockIdx.x] = sum;
}
/// The largest value, by swaps. A thread that finds a larger one has only read.
__device__ void raise_by_swaps(float* most, float value) {
  auto* const bits = reinterpret_cast<int*>(most);
  int old = *bits, assumed = 0;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
}
__global__ void largest_by_swaps(const float* values, int count, float* most) {
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = -1;
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
    if (values[i] > of_block) raise_by_swaps(&of_block, values[i]);
  __syncthreads();
  if (threadIdx.x == 0) raise_by_swaps(most, of_block);
}
enum class Afterwards { nothing, read, written };
/// Reads before an atomic maximum save the operation; reads behind it do not.
template <Afterwards afterwards>
__global__ void largest_by_atomics(const int* values, int* most, int* out) {
  const int value = values[threadIdx.x];
  if (value > *most) atomicMax(most, value);  // @atomic largest
  if (afterwards == Afterwards::read && threadIdx.x % 32 == 31) out[threadIdx.x] = *most;  // @late
  if (afterwards == Afterwards::written && threadIdx.x == 0) *most = value;  // @overwrites largest
}
__global__ void reads_before_adding(int* sum) {
  const int before = *sum;  // @before adding
  atomicAdd(sum, before == 0 ? 1 : 2);
}
__global__ void swaps_beside_a_plain_write(double* sum) {
  if (threadIdx.x == 0) *sum = 0;  // @plain write
  add_by_swaps(sum, 1);
}

}  // namespace

TEST_CASE("racecheck: no barrier between write and read") {
  Device<int> values(64, 0);
  const Result wrong = run_checked([&] { reverse<false><<<1, 64>>>(values); });
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("reverse read"),
                                 .thread = "(32,0,0)",
                                 .block = "(0,0,0)",
                                 .other_line = at("reverse write"),
                                 .other_thread = "(31,0,0)",
                                 .other_block = "(0,0,0)",
                                 .count = 32});
  const emu::Finding& raw = wrong.findings.back();
  CHECK(raw.bytes == 128);
  CHECK(raw.memory == "byte 124 of __shared__ tile (256 bytes)");
  check_silent(run_checked([&] { reverse<true><<<1, 64>>>(values); }));
}

TEST_CASE("racecheck: around a loop") {
  Device<int> out(64);
  check_finding(run_checked([&] { loop<false><<<1, 64>>>(out, 3); }).findings,
                {.kind = "race_war",
                 .line = at("loop write"),
                 .thread = "(32,0,0)",
                 .other_line = at("loop read"),
                 .other_thread = "(0,0,0)"});
  check_silent(run_checked([&] { loop<true><<<1, 64>>>(out, 3); }));
}

TEST_CASE("racecheck: two warps write one word") {
  Device<int> out(64);
  check_finding(run_checked([&] { everybody_writes<false><<<1, 64>>>(out); }).findings,
                {.kind = "race_waw",
                 .line = at("last"),
                 .thread = "(32,0,0)",
                 .other_line = at("last"),
                 .other_thread = "(0,0,0)",
                 .count = 1});
  check_silent(run_checked([&] { everybody_writes<true><<<1, 64>>>(out); }));
}

TEST_CASE("racecheck: one instruction writes different values to one place, or the same") {
  Device<int> out(64);
  check_finding(
      run_checked([&] { at_once<false><<<1, 32>>>(out); }).findings,
      {.kind = "race_waw", .line = at("at once"), .thread = "(1,0,0)", .other_thread = "(0,0,0)"});
  check_silent(run_checked([&] { at_once<true><<<1, 32>>>(out); }));
  for (int launch = 0; launch < 3; ++launch)
    check_silent(run_checked([&] { same_value<<<4, 64>>>(out); }));
}

TEST_CASE("racecheck: a lost update, and a plain write beside atomic ones") {
  Device<int> out(64);
  const Result lost = run_checked([&] { count_down<false><<<1, 64>>>(out); });
  REQUIRE(lost.findings.size() >= 1);
  CHECK(lost.findings[0].first.line == at("lost update"));
  check_silent(run_checked([&] { count_down<true><<<1, 64>>>(out); }));
  const Result plain = run_checked([&] { atomic_and_plain<false><<<1, 64>>>(out); });
  REQUIRE(plain.findings.size() == 2);  // inside the warp, and with the other warp
  CHECK(plain.findings[0].severity == Severity::warning);
  CHECK(plain.findings[1].severity == Severity::error);
  CHECK(plain.findings[1].first.line == at("atomic add"));
  CHECK(plain.findings[1].second.line == at("plain reset"));
  check_silent(run_checked([&] { atomic_and_plain<true><<<1, 64>>>(out); }));
}

TEST_CASE("racecheck: what is read before a compare-and-swap is a guess, and no race") {
  Device<double> sums(16, 0);
  check_silent(run_checked([&] { sums_by_swaps<false><<<4, 96>>>(sums); }));
  check_silent(run_checked([&] { sums_by_swaps<true><<<4, 96>>>(sums); }));
  Device<int> sum(1, 0);
  const Result added = run_checked([&] { reads_before_adding<<<2, 64>>>(sum); });
  REQUIRE(!added.findings.empty());
  for (const emu::Finding& f : added.findings)
    CHECK((f.first.line == at("before adding") || f.second.line == at("before adding")));
  const Result plain = run_checked([&] { swaps_beside_a_plain_write<<<1, 64>>>(sums); });
  REQUIRE(!plain.findings.empty());
  CHECK(plain.findings[0].second.line == at("plain write"));
}

TEST_CASE("racecheck: a guess that is good enough saves the atomic operation, and is no race") {
  std::vector<float> reals(500);
  std::vector<int> integers(64);
  for (int i = 0; i < 500; ++i) reals[static_cast<std::size_t>(i)] = static_cast<float>(i * 7 % 97);
  for (int i = 0; i < 64; ++i) integers[static_cast<std::size_t>(i)] = i * 7 % 61;
  Device<float> values(500), most(1, -1);
  Device<int> numbers(64), largest(1, 0), out(64);
  cudaMemcpy(values, reals.data(), 500 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(numbers, integers.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  check_silent(run_checked([&] { largest_by_swaps<<<4, 96>>>(values, 500, most); }));
  const auto with = [&](void (*kernel)(const int*, int*, int*)) {
    cudaMemset(largest, 0, sizeof(int));
    return run_checked([&] { kernel<<<1, 64>>>(numbers, largest, out); });
  };
  check_silent(with(largest_by_atomics<Afterwards::nothing>));
  const Result late = with(largest_by_atomics<Afterwards::read>);
  REQUIRE(!late.findings.empty());
  for (const emu::Finding& f : late.findings)
    CHECK((f.first.line == at("late") || f.second.line == at("late")));
  const Result over = with(largest_by_atomics<Afterwards::written>);
  REQUIRE(!over.findings.empty());
  CHECK(over.findings[0].first.line == at("overwrites largest"));
}

TEST_CASE("racecheck: to the byte") {
  Device<unsigned char> out(64);
  const Result wrong = run_checked([&] { bytes<false><<<1, 64>>>(out); });
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("byte read"),
                                 .thread = "(32,0,0)",
                                 .other_line = at("byte write"),
                                 .other_thread = "(3,0,0)",
                                 .count = 32});
  CHECK(wrong.findings.back().bytes == 32);
  check_silent(run_checked([&] { bytes<true><<<1, 64>>>(out); }));
  check_silent(run_checked([&] { own_bytes<<<1, 64>>>(out); }));
}

TEST_CASE("racecheck: a reduction tree and a tiled product without one of their barriers") {
  Device<float> in(4096, 0), out(256), other(4096, 0);
  const Result wrong = run_checked([&] { tree<false><<<1, 128>>>(in, out); });
  REQUIRE(!wrong.findings.empty());
  for (const emu::Finding& f : wrong.findings) CHECK(f.first.line == at("tree"));
  check_silent(run_checked([&] { tree<true><<<1, 128>>>(in, out); }));

  const dim3 block(16, 16);
  const Result tile = run_checked([&] { tiled<false><<<1, block>>>(in, other, out, 64); });
  REQUIRE(!tile.findings.empty());
  CHECK(tile.findings[0].kind == "race_war");
  CHECK(tile.findings[0].first.line == at("tile write"));
  CHECK(tile.findings[0].second.line == at("tile read"));
  check_silent(run_checked([&] { tiled<true><<<1, block>>>(in, other, out, 64); }));
}

TEST_CASE("racecheck: lanes of a warp without __syncwarp are warned of") {
  Device<int> values(32, 0);
  const Result tail = run_checked([&] { warp_tail<false><<<1, 32>>>(values); });
  REQUIRE(!tail.findings.empty());
  for (const emu::Finding& f : tail.findings) CHECK(f.severity == Severity::warning);
  check_silent(run_checked([&] { warp_tail<true><<<1, 32>>>(values); }));

  check_finding(run_checked([&] { half_masks<false><<<1, 32>>>(values); }).findings,
                {.kind = "race_raw",
                 .line = at("half read"),
                 .thread = "(0,0,0)",
                 .other_line = at("half write"),
                 .other_thread = "(16,0,0)",
                 .severity = Severity::warning,
                 .count = 32});
  check_silent(run_checked([&] { half_masks<true><<<1, 32>>>(values); }));
  check_silent(run_checked([&] { within_half<<<1, 32>>>(values); }));
}

TEST_CASE("racecheck: a shuffle is no barrier; a group's sync is one for the group") {
  Device<int> out(32);
  check_finding(run_checked([&] { shuffle_orders_nothing<false><<<1, 32>>>(out); }).findings,
                {.kind = "race_raw",
                 .line = at("shuffle read"),
                 .thread = "(0,0,0)",
                 .other_line = at("shuffle write"),
                 .other_thread = "(1,0,0)",
                 .severity = Severity::warning});
  check_silent(run_checked([&] { shuffle_orders_nothing<true><<<1, 32>>>(out); }));
  check_finding(run_checked([&] { tiles_of_eight<false><<<1, 32>>>(out); }).findings,
                {.kind = "race_raw",
                 .line = at("group read"),
                 .thread = "(0,0,0)",
                 .other_line = at("group write"),
                 .other_thread = "(8,0,0)",
                 .severity = Severity::warning});
  check_silent(run_checked([&] { tiles_of_eight<true><<<1, 32>>>(out); }));
}

TEST_CASE("racecheck: global memory, between blocks and within one") {
  Device<int> values(256, 0), out(4), sum(1, 0);
  const Result wrong = run_checked([&] { neighbour<false><<<2, 64>>>(values); });
  REQUIRE(!wrong.findings.empty());
  CHECK(wrong.findings[0].first.line == at("neighbour"));
  CHECK(wrong.findings[0].first.block == "(1,0,0)");
  CHECK(wrong.findings[0].second.block == "(0,0,0)");
  check_silent(run_checked([&] { neighbour<true><<<2, 64>>>(values); }));

  const Result lost = run_checked([&] { sum_of_all<false><<<4, 1>>>(sum); });
  REQUIRE(!lost.findings.empty());
  CHECK(lost.findings[0].first.line == at("sum of all"));
  CHECK(lost.findings[0].first.block == "(1,0,0)");
  check_silent(run_checked([&] { sum_of_all<true><<<4, 32>>>(sum); }));

  check_finding(run_checked([&] { read_early<false><<<4, 32>>>(sum, out); }).findings,
                {.kind = "race_raw",
                 .line = at("early read"),
                 .thread = "(0,0,0)",
                 .block = "(1,0,0)",
                 .other_line = at("early add"),
                 .other_block = "(0,0,0)"});
  check_silent(run_checked([&] { read_early<true><<<4, 32>>>(sum, out); }));

  check_finding(run_checked([&] { within_block<false><<<1, 64>>>(values); }).findings,
                {.kind = "race_raw",
                 .line = at("global read"),
                 .thread = "(32,0,0)",
                 .other_line = at("global write"),
                 .other_thread = "(0,0,0)",
                 .count = 32});
  check_silent(run_checked([&] { within_block<true><<<1, 64>>>(values); }));
}

TEST_CASE("racecheck: fences before atomic operations order blocks") {
  Device<int> partial(512), out(64);
  Device<unsigned> ticket(1);
  const auto run = [&](auto&& kernel) {
    return run_checked([&] {
      cudaMemset(ticket, 0, 4);
      kernel();
    });
  };
  const auto check_unfenced = [&](auto kernel) {
    check_finding(run([&] { kernel<<<8, 32>>>(partial, ticket, out); }).findings,
                  {.kind = "race_raw",
                   .line = at("partial read"),
                   .thread = "(0,0,0)",
                   .block = "(7,0,0)",
                   .other_line = at("partial write"),
                   .other_thread = "(0,0,0)",
                   .other_block = "(0,0,0)",
                   .count = 7});
  };
  check_unfenced(last_block<Fences::none>);
  check_unfenced(last_block<Fences::of_writers>);
  check_unfenced(last_block<Fences::of_readers>);
  check_silent(run([&] { last_block<Fences::of_both><<<8, 32>>>(partial, ticket, out); }));
  const Expected unfenced{.kind = "race_raw",
                          .line = at("all read"),
                          .block = "(7,0,0)",
                          .other_line = at("all write"),
                          .count = 7 * 64};
  const auto of_all = [&](auto kernel) {
    return run([&] { kernel<<<8, 64>>>(partial, ticket, out); });
  };
  check_finding(of_all(last_block_of_all<Fence::none>).findings, unfenced);
  check_finding(of_all(last_block_of_all<Fence::of_all_too_early>).findings, unfenced);
  check_silent(of_all(last_block_of_all<Fence::of_one>));
  check_silent(of_all(last_block_of_all<Fence::of_all>));
}

TEST_CASE("racecheck: flags, locks and chains of flags") {
  Device<int> out(1), mutex(1, 0), sum(1, 0), values(8, 0), flags(8, 0);
  const auto check_flag = [&](const char* read, const char* write, auto kernel) {
    check_finding(run_checked([&] { kernel<<<1, 64>>>(out); }).findings,
                  {.kind = "race_raw",
                   .line = at(read),
                   .thread = "(32,0,0)",
                   .other_line = at(write),
                   .other_thread = "(0,0,0)"});
  };
  check_flag("flag read", "flag data", flag_in_block<Fences::none>);
  check_flag("flag read", "flag data", flag_in_block<Fences::of_writers>);
  check_flag("flag read", "flag data", flag_in_block<Fences::of_readers>);
  check_silent(run_checked([&] { flag_in_block<Fences::of_both><<<1, 64>>>(out); }));
  check_flag("atomic flag read", "atomic flag data", atomic_flag_in_block<Fences::none>);
  check_flag("atomic flag read", "atomic flag data", atomic_flag_in_block<Fences::of_writers>);
  check_flag("atomic flag read", "atomic flag data", atomic_flag_in_block<Fences::of_readers>);
  check_silent(run_checked([&] { atomic_flag_in_block<Fences::of_both><<<1, 64>>>(out); }));
  check_finding(
      run_checked([&] { flag_between_blocks<false><<<2, 32>>>(values, flags, out); }).findings,
      {.kind = "race_raw",
       .line = at("far read"),
       .block = "(1,0,0)",
       .other_line = at("far data"),
       .other_block = "(0,0,0)"});
  cudaMemset(flags, 0, 32);
  check_silent(run_checked([&] { flag_between_blocks<true><<<2, 32>>>(values, flags, out); }));
  cudaMemset(flags, 0, 32);
  const Result unfenced = run_checked([&] { lock<false><<<2, 64>>>(mutex, sum); });
  REQUIRE(!unfenced.findings.empty());
  CHECK(unfenced.findings[0].first.line == at("locked"));
  check_silent(run_checked([&] { lock<true><<<2, 64>>>(mutex, sum); }));
  for (const auto chain_of : {chain<Fences::of_readers>, chain<Fences::of_writers>}) {
    const Result loose = run_checked([&] { chain_of<<<8, 32>>>(values, flags); });
    REQUIRE(!loose.findings.empty());
    CHECK(loose.findings[0].first.line == at("chain read"));
    CHECK(loose.findings[0].second.line == at("chain write"));
    cudaMemset(flags, 0, 32);
  }
  check_silent(run_checked([&] { chain<Fences::of_both><<<8, 32>>>(values, flags); }));
}

TEST_CASE("racecheck: asynchronous copies need the block's barrier too") {
  Device<int> in(256, 0), out(256);
  check_finding(run_checked([&] { asynchronous<false><<<1, 64>>>(in, out); }).findings,
                {.kind = "race_raw",
                 .line = at("async read"),
                 .thread = "(0,0,0)",
                 .other_line = at("async write"),
                 .other_thread = "(63,0,0)"});
  check_silent(run_checked([&] { asynchronous<true><<<1, 64>>>(in, out); }));
  check_silent(run_checked([&] { group_copy<<<2, 256>>>(in, Device<int>(256, 0)); }));
}
