// Shared memory read by tensor cores and bulk stores, from the request until a wait: each wrong
// kernel is reported, its fixed twin is not.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdint>
#include <cuda/ptx>

#include "checked.hpp"
#include "emulator/cluster_launch.hpp"

using namespace check_tests;
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

namespace {

std::string at(const char* tag) { return line_of(__FILE__, tag); }

constexpr auto kShared = ptx::space_shared;
constexpr auto kGlobal = ptx::space_global;
constexpr auto kCluster = ptx::space_cluster;

constexpr unsigned kThreads = 128;
constexpr unsigned kA = 64 * 16, kB = 8 * 16;  // halves: core matrices one after the other

struct __align__(128) Stage {
  std::uint32_t a[kA / 2], b[kB / 2];
};

__device__ std::uint64_t descriptor(const void* matrix) {
  constexpr std::uint64_t kLeading = 128, kStride = 256;
  return (__cvta_generic_to_shared(matrix) & 0x3ffff) >> 4 | kLeading / 16 << 16 |
         kStride / 16 << 32;
}

/// D += A B of a stage.
__device__ __forceinline__ void multiply(float (&d)[4], const Stage& stage) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(  // @wgmma
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
      "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(descriptor(stage.a)), "l"(descriptor(stage.b))
      : "memory");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int groups>
__device__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(groups) : "memory");
}

__device__ void fill(Stage& stage, std::uint32_t value) {
  for (unsigned i = threadIdx.x; i < kA / 2; i += kThreads) stage.a[i] = value;  // @fill A
  for (unsigned i = threadIdx.x; i < kB / 2; i += kThreads) stage.b[i] = value;  // @fill B
}

constexpr std::uint32_t kOnes = 0x3c003c00;

// ------------------------------------------------------------------------ ordinary stores, a fence

enum class Fence { writers, before_stores, none, after_barrier, one_thread_between_barriers };

template <Fence fence>
__global__ void stores_then_product(float* out) {
  __shared__ Stage stage;
  if (fence == Fence::before_stores) ptx::fence_proxy_async();
  fill(stage, kOnes);
  if (fence == Fence::writers) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (fence == Fence::after_barrier) ptx::fence_proxy_async(ptx::space_shared);
  if (fence == Fence::one_thread_between_barriers) {
    if (threadIdx.x == 40) ptx::fence_proxy_async();
    __syncthreads();
  }
  float d[4] = {};
  multiply(d, stage);
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// A warp stores the data that it multiplies itself, lane by lane.
template <bool right>
__global__ void own_stores(float* out) {
  __shared__ Stage stage;
  fill(stage, kOnes);
  ptx::fence_proxy_async();
  if (right) __syncthreads();
  float d[4] = {};
  multiply(d, stage);
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// Stores that come too early.

enum class Wait { before_barrier, after_barrier, none };

template <Wait wait>
__global__ void fill_again(float* out) {
  __shared__ Stage stage;
  float d[4] = {};
  for (int round = 0; round < 3; ++round) {
    fill(stage, kOnes);
    ptx::fence_proxy_async();
    __syncthreads();
    multiply(d, stage);
    if (wait == Wait::before_barrier) wait_for_products<0>();
    __syncthreads();
    if (wait == Wait::after_barrier) wait_for_products<0>();
  }
  if (wait == Wait::none) wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// Two stages in turn: all products but the newest have completed when a stage is refilled.
template <int groups>
__global__ void two_stages(float* out) {
  __shared__ Stage stages[2];
  float d[4] = {};
  for (int round = 0; round < 6; ++round) {
    fill(stages[round % 2], kOnes);
    ptx::fence_proxy_async();
    __syncthreads();
    multiply(d, stages[round % 2]);
    wait_for_products<groups>();
    __syncthreads();
  }
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// A pipeline of copies.

constexpr int kStages = 3;
constexpr unsigned kStageBytes = sizeof(Stage);

__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

/// The stage to release after waiting for all products but the newest.
enum class Release { previous, current };

// The fifth warp copies, the first four multiply. One lane of each reports that a stage is free.
template <Release release>
__global__ void pipeline(const std::uint32_t* in, float* out, int rounds) {
  __shared__ Stage stages[kStages];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0)
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1u);
      ptx::mbarrier_init(&empty[s], 4u);
    }
  __syncthreads();
  if (threadIdx.x >= kThreads) {
    if (threadIdx.x != kThreads) return;
    for (int round = 0; round < rounds; ++round) {
      const int s = round % kStages;
      if (round >= kStages) wait(&empty[s], (round / kStages + 1) % 2);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     kStageBytes);
      ptx::cp_async_bulk(kShared, kGlobal, &stages[s], in, kStageBytes, &full[s]);  // @copy
    }
    return;
  }
  float d[4] = {};
  for (int round = 0; round < rounds; ++round) {
    const int s = round % kStages;
    wait(&full[s], round / kStages % 2);
    multiply(d, stages[s]);
    wait_for_products<1>();
    const int over = release == Release::current ? s : (round + kStages - 1) % kStages;
    if (threadIdx.x % 32 == 7 && (release == Release::current || round > 0))
      ptx::mbarrier_arrive(&empty[over]);
  }
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// Block 0 fills the stage of both blocks of its cluster after all warps have told it that they are
// done.
template <bool right>
__global__ void multicast(const std::uint32_t* in, float* out, int rounds) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ Stage stage;
  __shared__ std::uint64_t full, empty;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1u);
    ptx::mbarrier_init(&empty, 8u);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  cluster.sync();
  float d[4] = {};
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0)
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     kStageBytes);
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
      if (round > 0) wait(&empty, (round - 1) % 2);
      const std::uint16_t both = 3;
      ptx::cp_async_bulk(kCluster, kGlobal, &stage, in, kStageBytes, &full, both);  // @multicast
    }
    wait(&full, round % 2);
    multiply(d, stage);
    if (right) wait_for_products<0>();
    if (threadIdx.x % 32 == 0)
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                           cluster.map_shared_rank(&empty, 0));
    if (!right) wait_for_products<0>();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = d[0];
  cluster.sync();
}

__global__ void never_waits(float* out) {
  __shared__ Stage stage;
  fill(stage, kOnes);
  ptx::fence_proxy_async();
  __syncthreads();
  float d[4] = {};
  multiply(d, stage);
  wait_for_products<1>();
  out[threadIdx.x] = d[0];
}

__global__ void leads_outside(float* out) {
  __shared__ Stage stage;
  fill(stage, kOnes);
  ptx::fence_proxy_async();
  __syncthreads();
  float d[4] = {};
  multiply(d, *reinterpret_cast<const Stage*>(reinterpret_cast<const char*>(&stage) + 2048));
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

__global__ void reads_nothing(float* out, bool all) {
  __shared__ Stage stage;
  if (all) fill(stage, kOnes);
  float d[4] = {};
  multiply(d, stage);
  wait_for_products<0>();
  out[threadIdx.x] = d[0];
}

// ------------------------------------------------------------------------------------- bulk stores

enum class Store { right, no_fence, no_wait, wait_too_few, other_thread_waits };

constexpr unsigned kWords = 128;

template <Store how>
__global__ void store_twice(std::uint32_t* out) {
  __shared__ __align__(128) std::uint32_t part[2][kWords];
  for (int round = 0; round < 4; ++round) {
    part[round % 2][threadIdx.x] = round;  // @part
    if (how != Store::no_fence) ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      std::uint32_t* const to = out + round * kWords;
      ptx::cp_async_bulk(kGlobal, kShared, to, part[round % 2], kWords * 4);  // @store
      ptx::cp_async_bulk_commit_group();
      if (how == Store::wait_too_few) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<2>());
      if (how == Store::right || how == Store::no_fence)
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    }
    if (how == Store::other_thread_waits && threadIdx.x == 1)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    __syncthreads();
  }
  if (threadIdx.x == 0 && how != Store::no_wait) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Both blocks store to the same address.
__global__ void store_to_one_place(std::uint32_t* out) {
  __shared__ __align__(128) std::uint32_t part[kWords];
  part[threadIdx.x] = blockIdx.x;
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(kGlobal, kShared, out, part, kWords * 4);  // @same place
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

__global__ void add_one(std::uint32_t* values) { values[threadIdx.x] += 1; }

bool has(const Result& result, const std::string& kind, const std::string& line,
         const std::string& other_line) {
  return std::any_of(result.findings.begin(), result.findings.end(), [&](const emu::Finding& f) {
    return f.kind == kind && f.first.line == line && f.second.line == other_line;
  });
}

template <class Kernel, class... Arguments>
Result run(Kernel kernel, unsigned blocks, unsigned threads, Arguments... arguments) {
  return run_checked([&] { kernel<<<blocks, threads>>>(arguments...); });
}

}  // namespace

TEST_CASE("racecheck: ordinary stores, then a product, and where the fence stands between them") {
  Device<float> out(kThreads);
  check_silent(run(stores_then_product<Fence::writers>, 2, kThreads, out.data));
  check_silent(run(stores_then_product<Fence::after_barrier>, 2, kThreads, out.data));
  check_silent(run(stores_then_product<Fence::one_thread_between_barriers>, 1, kThreads, out.data));
  for (const auto kernel :
       {stores_then_product<Fence::none>, stores_then_product<Fence::before_stores>}) {
    const Result result = run(kernel, 1, kThreads, out.data);
    CHECK(result.findings.size() == 2);
    CHECK(has(result, "missing_proxy_fence", at("wgmma"), at("fill A")));
    CHECK(has(result, "missing_proxy_fence", at("wgmma"), at("fill B")));
    for (const emu::Finding& f : result.findings) {
      CHECK(f.first.action == "wgmma");
      CHECK(f.title.find("without fence.proxy.async") != std::string::npos);
    }
  }
}

TEST_CASE("racecheck: a product of what other warps have not said to be there") {
  Device<float> out(kThreads);
  check_silent(run(own_stores<true>, 1, kThreads, out.data));
  const Result result = run(own_stores<false>, 1, kThreads, out.data);
  CHECK(has(result, "race_raw", at("wgmma"), at("fill A")));
}

TEST_CASE("racecheck: stores into what a product still reads") {
  Device<float> out(kThreads);
  check_silent(run(fill_again<Wait::before_barrier>, 2, kThreads, out.data));
  for (const auto kernel : {fill_again<Wait::none>, fill_again<Wait::after_barrier>}) {
    const Result result = run(kernel, 1, kThreads, out.data);
    CHECK(has(result, "race_war", at("fill A"), at("wgmma")));
    CHECK(has(result, "race_war", at("fill B"), at("wgmma")));
  }
  check_silent(run(two_stages<0>, 1, kThreads, out.data));
  check_silent(run(two_stages<1>, 1, kThreads, out.data));
  CHECK(has(run(two_stages<2>, 1, kThreads, out.data), "race_war", at("fill A"), at("wgmma")));
}

TEST_CASE("racecheck: a stage is released while its product is on its way: a wait too few") {
  Device<std::uint32_t> in(kStageBytes / 4, 0);
  Device<float> out(kThreads);
  check_silent(run(pipeline<Release::previous>, 2, kThreads + 32, in.data, out.data, 10));
  const Result result = run(pipeline<Release::current>, 1, kThreads + 32, in.data, out.data, 10);
  REQUIRE(has(result, "race_war", at("copy"), at("wgmma")));
  CHECK(result.findings.size() == 1);
  CHECK(result.findings[0].title ==
        "race (write after read) in shared memory: a wgmma may still be reading");
  CHECK(result.findings[0].first.action == "copy");
  CHECK(result.findings[0].second.action == "wgmma");
}

TEST_CASE("racecheck: a multicast copy into what another block's product still reads") {
  Device<std::uint32_t> in(kStageBytes / 4, 0);
  Device<float> out(2 * kThreads);
  const auto run_cluster = [&](auto kernel) {
    return run_checked([&] {
      launch_together({.cluster = {2, 1, 1}}, 2, kThreads, kernel, in.data, out.data, 4);
    });
  };
  check_silent(run_cluster(multicast<true>));
  const Result early = run_cluster(multicast<false>);
  REQUIRE(has(early, "race_war", at("multicast"), at("wgmma")));
  CHECK(early.findings.size() == 1);
}

TEST_CASE("synccheck: a block ends, and nobody has waited for its product") {
  Device<float> out(kThreads);
  const Result result = run(never_waits, 1, kThreads, out.data);
  check_finding(result.findings, {.kind = "unfinished_read", .line = at("wgmma")});
}

TEST_CASE("memcheck: a descriptor that leads out of shared memory; initcheck: what nobody wrote") {
  Device<float> out(kThreads);
  const Result outside = run(leads_outside, 1, kThreads, out.data);
  check_finding(outside.findings, {.kind = "out_of_bounds", .line = at("wgmma")});
  CHECK(outside.error == cudaErrorIllegalAddress);
  const Result nothing = run(reads_nothing, 1, kThreads, out.data, false);
  check_finding(nothing.findings, {.kind = "uninitialized_read", .line = at("wgmma")});
}

TEST_CASE("racecheck: bulk stores, and who writes what they read") {
  Device<std::uint32_t> out(4 * kWords);
  check_silent(run_checked([&] {
    store_twice<Store::right><<<1, kWords>>>(out);
    add_one<<<1, 4 * kWords>>>(out);  // stored data count as written
  }));
  std::vector<std::uint32_t> values(4 * kWords);
  cudaMemcpy(values.data(), out, values.size() * 4, cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < values.size(); ++i) CHECK(values[i] == i / kWords + 1);

  const Result unfenced = run(store_twice<Store::no_fence>, 1, kWords, out.data);
  check_finding(unfenced.findings,
                {.kind = "missing_proxy_fence", .line = at("store"), .other_line = at("part")});
  CHECK(unfenced.findings.size() == 1);
  for (const auto kernel :
       {store_twice<Store::wait_too_few>, store_twice<Store::other_thread_waits>}) {
    const Result early = run(kernel, 1, kWords, out.data);
    check_finding(early.findings,
                  {.kind = "race_war", .line = at("part"), .other_line = at("store")});
  }
  const Result unfinished = run(store_twice<Store::no_wait>, 1, kWords, out.data);
  CHECK(has(unfinished, "race_war", at("part"), at("store")));
  CHECK(has(unfinished, "unfinished_read", at("store"), ""));
}

TEST_CASE("racecheck: bulk stores of two blocks to one place; memcheck: behind the end") {
  Device<std::uint32_t> out(kWords);
  check_silent(run(store_to_one_place, 1, kWords, out.data));
  CHECK(has(run(store_to_one_place, 2, kWords, out.data), "race_waw", at("same place"),
            at("same place")));
  const Result behind = run(store_to_one_place, 1, kWords, out.data + 4);
  REQUIRE(!behind.findings.empty());
  CHECK(behind.findings[0].kind == "out_of_bounds");
}
