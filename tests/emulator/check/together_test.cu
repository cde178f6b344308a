// Blocks that cooperate in a cluster or a cooperative grid, or by waiting for a later block: each
// wrong kernel is reported, its fixed twin is not.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "checked.hpp"
#include "emulator/cluster_launch.hpp"

using namespace check_tests;
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

namespace {

constexpr unsigned kThreads = 64;
constexpr std::uint32_t kTileBytes = kThreads * sizeof(float);

std::string at(const char* tag) { return line_of(__FILE__, tag); }

template <class... Parameters, class... Arguments>
Result run_together(const Together& together, unsigned blocks, void (*kernel)(Parameters...),
                    Arguments... arguments) {
  return run_checked([&] {
    REQUIRE(launch_together(together, blocks, kThreads, kernel, arguments...) == cudaSuccess);
  });
}

// ------------------------------------------------------------------------------------- clusters

template <bool right>
__global__ void read_mates(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  const unsigned mate = (cluster.block_rank() + 1) % cluster.num_blocks();
  mine[threadIdx.x] = static_cast<int>(blockIdx.x);  // @mates write
  if (right)
    cluster.sync();
  else
    __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] =
      cluster.map_shared_rank(mine, mate)[threadIdx.x];  // @mates read
  cluster.sync();
}

// Block 0 reads block 1's values; block 1 continues with writes.
template <bool right>
__global__ void write_after_mates_read(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  mine[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() == 0)
    out[threadIdx.x] = cluster.map_shared_rank(mine, 1)[threadIdx.x];  // @war read
  if (right) cluster.sync();
  if (cluster.block_rank() == 1) mine[threadIdx.x] = 2;  // @war write
  cluster.sync();
}

// All blocks write to block 0's memory.
template <bool right>
__global__ void write_to_first(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int box[4][kThreads];
  int* const first = cluster.map_shared_rank(&box[0][0], 0);
  const unsigned row = right ? cluster.block_rank() : 0;
  cluster.sync();
  first[row * kThreads + threadIdx.x] = static_cast<int>(blockIdx.x);  // @first write
  cluster.sync();
  if (cluster.block_rank() == 0) out[threadIdx.x] = box[0][threadIdx.x];
}

// Between arriving and waiting, a thread may access its own values.
template <bool right>
__global__ void between_halves(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int given[kThreads], own[kThreads];
  given[threadIdx.x] = static_cast<int>(blockIdx.x);
  cluster.barrier_arrive();
  (right ? own : given)[threadIdx.x] = 7;  // @halves write
  cluster.barrier_wait();
  const unsigned mate = 1 - cluster.block_rank();
  int sum = cluster.map_shared_rank(given, mate)[threadIdx.x];  // @halves read
  sum += own[threadIdx.x] == 7;
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
  cluster.sync();
}

// Block 1 reads from block 0, which may have ended by then.
template <bool right>
__global__ void stay_for_reader(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  mine[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() == 1)
    out[threadIdx.x] = cluster.map_shared_rank(mine, 0)[threadIdx.x];  // @end read
  if (right) cluster.sync();
}

// The same with blocks exchanged: in this order of blocks, block 1 has ended.
__global__ void read_ended(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  mine[threadIdx.x] = 1;
  cluster.sync();
  if (cluster.block_rank() == 0)
    out[threadIdx.x] = cluster.map_shared_rank(mine, 1)[threadIdx.x];  // @ended
}

// Copies its own row and the mate's, one element too far.
template <bool right>
__global__ void read_past_the_end(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  mine[threadIdx.x] = 1;
  cluster.sync();
  const unsigned mate = 1 - cluster.block_rank();
  out[threadIdx.x] = cluster.map_shared_rank(mine, mate)[threadIdx.x + (right ? 0 : 1)];  // @past
  cluster.sync();
}

template <bool right>
__global__ void read_unwritten(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int mine[kThreads];
  if (right || cluster.block_rank() == 0) mine[threadIdx.x] = 1;
  cluster.sync();
  const unsigned mate = 1 - cluster.block_rank();
  if (cluster.block_rank() == 0)
    out[threadIdx.x] = cluster.map_shared_rank(mine, mate)[threadIdx.x];  // @unwritten
  cluster.sync();
}

__device__ void wait(std::uint64_t* barrier) {
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, 0u)) {
  }
}

// Block 1 passes a box to block 0 and arrives at that block's mbarrier.
template <bool right>
__global__ void hand_over(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int box[kThreads];
  __shared__ std::uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, kThreads);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  if (cluster.block_rank() == 1) {
    cluster.map_shared_rank(box, 0)[threadIdx.x] = 3;  // @box write
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&full, 0));
  } else {
    if (right || threadIdx.x < 32) wait(&full);
    out[threadIdx.x] = box[threadIdx.x];  // @box read
  }
  cluster.sync();
}

// Block 0 copies a tile to all blocks; each waits at its own mbarrier.
template <bool right>
__global__ void spread(const float* in, float* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ alignas(128) float tile[kThreads];
  __shared__ std::uint64_t full;
  tile[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   kTileBytes);
  }
  cluster.sync();
  constexpr auto kTo = ptx::space_cluster;
  constexpr std::uint16_t kAll = 3;
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    ptx::cp_async_bulk(kTo, ptx::space_global, tile, in, kTileBytes, &full, kAll);  // @spread copy
  if (right || cluster.block_rank() == 0 || threadIdx.x >= 32) wait(&full);
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];  // @spread read
  wait(&full);
  cluster.sync();
}

// Each block copies a tile of its own to the other one.
template <bool right>
__global__ void exchange(float* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ alignas(128) float from[kThreads], to[kThreads];
  __shared__ std::uint64_t full;
  from[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   kTileBytes);
  }
  cluster.barrier_arrive();
  cluster.barrier_wait();
  if (!right) from[threadIdx.x] = 2;  // @exchange again
  if (threadIdx.x == 0) {
    const int peer = static_cast<int>(cluster.block_rank() ^ 1);
    float* const target = cluster.map_shared_rank(&to[0], peer);
    std::uint64_t* const arrives_at = cluster.map_shared_rank(&full, peer);
    constexpr auto kTo = ptx::space_cluster;
    constexpr auto kFrom = ptx::space_shared;
    ptx::cp_async_bulk(kTo, kFrom, target, &from[0], kTileBytes, arrives_at);  // @exchange copy
  }
  wait(&full);
  out[blockIdx.x * kThreads + threadIdx.x] = to[threadIdx.x];
  cluster.sync();
}

// ---------------------------------------------------------------------------- cooperative grids

template <bool right>
__global__ void sum_of_all(int* partial, int* out) {
  __shared__ int own;
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) own = static_cast<int>(blockIdx.x);
  __syncthreads();
  partial[blockIdx.x * kThreads + threadIdx.x] = own;  // @grid write
  if (right) grid.sync();
  int sum = own - own;  // a block's shared memory has kept its contents
  for (unsigned block = 0; block < gridDim.x; ++block)
    sum += partial[block * kThreads + threadIdx.x];  // @grid read
  grid.sync();
  if (blockIdx.x == 0) out[threadIdx.x] = sum;
}

// A barrier of the grid does not complete a copy that no thread has waited for.
template <bool right>
__global__ void copy_across_grid(const float* in, float* out) {
  __shared__ alignas(128) float tile[kThreads];
  __shared__ std::uint64_t full;
  tile[threadIdx.x] = 0;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   kTileBytes);
    constexpr auto kFrom = ptx::space_global;
    ptx::cp_async_bulk(ptx::space_shared, kFrom, tile, in, kTileBytes, &full);  // @across copy
  }
  cg::this_grid().sync();
  if (right) wait(&full);
  out[blockIdx.x * kThreads + threadIdx.x] = tile[threadIdx.x];  // @across read
  wait(&full);
}

// ------------------------------------------------------------------------ waiting for later ones

// Each block waits for the next one and adds up.
template <bool right>
__global__ void from_the_last(int* value, int* flag) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  if (blockIdx.x + 1 < gridDim.x) {
    while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) {
    }
    if (right) __threadfence();
    sum = value[blockIdx.x + 1];  // @later read
  }
  value[blockIdx.x] = sum + 1;  // @later write
  if (right) __threadfence();
  atomicExch(&flag[blockIdx.x], 1);
}

// The same with shared memory that each block has filled before waiting.
__global__ void keeps_its_own(int* flag, int* out) {
  __shared__ int own[kThreads];
  own[threadIdx.x] = static_cast<int>(blockIdx.x);
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
    while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0) {
    }
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = own[kThreads - 1 - threadIdx.x];
  if (threadIdx.x == 0) atomicExch(&flag[blockIdx.x], 1);
}

// The last block to write determines what all others read.
template <bool right>
__global__ void last_of_cluster(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int last;
  cluster.sync();
  int* const first = cluster.map_shared_rank(&last, 0);
  if (threadIdx.x == 0 && (!right || cluster.block_rank() == 3))
    *first = static_cast<int>(cluster.block_rank());
  cluster.sync();
  out[blockIdx.x * kThreads + threadIdx.x] = *first;
  cluster.sync();
}

template <bool right>
__global__ void last_of_grid(int* last, int* out) {
  if (threadIdx.x == 0 && (!right || blockIdx.x == 3)) *last = static_cast<int>(blockIdx.x);
  cg::this_grid().sync();
  out[blockIdx.x * kThreads + threadIdx.x] = *last;
}

/// Returns the findings of other orders of lanes and blocks.
template <class... Parameters, class... Arguments>
std::vector<emu::Finding> run_in_orders(const Together& together, void (*kernel)(Parameters...),
                                        Arguments... arguments) {
  constexpr unsigned kOrders = 8, kBlocks = 4;
  emu::take_findings();
  emu::set_schedules(kOrders, kBlocks);
  REQUIRE(launch_together(together, kBlocks, kThreads, kernel, arguments...) == cudaSuccess);
  emu::set_schedules(0);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  return emu::take_findings();
}

const Together kPair{{2, 1, 1}};
const Together kFour{{4, 1, 1}};
const Together kGrid{{0, 0, 0}, true};

}  // namespace

TEST_CASE("a block reads what another one of its cluster has written") {
  Device<int> out(8 * kThreads, 0);
  for (const Together& together : {kPair, kFour}) {
    check_silent(run_together(together, 8, read_mates<true>, out.data));
    const Result wrong = run_together(together, 8, read_mates<false>, out.data);
    check_finding(wrong.findings, {.kind = "absent_block",
                                   .line = at("mates read"),
                                   .thread = "(0,0,0)",
                                   .block = "(0,0,0)"});
    CHECK(wrong.error == cudaErrorLaunchFailure);
  }
}

TEST_CASE("a block writes again what another one of its cluster reads") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kPair, 2, write_after_mates_read<true>, out.data));
  const Result wrong = run_together(kPair, 2, write_after_mates_read<false>, out.data);
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("war read"),
                                 .block = "(0,0,0)",
                                 .other_line = at("war write"),
                                 .other_block = "(1,0,0)",
                                 .count = kThreads});
  CHECK(wrong.findings[0].title ==
        "race (read after write) in shared memory between blocks of a cluster");
}

TEST_CASE("blocks write to one place in another one's shared memory") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kFour, 4, write_to_first<true>, out.data));
  const Result wrong = run_together(kFour, 4, write_to_first<false>, out.data);
  check_finding(wrong.findings, {.kind = "race_waw",
                                 .line = at("first write"),
                                 .block = "(0,0,0)",
                                 .other_line = at("first write"),
                                 .other_block = "(3,0,0)",
                                 .count = 3 * kThreads});
  CHECK(wrong.findings[0].memory == "byte 0 of __shared__ box (1024 bytes)");
}

TEST_CASE("what a thread does between the halves of a barrier is after it for nobody") {
  Device<int> out(2 * kThreads, 0);
  check_silent(run_together(kPair, 2, between_halves<true>, out.data));
  const Result wrong = run_together(kPair, 2, between_halves<false>, out.data);
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("halves read"),
                                 .block = "(1,0,0)",
                                 .other_line = at("halves write"),
                                 .other_block = "(0,0,0)"});
}

TEST_CASE("a block stays until others have read its memory") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kPair, 2, stay_for_reader<true>, out.data));
  const Result wrong = run_together(kPair, 2, stay_for_reader<false>, out.data);
  check_finding(wrong.findings, {.kind = "early_end",
                                 .line = at("end read"),
                                 .thread = "(0,0,0)",
                                 .block = "(1,0,0)",
                                 .other_block = "(0,0,0)",
                                 .count = kThreads});
  CHECK(wrong.error == cudaSuccess);
}

TEST_CASE("a block reads from one that has ended") {
  Device<int> out(kThreads, 0);
  const Result wrong = run_together(kPair, 2, read_ended, out.data);
  check_finding(wrong.findings, {.kind = "absent_block", .line = at("ended"), .block = "(0,0,0)"});
}

TEST_CASE("an access past the end of another block's variable") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kPair, 2, read_past_the_end<true>, out.data));
  const Result wrong = run_together(kPair, 2, read_past_the_end<false>, out.data);
  check_finding(
      wrong.findings,
      {.kind = "out_of_bounds", .line = at("past"), .thread = "(63,0,0)", .block = "(1,0,0)"});
  CHECK(wrong.findings[0].memory ==
        "0 bytes past the end of __shared__ mine (256 bytes) of block (0,0,0)");
  CHECK(wrong.error == cudaErrorIllegalAddress);
}

TEST_CASE("shared memory of another block that nothing wrote") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kPair, 2, read_unwritten<true>, out.data));
  const Result wrong = run_together(kPair, 2, read_unwritten<false>, out.data);
  check_finding(wrong.findings, {.kind = "uninitialized_read",
                                 .line = at("unwritten"),
                                 .block = "(0,0,0)",
                                 .count = kThreads});
}

TEST_CASE("an arrival at another block's mbarrier hands over what came before") {
  Device<int> out(kThreads, 0);
  check_silent(run_together(kPair, 2, hand_over<true>, out.data));
  const Result wrong = run_together(kPair, 2, hand_over<false>, out.data);
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("box read"),
                                 .thread = "(32,0,0)",
                                 .block = "(0,0,0)",
                                 .other_line = at("box write"),
                                 .other_thread = "(32,0,0)",
                                 .other_block = "(1,0,0)"});
}

TEST_CASE("copies that a cluster shares") {
  Device<float> in(kThreads, 0), out(2 * kThreads, 0);
  check_silent(run_together(kPair, 2, spread<true>, in.data, out.data));
  const Result wrong = run_together(kPair, 2, spread<false>, in.data, out.data);
  check_finding(wrong.findings, {.kind = "race_war",
                                 .line = at("spread copy"),
                                 .thread = "(0,0,0)",
                                 .block = "(0,0,0)",
                                 .other_line = at("spread read"),
                                 .other_thread = "(0,0,0)",
                                 .other_block = "(1,0,0)"});
  CHECK(wrong.findings[0].memory == "byte 0 of __shared__ tile (256 bytes) of block (1,0,0)");
}

TEST_CASE("copies from a block's shared memory to another's") {
  Device<float> out(2 * kThreads, 0);
  check_silent(run_together(kPair, 2, exchange<true>, out.data));
  const Result wrong = run_together(kPair, 2, exchange<false>, out.data);
  check_finding(
      wrong.findings,
      {.kind = "race_war", .line = at("exchange again"), .other_line = at("exchange copy")});
}

TEST_CASE("blocks of a grid that meets, and of one that does not") {
  Device<int> partial(4 * kThreads, 0), out(kThreads, 0);
  check_silent(run_together(kGrid, 4, sum_of_all<true>, partial.data, out.data));
  const Result wrong = run_together(kGrid, 4, sum_of_all<false>, partial.data, out.data);
  check_finding(wrong.findings, {.kind = "race_war",
                                 .line = at("grid write"),
                                 .block = "(1,0,0)",
                                 .other_line = at("grid read"),
                                 .other_block = "(0,0,0)"});
}

TEST_CASE("a copy is on its way though the grid has met") {
  Device<float> in(kThreads, 0), out(2 * kThreads, 0);
  check_silent(run_together(kGrid, 2, copy_across_grid<true>, in.data, out.data));
  const Result wrong = run_together(kGrid, 2, copy_across_grid<false>, in.data, out.data);
  check_finding(wrong.findings,
                {.kind = "race_raw", .line = at("across read"), .other_line = at("across copy")});
}

TEST_CASE("a block waits for a later one") {
  Device<int> value(6, 0), flag(6, 0);
  const auto run = [&](void (*kernel)(int*, int*)) {
    cudaMemset(flag, 0, 6 * sizeof(int));
    return run_checked([&] { kernel<<<6, kThreads>>>(value, flag); });
  };
  check_silent(run(from_the_last<true>));
  int sum = 0;
  REQUIRE(cudaMemcpy(&sum, value.data, sizeof(int), cudaMemcpyDefault) == cudaSuccess);
  CHECK(sum == 6);
  const Result wrong = run(from_the_last<false>);
  check_finding(wrong.findings, {.kind = "race_raw",
                                 .line = at("later read"),
                                 .thread = "(0,0,0)",
                                 .other_line = at("later write"),
                                 .other_thread = "(0,0,0)"});
}

TEST_CASE("a block that has waited finds its shared memory again") {
  Device<int> flag(6, 0), out(6 * kThreads, 0);
  check_silent(run_checked([&] { keeps_its_own<<<6, kThreads>>>(flag, out); }));
}

TEST_CASE("other orders show what depends on the order of a cluster's or a grid's blocks") {
  Device<int> last(1, 0), out(4 * kThreads, 0);
  CHECK(run_in_orders(kFour, last_of_cluster<true>, out.data).empty());
  CHECK(run_in_orders(kGrid, last_of_grid<true>, last.data, out.data).empty());
  for (const auto& findings : {run_in_orders(kFour, last_of_cluster<false>, out.data),
                               run_in_orders(kGrid, last_of_grid<false>, last.data, out.data)}) {
    REQUIRE(!findings.empty());
    CHECK(findings[0].kind == "output_differs");
  }
}
