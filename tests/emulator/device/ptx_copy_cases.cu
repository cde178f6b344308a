// Asynchronous copies, and barriers that count them.
#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <cuda/ptx>

#include "ptx_cases.cuh"

namespace ptx_cases {
namespace {

// Copies of every size in two groups; the last ones are partly or completely zero-filled.
__global__ void copies_ptx(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[8 * kThreads];
  const unsigned i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + i)),
               "l"(in + i)
               : "memory");
  asm volatile("cp.async.ca.shared::cta.global.L2::128B [%0], [%1], %2;" ::"r"(
                   shared_address(tile + 64 + 2 * i)),
               "l"(in + 2 * i), "n"(8)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(tile + 256 + 4 * i)),
      "l"(in + 4 * i),
      "r"(i < 40   ? 16
          : i < 50 ? 4
                   : 0)
      : "memory");
  asm volatile("cp.async.commit_group;\n" ::: "memory");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  unsigned sum = tile[63 - i] + 3 * tile[64 + 127 - i];
  asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k) sum = sum * 31 + tile[256 + 4 * (63 - i) + k];
  __syncthreads();
  asm volatile(
      "{ .reg .pred p; setp.ge.u32 p, %2, 60;\n"
      "cp.async.ca.shared.global [%0], [%1], 4, p; cp.async.wait_all; }" ::"r"(
          shared_address(tile + i)),
      "l"(in + 100 + i), "r"(i)
      : "memory");
  __syncthreads();
  out[i] = sum * 31 + tile[63 - i];
}
__global__ void copies_plain(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[8 * kThreads];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(tile + i, in + i, 4);
  __pipeline_memcpy_async(tile + 64 + 2 * i, in + 2 * i, 8);
  __pipeline_commit();
  __pipeline_memcpy_async(tile + 256 + 4 * i, in + 4 * i, 16, i < 40 ? 0 : i < 50 ? 12 : 16);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  unsigned sum = tile[63 - i] + 3 * tile[64 + 127 - i];
  __pipeline_wait_prior(0);
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k) sum = sum * 31 + tile[256 + 4 * (63 - i) + k];
  __syncthreads();
  __pipeline_memcpy_async(tile + i, in + 100 + i, 4, i >= 60 ? 4 : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = sum * 31 + tile[63 - i];
}

__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      "\t.reg .pred P1;\n"
      "LAB_WAIT:\n"
      "\tmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "\t@P1 bra DONE;\n"
      "\tbra LAB_WAIT;\n"
      "DONE:\n"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// One warp writes what the other reads: two stages, a full and an empty barrier each.
__global__ void ring_ptx(const unsigned* in, unsigned* out) {
  constexpr unsigned kStages = 2, kRounds = 7;
  __shared__ std::uint64_t full[kStages], empty[kStages];
  __shared__ unsigned stage[kStages][32];
  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < kStages; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(full + s)),
                   "r"(32)
                   : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(empty + s))
                   : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    const unsigned s = round % kStages, parity = round / kStages % 2;
    if (threadIdx.x < 32) {
      wait(shared_address(empty + s), parity ^ 1);
      stage[s][lane] = in[round * 32 + lane];
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(full + s))
                   : "memory");
    } else {
      wait(shared_address(full + s), parity);
      sum = sum * 31 + stage[s][31 - lane];
      asm volatile(
          "{ .reg .b64 state; mbarrier.arrive.release.cta.shared.b64 state, [%0], 1; }" ::"r"(
              shared_address(empty + s))
          : "memory");
    }
  }
  out[threadIdx.x] = sum;
}
__global__ void ring_plain(const unsigned* in, unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (unsigned round = 0; round < 7; ++round)
    if (threadIdx.x >= 32) sum = sum * 31 + in[round * 32 + 31 - lane];
  out[threadIdx.x] = sum;
}

// A bulk copy, whose bytes the barrier waits for.
__global__ void bulk_ptx(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned tile[4 * kThreads];
  __shared__ std::uint64_t barrier;
  const unsigned i = threadIdx.x, place = shared_address(&barrier);
  if (i == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(place) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (i == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place),
                 "r"(static_cast<unsigned>(sizeof tile))
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(tile)),
        "l"(in + 4), "r"(static_cast<unsigned>(sizeof tile)), "r"(place)
        : "memory");
  }
  wait(place, 0);
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum = sum * 31 + tile[kThreads * k + i];
  out[i] = sum;
}
__global__ void bulk_plain(const unsigned* in, unsigned* out) {
  __shared__ __align__(128) unsigned tile[4 * kThreads];
  __shared__ std::uint64_t barrier;
  namespace ptx = cuda::ptx;
  const unsigned i = threadIdx.x;
  if (i == 0) {
    ptx::mbarrier_init(&barrier, 1u);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (i == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                   static_cast<unsigned>(sizeof tile));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 4,
                       static_cast<unsigned>(sizeof tile), &barrier);
  }
  while (!ptx::mbarrier_try_wait_parity(&barrier, 0u)) {
  }
  unsigned sum = 0;
  for (unsigned k = 0; k < 4; ++k) sum = sum * 31 + tile[kThreads * k + i];
  out[i] = sum;
}

// Every way to arrive and to wait.
__global__ void states_ptx(const unsigned* in, unsigned* out) {
  __shared__ std::uint64_t barrier;
  __shared__ unsigned tile[kThreads];
  const unsigned i = threadIdx.x, place = shared_address(&barrier);
  unsigned sum = 0, is_over;
  unsigned long long state;
  if (i == 0) asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(&barrier), "n"(kThreads) : "memory");
  __syncthreads();
  tile[i] = in[i];
  asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&barrier) : "memory");
  do {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(is_over)
        : "r"(place), "l"(state)
        : "memory");
  } while (!is_over);
  sum = tile[63 - i];
  // The copy is one of the expected arrivals.
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + 63 - i)),
               "l"(in + 64 + i)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(place) : "memory");
  wait(place, 1);
  sum = sum * 31 + tile[i ^ 1];
  // Here the copy is an additional arrival, and the thread arrives, too.
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + i)),
               "l"(in + 128 + i)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(place) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(place) : "memory");
  do {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, %3;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(is_over)
        : "r"(place), "l"(state), "r"(1000)
        : "memory");
  } while (!is_over);
  out[i] = sum * 31 + tile[63 - i];
  __syncthreads();
  if (i == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(place) : "memory");
}
__global__ void states_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[i] = (in[63 - i] * 31 + in[64 + 63 - (i ^ 1)]) * 31 + in[128 + 63 - i];
}

}  // namespace

std::vector<Case> copy_cases() {
  return {{"copies", copies_ptx, copies_plain},
          {"ring", ring_ptx, ring_plain, 1, true},
          {"bulk", bulk_ptx, bulk_plain},
          {"states", states_ptx, states_plain, 1, true}};
}

}  // namespace ptx_cases
