// Asynchronous copies, by threads and in bulk, and the mbarriers that they arrive at: each wrong
// kernel is reported, its fixed twin is not.
#include <cuda.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cuda/ptx>

#include "checked.hpp"
#include "emulator/judging.h"

using namespace check_tests;
using emu::Severity;
namespace ptx = cuda::ptx;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

constexpr unsigned kThreads = 64, kWarps = 2;
constexpr int kPanel = 64;  // floats
constexpr std::uint32_t kPanelBytes = kPanel * sizeof(float);

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {  // @wait
  }
}

/// Starts the copy of a panel; `barrier` is to expect its bytes.
__device__ void fetch(float* target, const float* source, std::uint64_t* barrier,
                      std::uint32_t bytes = kPanelBytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier,
                                 bytes);
  constexpr auto kTo = ptx::space_shared;
  constexpr auto kFrom = ptx::space_global;
  ptx::cp_async_bulk(kTo, kFrom, target, source, std::uint32_t{kPanelBytes}, barrier);  // @copy
}

/// The operation that is left out.
enum class Fault { none, wait_full, wait_empty, arrive_empty };

// Two stages with a full and an empty barrier each; thread 0 starts the copies.
template <Fault fault>
__global__ void pipeline(const float* in, float* out, int panels) {
  constexpr int kStages = 2;
  __shared__ __align__(128) float stage[kStages][kPanel];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1u);
      ptx::mbarrier_init(&empty[s], std::uint32_t{kWarps});
    }
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < panels + kStages; ++p) {
    const int s = p % kStages;
    const unsigned parity = static_cast<unsigned>(p / kStages % 2);
    if (p >= kStages) {
      if (fault != Fault::wait_full) wait(&full[s], parity ^ 1);
      sum += stage[s][kPanel - 1 - threadIdx.x];  // @panel read
      __syncwarp();
      if (threadIdx.x % 32 == 0 && (fault != Fault::arrive_empty || threadIdx.x == 0))
        ptx::mbarrier_arrive(&empty[s], fault == Fault::arrive_empty ? kWarps : 1u);
    }
    if (threadIdx.x == 0 && p < panels) {
      if (p >= kStages && fault != Fault::wait_empty) wait(&empty[s], parity ^ 1);
      fetch(stage[s], in + p * kPanel, &full[s]);
    }
    __syncwarp();
  }
  out[threadIdx.x] = sum;
}

// One copy, and how the threads learn that it has completed.
enum class Learn {
  waits,
  one_waits_then_barrier,
  one_waits_then_syncwarp,
  barrier,
  wrong_parity,
  own_thread_only
};

template <Learn learn>
__global__ void one_copy(const float* in, float* out) {
  __shared__ __align__(128) float stage[kPanel];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    fetch(stage, in, &full);
  }
  if (learn == Learn::waits || (learn == Learn::one_waits_then_barrier && threadIdx.x == 32))
    wait(&full, 0);
  if (learn == Learn::one_waits_then_syncwarp) {
    if (threadIdx.x % 32 == 5) wait(&full, 0);
    __syncwarp();
  }
  if (learn == Learn::wrong_parity) wait(&full, 1);
  if (learn == Learn::barrier || learn == Learn::one_waits_then_barrier) __syncthreads();
  if (learn != Learn::own_thread_only || threadIdx.x == 0)
    out[threadIdx.x] = stage[kPanel - 1 - threadIdx.x];  // @one read
  wait(&full, 0);
}

// A thread's own copies, read by another thread.
template <bool right>
__global__ void arriving_copies(const float* in, float* out) {
  __shared__ float stage[kThreads];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, std::uint32_t{kThreads});
  __syncthreads();
  __pipeline_memcpy_async(&stage[threadIdx.x], in + threadIdx.x, sizeof(float));  // @arriving copy
  ptx::cp_async_mbarrier_arrive_noinc(&full);
  if (right) wait(&full, 0);
  out[threadIdx.x] = stage[kThreads - 1 - threadIdx.x];  // @arriving read
  wait(&full, 0);
}

// Copies a panel ahead, and stores the one before.
template <int left>
__global__ void stores_panels(const float* in, float* out, int panels) {
  __shared__ float stage[2][kPanel];
  const int t = static_cast<int>(threadIdx.x);
  for (int p = 0; p <= panels; ++p) {
    if (p < panels) __pipeline_memcpy_async(&stage[p % 2][t], in + p * kPanel + t, sizeof(float));
    __pipeline_commit();
    if (p == 0) continue;
    __pipeline_wait_prior(left);
    out[(blockIdx.x * panels + p - 1) * kPanel + t] = stage[(p - 1) % 2][t];
  }
}

__global__ void stores_plainly(const float* in, float* out, int panels) {
  for (int p = 0; p < panels; ++p)
    out[(blockIdx.x * panels + p) * kPanel + threadIdx.x] = in[p * kPanel + threadIdx.x];
}

// The same, but the thread itself reports that its copies have completed.
template <bool right>
__global__ void awaited_copies(const float* in, float* out) {
  __shared__ float stage[kThreads];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, std::uint32_t{kThreads});
  __syncthreads();
  __pipeline_memcpy_async(&stage[threadIdx.x], in + threadIdx.x, sizeof(float));  // @awaited copy
  __pipeline_commit();
  __pipeline_wait_prior(0);
  ptx::mbarrier_arrive(&full);
  if (right) wait(&full, 0);
  out[threadIdx.x] = stage[kThreads - 1 - threadIdx.x];  // @awaited read
  wait(&full, 0);
}

enum class Use { arrives, waits };

template <Use use, bool right>
__global__ void barrier_in_use() {
  __shared__ std::uint64_t barrier;
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1u);  // @init
  if (right) __syncthreads();
  if (threadIdx.x == 32 && use == Use::arrives) ptx::mbarrier_arrive(&barrier);  // @first use
  if (threadIdx.x == 32 && use == Use::waits) wait(&barrier, 1);
}

// Without a copy: writes before an arrival happen before reads after the wait.
template <bool right>
__global__ void hand_over(int* values) {
  __shared__ std::uint64_t ready;
  __shared__ int tile[32];
  if (threadIdx.x == 0) ptx::mbarrier_init(&ready, 1u);
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = values[threadIdx.x];  // @hand over write
    __syncwarp();
    if (threadIdx.x == 0) ptx::mbarrier_arrive(&ready);
  } else {
    if (right) wait(&ready, 0);
    values[threadIdx.x] = tile[63 - threadIdx.x];  // @hand over read
  }
}

// Ordering by arrivals is transitive across threads.
__global__ void chain_of_three(int* out) {
  __shared__ std::uint64_t first, second;
  __shared__ int value;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&first, 1u);
    ptx::mbarrier_init(&second, 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    ptx::mbarrier_arrive(&first);
  } else if (threadIdx.x == 32) {
    wait(&first, 0);
    ptx::mbarrier_arrive(&second);
  } else if (threadIdx.x == 64) {
    wait(&second, 0);
    out[0] = value;
  }
}

// Block 0 sets a flag for its value; one thread of block 1 reads the flag and tells the others.
__global__ void told_across_blocks(int* value, int* flag, int* out) {
  __shared__ std::uint64_t seen;
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    *value = 7;
    __threadfence();
    atomicExch(flag, 1);
    return;
  }
  if (threadIdx.x == 0) ptx::mbarrier_init(&seen, 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    ptx::mbarrier_arrive(&seen);
  }
  wait(&seen, 0);
  out[threadIdx.x] = *value;
}

template <bool right>
__global__ void copy_of_new_data(float* data, float* out) {
  __shared__ __align__(128) float stage[kPanel];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1u);
  if (!right) __syncthreads();
  data[threadIdx.x] = 1;  // @new data
  ptx::fence_proxy_async();
  if (right) __syncthreads();
  if (threadIdx.x == 0) {
    fetch(stage, data, &full);
  }
  wait(&full, 0);
  out[threadIdx.x] = stage[threadIdx.x];
}

// 64 floats from `in` to float `first` of 96; only `count` of them are used.
__global__ void copy_somewhere(const float* in, float* out, int first, unsigned count) {
  extern __shared__ __align__(128) float dynamic_floats[];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    fetch(dynamic_floats + first, in, &full);
  }
  __syncthreads();
  wait(&full, 0);
  if (threadIdx.x < count)
    out[threadIdx.x] = dynamic_floats[first + static_cast<int>(threadIdx.x)];  // @use it
}

constexpr unsigned kBoxRows = 8, kBoxColumns = 32;  // floats: rows of 128 bytes

// Copies the box of a whole tensor, and reads the four floats at `place` of the swizzled box.
__global__ void copy_swizzled(const __grid_constant__ CUtensorMap map, float* out, unsigned place) {
  __shared__ __align__(1024) float stage[kBoxRows * kBoxColumns];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   std::uint32_t{sizeof stage});
    const std::int32_t origin[] = {0, 0};
    ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, stage, &map, origin, &full);
  }
  __syncthreads();
  wait(&full, 0);
  if (threadIdx.x < 4) out[threadIdx.x] = stage[place + threadIdx.x];  // @use the box
}

template <bool right>
__global__ void leave_early(const float* in, float* out) {
  __shared__ __align__(128) float stage[kPanel];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    fetch(stage, in, &full);
    if (right) wait(&full, 0);
    out[0] = 1;
  }
}

template <std::uint32_t expected_bytes>
__global__ void count_bytes(const float* in, float* out) {
  __shared__ __align__(128) float stage[kPanel];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    fetch(stage, in, &full, expected_bytes);
  }
  __syncthreads();
  wait(&full, 0);
  out[threadIdx.x] = stage[threadIdx.x];
}

/// When a thread waits for its own copies.
enum class Own {
  waits,
  reads_before,
  waits_for_the_batch_before,
  waits_after_barrier,
  never_waits
};

template <Own own>
__global__ void own_copies(const float* in, float* out, int panels) {
  __shared__ float stage[2][kPanel];
  const auto fetch_own = [&](int p) {
    float* const target = &stage[p % 2][threadIdx.x];
    if (p < panels) __pipeline_memcpy_async(target, in + p * kPanel + threadIdx.x, 4);  // @own copy
    __pipeline_commit();
  };
  fetch_own(0);
  float sum = 0;
  for (int p = 0; p < panels; ++p) {
    fetch_own(p + 1);
    if (own == Own::reads_before) sum += stage[p % 2][threadIdx.x];  // @own early read
    if (own == Own::waits || own == Own::reads_before) __pipeline_wait_prior(1);
    if (own == Own::waits_for_the_batch_before) __pipeline_wait_prior(2);
    __syncthreads();
    if (own == Own::waits_after_barrier) __pipeline_wait_prior(1);
    sum += stage[p % 2][kPanel - 1 - threadIdx.x];  // @own read
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

std::vector<emu::Finding> run_in_orders(unsigned count, const std::function<void()>& launch) {
  emu::take_findings();
  emu::set_schedules(count);
  launch();
  emu::set_schedules(0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  return emu::take_findings();
}

bool has(const std::vector<emu::Finding>& findings, const std::string& kind) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const emu::Finding& f) { return f.kind == kind; });
}

bool has(const Result& result, const std::string& kind, const std::string& line,
         const std::string& other_line) {
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const emu::Finding& f) {
    return f.kind == kind && f.first.line == line && f.second.line == other_line;
  });
}

constexpr int kPanels = 5;

}  // namespace

TEST_CASE("racecheck: a pipeline of copies, whole and with each of its waits left out") {
  Device<float> in(kPanels * kPanel, 0), out(kThreads);
  const auto run = [&](auto kernel) {
    return run_checked([&] { kernel<<<2, kThreads>>>(in, out, kPanels); });
  };
  check_silent(run(pipeline<Fault::none>));

  // Phases are missed, so the kernel may hang later. The first findings name the two lines.
  const Result unread = run(pipeline<Fault::wait_full>);
  REQUIRE(!unread.findings.empty());
  CHECK(has(unread, "uninitialized_read", at("panel read"), ""));
  CHECK(has(unread, "race_raw", at("panel read"), at("copy")));
  for (const Result& refilled :
       {run(pipeline<Fault::wait_empty>), run(pipeline<Fault::arrive_empty>)})
    CHECK(has(refilled, "race_war", at("copy"), at("panel read")));
}

TEST_CASE("initcheck and racecheck: a thread's own copies come when it waits for them") {
  Device<float> in(kPanels * kPanel, 0), out(kThreads);
  const auto run = [&](auto kernel) {
    return run_checked([&] { kernel<<<2, kThreads>>>(in, out, kPanels); });
  };
  check_silent(run(own_copies<Own::waits>));
  CHECK(has(run(own_copies<Own::reads_before>), "uninitialized_read", at("own early read"), ""));
  CHECK(has(run(own_copies<Own::waits_for_the_batch_before>), "uninitialized_read", at("own read"),
            ""));
  CHECK(has(run(own_copies<Own::never_waits>), "uninitialized_read", at("own read"), ""));
  CHECK(has(run(own_copies<Own::waits_after_barrier>), "race_raw", at("own read"), at("own copy")));
}

TEST_CASE("racecheck: a thread's own copies arrive at an mbarrier") {
  Device<float> in(kThreads, 0), out(kThreads);
  const auto run = [&](auto kernel) {
    return run_checked([&] { kernel<<<2, kThreads>>>(in, out); });
  };
  check_silent(run(arriving_copies<true>));
  CHECK(has(run(arriving_copies<false>), "race_raw", at("arriving read"), at("arriving copy")));
  check_silent(run(awaited_copies<true>));
  CHECK(has(run(awaited_copies<false>), "race_raw", at("awaited read"), at("awaited copy")));
}

TEST_CASE("a thread that does not wait for its own copies reads what was there before") {
  Device<float> in(kPanels * kPanel, 0), out(kThreads);
  std::vector<float> result(kThreads);
  const auto first_result = [&](auto kernel) {
    kernel<<<1, kThreads>>>(in, out, kPanels);
    cudaMemcpy(result.data(), out, kThreads * sizeof(float), cudaMemcpyDeviceToHost);
    return result[0];
  };
  CHECK(first_result(own_copies<Own::waits>) == 0);
  CHECK(std::isnan(first_result(own_copies<Own::waits_for_the_batch_before>)));
  CHECK(std::isnan(first_result(own_copies<Own::never_waits>)));
}

TEST_CASE("stores of threads that have waited for all of their copies") {
  constexpr int kPanels = 5, kBlocks = 2, kLanes = 40;
  const Device<float> in(kPanels * kPanel, 0), out(kBlocks * kPanels * kPanel);
  const auto counted = [&](auto kernel, auto... more) {
    CHECK(run_checked([&] { kernel<<<kBlocks, kLanes>>>(in, out, more...); }).findings.empty());
    return emu::take_stores_without_copies();
  };
  emu::take_stores_without_copies();
  CHECK(counted(stores_panels<1>, kPanels) == kBlocks * kLanes);
  CHECK(counted(stores_panels<0>, kPanels) == kBlocks * kLanes * kPanels);
  CHECK(counted(stores_panels<0>, 1) == kBlocks * kLanes);
  // Copies that arrive at an mbarrier are not waited for here, and other loads are no copies.
  run_checked([&] { arriving_copies<true><<<1, kThreads>>>(in, out); });
  CHECK(emu::take_stores_without_copies() == 0);
  CHECK(counted(stores_plainly, kPanels) == 0);
}

TEST_CASE("racecheck: who knows that a copy has come") {
  Device<float> in(kPanel, 0), out(kThreads, 0);
  const auto run = [&](auto kernel) {
    return run_checked([&] { kernel<<<1, kThreads>>>(in, out); });
  };
  check_silent(run(one_copy<Learn::waits>));
  check_silent(run(one_copy<Learn::one_waits_then_barrier>));
  check_silent(run(one_copy<Learn::one_waits_then_syncwarp>));
  const Expected early{.kind = "race_raw",
                       .line = at("one read"),
                       .thread = "(0,0,0)",
                       .other_line = at("copy"),
                       .other_thread = "(0,0,0)"};
  const Result barrier = run(one_copy<Learn::barrier>);
  check_finding(barrier.findings, early);
  const auto raw = std::find_if(barrier.findings.begin(), barrier.findings.end(),
                                [](const emu::Finding& f) { return f.kind == "race_raw"; });
  CHECK(raw->title == "race (read after write) in shared memory with a copy that is on its way");
  CHECK(raw->second.action == "copy");
  Expected past_a_wait = early;  // the lanes that did not start the copy come first
  past_a_wait.thread = "(1,0,0)";
  check_finding(run(one_copy<Learn::wrong_parity>).findings, past_a_wait);
  check_finding(run(one_copy<Learn::own_thread_only>).findings, early);
}

TEST_CASE("racecheck: an mbarrier is used before all know that it was made") {
  const auto run = [](auto kernel) { return run_checked([&] { kernel<<<1, kThreads>>>(); }); };
  Expected early{.kind = "race_waw",
                 .line = at("first use"),
                 .thread = "(32,0,0)",
                 .other_line = at("init"),
                 .other_thread = "(0,0,0)"};
  check_finding(run(barrier_in_use<Use::arrives, false>).findings, early);
  check_silent(run(barrier_in_use<Use::arrives, true>));
  early.kind = "race_raw";
  early.line = at("wait");
  check_finding(run(barrier_in_use<Use::waits, false>).findings, early);
  check_silent(run(barrier_in_use<Use::waits, true>));
}

TEST_CASE("racecheck: arrivals order what was before them") {
  Device<int> values(kThreads, 0);
  check_finding(run_checked([&] { hand_over<false><<<1, kThreads>>>(values); }).findings,
                {.kind = "race_raw",
                 .line = at("hand over read"),
                 .thread = "(32,0,0)",
                 .other_line = at("hand over write"),
                 .other_thread = "(31,0,0)"});
  check_silent(run_checked([&] { hand_over<true><<<3, kThreads>>>(Device<int>(kThreads, 0)); }));
  check_silent(run_checked([&] { chain_of_three<<<1, 96>>>(values); }));
  Device<int> value(1), flag(1, 0);
  check_silent(run_checked([&] { told_across_blocks<<<2, kThreads>>>(value, flag, values); }));
}

TEST_CASE("racecheck: a copy reads what another thread has just written") {
  Device<float> data(kPanel, 0), out(kThreads);
  check_finding(run_checked([&] { copy_of_new_data<false><<<1, kThreads>>>(data, out); }).findings,
                {.kind = "race_raw",
                 .line = at("copy"),
                 .thread = "(0,0,0)",
                 .other_line = at("new data"),
                 .other_thread = "(32,0,0)"});
  check_silent(run_checked([&] { copy_of_new_data<true><<<1, kThreads>>>(data, out); }));
}

TEST_CASE("memcheck: copies past the end of their target and of their source") {
  Device<float> in(kPanel + 1, 0), out(kThreads);
  constexpr std::size_t kDynamicBytes = 96 * sizeof(float);
  check_silent(
      run_checked([&] { copy_somewhere<<<1, kThreads, kDynamicBytes>>>(in, out, 32, kThreads); }));
  const Result target =
      run_checked([&] { copy_somewhere<<<1, kThreads, kDynamicBytes>>>(in, out, 64, kThreads); });
  check_finding(target.findings,
                {.kind = "out_of_bounds", .line = at("copy"), .thread = "(0,0,0)"});
  CHECK(target.error == cudaErrorIllegalAddress);
  const Result source = run_checked(
      [&] { copy_somewhere<<<1, kThreads, kDynamicBytes>>>(in + 4, out, 0, kThreads - 4); });
  check_finding(source.findings,
                {.kind = "out_of_bounds", .line = at("copy"), .thread = "(0,0,0)"});
  CHECK(source.findings.front().tool == "memcheck");
  CHECK(source.error == cudaSuccess);  // within a page that the device has allocated
}

TEST_CASE("initcheck: a copy carries what its source has") {
  Device<float> in(kPanel), out(kThreads);
  constexpr std::size_t kDynamicBytes = 96 * sizeof(float);
  emu::set_checking(emu::kAllChecks);
  Device<float> half(kPanel);
  cudaMemset(half, 0, kPanelBytes / 2);
  check_silent(run_checked(
      [&] { copy_somewhere<<<1, kThreads, kDynamicBytes>>>(half, out, 0, kPanel / 2); }));
  check_finding(
      run_checked([&] {
        copy_somewhere<<<1, kThreads, kDynamicBytes>>>(half, out, 0, kPanel);
      }).findings,
      {.kind = "uninitialized_read", .line = at("use it"), .thread = "(32,0,0)", .count = 32});
}

TEST_CASE("initcheck: what a swizzled copy carries goes where its bytes go") {
  emu::set_checking(emu::kAllChecks);  // existing memory counts as written
  Device<float> in(kBoxRows * kBoxColumns), out(4);
  const CUtensorMap map = [&] {
    CUtensorMap made;
    const cuuint64_t sizes[] = {kBoxColumns, kBoxRows}, strides[] = {kBoxColumns * sizeof(float)};
    const cuuint32_t box[] = {kBoxColumns, kBoxRows}, steps[] = {1, 1};
    REQUIRE(cuTensorMapEncodeTiled(&made, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in.data, sizes,
                                   strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                   CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    return made;
  }();
  // All of row 3 but its first 16 bytes, which the swizzle moves to the row's fourth piece.
  constexpr unsigned kRow = 3 * kBoxColumns, kPiece = 4;
  cudaMemset(in, 0, kRow * sizeof(float));
  cudaMemset(in + kRow + kPiece, 0, (kBoxRows * kBoxColumns - kRow - kPiece) * sizeof(float));
  const auto run = [&](unsigned place) {
    return run_checked([&] { copy_swizzled<<<1, kThreads>>>(map, out, place); });
  };
  check_silent(run(kRow));
  check_finding(
      run(kRow + 3 * kPiece).findings,
      {.kind = "uninitialized_read", .line = at("use the box"), .thread = "(0,0,0)", .count = 4});
}

TEST_CASE("synccheck: a block that ends before its copy, and a phase that never does") {
  Device<float> in(kPanel, 0), out(kThreads);
  check_finding(run_checked([&] { leave_early<false><<<1, 32>>>(in, out); }).findings,
                {.kind = "unfinished_copy", .line = at("copy"), .thread = "(0,0,0)"});
  check_silent(run_checked([&] { leave_early<true><<<1, 32>>>(in, out); }));

  check_silent(run_checked([&] { count_bytes<kPanelBytes><<<1, kThreads>>>(in, out); }));
  const Result hang = run_checked([&] { count_bytes<kPanelBytes + 4><<<1, kThreads>>>(in, out); });
  check_finding(hang.findings, {.kind = "hang", .line = at("wait"), .thread = "(0,0,0)"});
  CHECK(hang.findings.front().title ==
        "the kernel hangs: block can never go on: 64 threads wait at an mbarrier (" + at("wait") +
            "), which waits for 0 arrivals and 4 bytes");
  CHECK(hang.error == cudaErrorLaunchTimeout);
}

TEST_CASE("schedules: copies that come at any time") {
  Device<float> in(kPanels * kPanel), out(kThreads);
  std::vector<float> panels;
  for (int i = 0; i < kPanels * kPanel; ++i) panels.push_back(static_cast<float>(i % 37));
  cudaMemcpy(in, panels.data(), panels.size() * sizeof(float), cudaMemcpyHostToDevice);
  CHECK(
      run_in_orders(6, [&] { pipeline<Fault::none><<<2, kThreads>>>(in, out, kPanels); }).empty());
  const auto early =
      run_in_orders(24, [&] { pipeline<Fault::wait_empty><<<2, kThreads>>>(in, out, kPanels); });
  CHECK(has(early, "output_differs"));
  CHECK(
      run_in_orders(6, [&] { own_copies<Own::waits><<<2, kThreads>>>(in, out, kPanels); }).empty());
  const auto own =
      run_in_orders(6, [&] { own_copies<Own::never_waits><<<2, kThreads>>>(in, out, kPanels); });
  CHECK(has(own, "output_differs"));
}
