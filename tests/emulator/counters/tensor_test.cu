// Tests the counters of tensor cores, bulk stores and multicast copies.
#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <mma.h>

#include <cstdint>
#include <cuda/ptx>
#include <numeric>

#include "emulator/check.h"
#include "emulator/cluster_launch.hpp"
#include "emulator/counters.h"

namespace {

namespace ptx = cuda::ptx;

const emu::Counters& counted() {
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  return emu::last_launch()->counters;
}

struct Counting {
  Counting() { emu::set_counting(true); }
};
[[maybe_unused]] const Counting counting;

constexpr int kRounds = 3;

/// Each warp multiplies kRounds times.
__global__ void products_of_warps(float* out) {
  float d[4] = {};
  const unsigned one = 0x3c003c00;
  for (int round = 0; round < kRounds; ++round)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
        "{%4, %4}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(one));
  out[threadIdx.x] = d[0];
}

__global__ void product_of_fragments(const __half* in, float* out) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::load_matrix_sync(a, in, 16);
  wmma::load_matrix_sync(b, in, 16);
  wmma::fill_fragment(c, 0.0f);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

/// Two warpgroups multiply; in the second round, A is in registers.
__global__ void products_of_groups(float* out) {
  __shared__ __align__(1024) unsigned short a[64 * 16], b[16 * 16];
  for (unsigned i = threadIdx.x; i < 64 * 16; i += blockDim.x) a[i] = 0x3c00;
  for (unsigned i = threadIdx.x; i < 16 * 16; i += blockDim.x) b[i] = 0x3c00;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const auto descriptor = [](const void* matrix) {
    return (__cvta_generic_to_shared(matrix) & 0x3ffff) >> 4 | 128ull >> 4 << 16 |
           256ull >> 4 << 32;
  };
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7])
      : "l"(descriptor(a)), "l"(descriptor(b)));
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %8, %8, %8}, %9, p, 1, 1, 0; }"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7])
      : "r"(0x3c003c00), "l"(descriptor(b)));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
  out[threadIdx.x] = d[0];
}

constexpr unsigned kWords = 64;

__global__ void store_in_bulk(unsigned* out) {
  __shared__ __align__(128) unsigned part[kWords];
  part[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 4, part,
                     std::uint32_t{sizeof part});
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

/// The first block copies to all blocks of its cluster.
__global__ void copy_to_all(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned part[kWords];
  __shared__ std::uint64_t barrier;
  const bool is_first = ptx::get_sreg_cluster_ctarank() == 0;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   std::uint32_t{sizeof part});
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  if (is_first && threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, part, in, std::uint32_t{sizeof part},
                       &barrier, std::uint16_t{0xf});
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  out[blockIdx.x * kWords + threadIdx.x] = part[threadIdx.x];
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

template <class T>
struct Memory {
  explicit Memory(std::size_t count) {
    REQUIRE(cudaMallocManaged(&data, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, count * sizeof(T)) == cudaSuccess);
  }
  ~Memory() { cudaFree(data); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  T* data = nullptr;
};

}  // namespace

TEST_CASE("products of a warp: one instruction each, and 2 m n k operations") {
  const Memory<float> out(256);
  products_of_warps<<<2, 64>>>(out.data);
  CHECK(counted().tensor.instructions == 2 * 2 * kRounds);
  CHECK(counted().tensor.operations == 2 * 2 * kRounds * 2 * 16 * 8 * 16);
  CHECK(counted().tensor.shared_bytes == 0);
  CHECK(out.data[0] == 16 * kRounds);

  const Memory<__half> in(256);
  product_of_fragments<<<1, 32>>>(in.data, out.data);
  CHECK(counted().tensor.instructions == 1);
  CHECK(counted().tensor.operations == 2 * 16 * 16 * 16);
}

TEST_CASE("products of a warpgroup: each warp's part, B read once for all four") {
  const Memory<float> out(256);
  products_of_groups<<<1, 256>>>(out.data);
  constexpr unsigned kA = 64 * 16 * 2, kB = 16 * 16 * 2;
  CHECK(counted().tensor.instructions == 2 * 8);
  CHECK(counted().tensor.operations == 2 * 2 * 2 * 64 * 16 * 16);
  CHECK(counted().tensor.shared_bytes == 2 * (kA + 2 * kB));
  CHECK(counted().tensor.shared_wavefronts == 2 * (kA + 2 * kB) / 128);
  CHECK(counted().shared_load.requests == 0);
  for (int i = 0; i < 256; ++i) CHECK(out.data[i] == 32);
}

TEST_CASE("they belong to the line of their statement, and nobody counts where nobody asks") {
  const Memory<float> out(256);
  products_of_groups<<<1, 128>>>(out.data);
  unsigned lines = 0;
  for (const auto& site : emu::last_launch()->sites)
    lines += site.counters.tensor.instructions != 0;
  CHECK(lines == 2);
  emu::set_counting(false);
  products_of_groups<<<1, 128>>>(out.data);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  emu::set_counting(true);
  products_of_groups<<<1, 128>>>(out.data);
  CHECK(counted().tensor.instructions == 2 * 4);
}

TEST_CASE("bulk stores: what was asked for, and the sectors that they touch") {
  const Memory<unsigned> out(kWords + 8);
  store_in_bulk<<<3, kWords>>>(out.data);
  CHECK(counted().bulk_store.copies == 3);
  CHECK(counted().bulk_store.bytes == 3 * kWords * 4);
  // Starting in the middle of a sector.
  CHECK(counted().bulk_store.sectors == 3 * (kWords * 4 / 32 + 1));
  CHECK(counted().bulk.copies == 0);
  CHECK(counted().global_store.requests == 0);
  for (unsigned i = 0; i < kWords; ++i) CHECK(out.data[4 + i] == i);
}

TEST_CASE("a multicast copy counts in each block, and its sectors once") {
  const Memory<unsigned> in(kWords), out(4 * kWords);
  std::iota(in.data, in.data + kWords, 5u);
  REQUIRE(launch_together({.cluster = {4, 1, 1}}, 4, kWords, copy_to_all, in.data, out.data) ==
          cudaSuccess);
  CHECK(counted().bulk.copies == 4);
  CHECK(counted().bulk.bytes == 4 * kWords * 4);
  CHECK(counted().bulk.sectors == kWords * 4 / 32);
  for (unsigned i = 0; i < 4 * kWords; ++i) CHECK(out.data[i] == 5 + i % kWords);
}
