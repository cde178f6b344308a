// Communication of threads in a warp and a block; fences; special registers.
#include "ptx_cases.cuh"

namespace ptx_cases {
namespace {

constexpr unsigned kAll = 0xffffffffu;

__global__ void shuffles_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i];
  unsigned sum = 0, d, is_inside;
  asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x1f, %3; selp.u32 %1, 1, 0, p; }"
               : "=r"(d), "=r"(is_inside)
               : "r"(x), "r"(kAll));
  sum = sum * 31 + d + is_inside;
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %2, 5, 0x0, %3; selp.u32 %1, 1, 0, p; }"
               : "=r"(d), "=r"(is_inside)
               : "r"(x), "r"(kAll));
  sum = sum * 31 + d + is_inside;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 8, 0x1f, 0xffffffff;" : "=r"(d) : "r"(x));
  sum = sum * 31 + d;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
               : "=r"(d)
               : "r"(x), "r"(i * 7), "r"(0x1f), "r"(kAll));
  sum = sum * 31 + d;
  // Segments of 8 lanes.
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x181f, %3;"
               : "=r"(d)
               : "r"(x), "r"(i + 1), "r"(kAll));
  sum = sum * 31 + d;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x181f, %2;" : "=r"(d) : "r"(x), "r"(kAll));
  out[i] = sum * 31 + d;
}
__global__ void shuffles_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, lane = i % 32, x = in[i];
  unsigned sum = __shfl_down_sync(kAll, x, 3) + (lane + 3 < 32 ? 1 : 0);
  sum = sum * 31 + __shfl_up_sync(kAll, x, 5) + (lane >= 5 ? 1 : 0);
  sum = sum * 31 + __shfl_xor_sync(kAll, x, 8);
  sum = sum * 31 + __shfl_sync(kAll, x, static_cast<int>(i * 7));
  sum = sum * 31 + __shfl_sync(kAll, x, static_cast<int>(i + 1), 8);
  out[i] = sum * 31 + __shfl_down_sync(kAll, x, 1, 8);
}

__global__ void votes_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i];
  unsigned ballot, all, any, uniform, among, same, is_same, elected, is_leader, active;
  asm volatile(
      "{\n\t.reg .pred p, q;\n\tsetp.gt.u32 p, %1, 0x40000000;\n\t"
      "vote.sync.ballot.b32 %0, p, 0xffffffff;\n\t}"
      : "=r"(ballot)
      : "r"(x));
  asm volatile(
      "{ .reg .pred p, a, b, c;\n setp.lt.u32 p, %3, 40;\n vote.sync.all.pred a, p, %4;\n"
      "vote.sync.any.pred b, !p, %4;\n vote.sync.uni.pred c, p, %4;\n"
      "selp.u32 %0, 1, 0, a; selp.u32 %1, 1, 0, b; selp.u32 %2, 1, 0, c; }"
      : "=r"(all), "=r"(any), "=r"(uniform)
      : "r"(i), "r"(kAll));
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(among) : "r"(x % 3), "r"(kAll));
  asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, %3; selp.u32 %1, 1, 0, p; }"
               : "=r"(same), "=r"(is_same)
               : "l"(7ull + i / 32), "r"(kAll));
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p; }"
               : "=r"(elected), "=r"(is_leader)
               : "r"(kAll));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  out[i] = ballot;
  out[i + 64] = all + 2 * any + 4 * uniform + 8 * is_same + 16 * is_leader + 32 * elected;
  out[i + 128] = among;
  out[i + 192] = same;
  out[i + 256] = active;
}
__global__ void votes_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i];
  const unsigned ballot = __ballot_sync(kAll, x > 0x40000000u);
  const bool p = i < 40;
  const unsigned all = __all_sync(kAll, p) ? 1 : 0, any = __any_sync(kAll, !p) ? 1 : 0;
  const unsigned uniform = (__ballot_sync(kAll, p) + 1 <= 1) ? 1 : 0;
  const unsigned among = __match_any_sync(kAll, x % 3);
  int is_same;
  const unsigned same = __match_all_sync(kAll, 7ull + i / 32, &is_same);
  const unsigned leader =
      static_cast<unsigned>(__ffs(static_cast<int>(__ballot_sync(kAll, 1)))) - 1;
  const unsigned active = __activemask();
  __syncwarp();
  out[i] = ballot;
  out[i + 64] = all + 2 * any + 4 * uniform + 8 * (is_same ? 1u : 0u) +
                16 * (i % 32 == leader ? 1 : 0) + 32 * leader;
  out[i + 128] = among;
  out[i + 192] = same;
  out[i + 256] = active;
}

__global__ void reductions_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i], mask = i % 32 < 16 ? 0xffffu : 0xffff0000u;
  unsigned d, sum = 0;
  asm volatile("redux.sync.add.s32 %0, %1, %2;" : "=r"(d) : "r"(x), "r"(mask));
  sum = sum * 31 + d;
  asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(d) : "r"(x << 1), "r"(mask));
  sum = sum * 31 + d;
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(d) : "r"(x), "r"(mask));
  sum = sum * 31 + d;
  asm volatile("redux.sync.and.b32 %0, %1, %2;" : "=r"(d) : "r"(x | 5), "r"(mask));
  sum = sum * 31 + d;
  asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(d) : "r"(x & 0xff), "r"(mask));
  sum = sum * 31 + d;
  asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(d) : "r"(x), "r"(mask));
  out[i] = sum * 31 + d;
}
__global__ void reductions_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x, x = in[i], mask = i % 32 < 16 ? 0xffffu : 0xffff0000u;
  unsigned sum = static_cast<unsigned>(__reduce_add_sync(mask, static_cast<int>(x)));
  sum = sum * 31 + static_cast<unsigned>(__reduce_min_sync(mask, static_cast<int>(x << 1)));
  sum = sum * 31 + __reduce_max_sync(mask, x);
  sum = sum * 31 + __reduce_and_sync(mask, x | 5);
  sum = sum * 31 + __reduce_or_sync(mask, x & 0xff);
  out[i] = sum * 31 + __reduce_xor_sync(mask, x);
}

__global__ void barriers_ptx(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[kThreads];
  const unsigned i = threadIdx.x;
  tile[i] = in[i];
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned sum = tile[63 - i];
  asm volatile("barrier.sync.aligned 1;" ::: "memory");
  tile[i] = i;
  asm volatile("bar.sync %0, %1;" ::"r"(2), "r"(64) : "memory");
  sum = sum * 31 + tile[63 - i];
  unsigned count, both, either;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 37; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(i)
               : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 37; barrier.cta.red.and.aligned.pred q, 0, p;\n"
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(both)
      : "r"(i)
      : "memory");
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %1, 37; bar.red.or.pred q, 0, !p; selp.u32 %0, 1, 0, q; }"
      : "=r"(either)
      : "r"(i)
      : "memory");
  asm volatile("membar.gl; fence.acq_rel.cta; fence.sc.sys; fence.proxy.async;" ::: "memory");
  out[i] = sum;
  out[i + 64] = count * 4 + both * 2 + either;
}
__global__ void barriers_plain(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[kThreads];
  const unsigned i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  unsigned sum = tile[63 - i];
  __syncthreads();
  tile[i] = i;
  __syncthreads();
  sum = sum * 31 + tile[63 - i];
  const int count = __syncthreads_count(i < 37);
  const bool both = __syncthreads_and(i < 37) != 0, either = __syncthreads_or(!(i < 37)) != 0;
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  out[i] = sum;
  out[i + 64] = static_cast<unsigned>(count) * 4 + (both ? 2 : 0) + (either ? 1 : 0);
}

// The first warp writes, the second one reads: neither waits longer than necessary.
__global__ void producer_ptx(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      if (round > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      tile[lane] = in[round * 32 + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[round * 32 + lane] = tile[31 - lane];
      if (round < 3) asm volatile("bar.arrive %0, %1;" ::"r"(2), "n"(64) : "memory");
    }
  }
}
__global__ void producer_plain(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  const unsigned lane = threadIdx.x % 32;
  for (unsigned round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) tile[lane] = in[round * 32 + lane];
    __syncthreads();
    if (threadIdx.x >= 32) out[round * 32 + lane] = tile[31 - lane];
    __syncthreads();
  }
}

__global__ void registers_ptx(const unsigned*, unsigned* out) {
  unsigned lane, warp_of_block, ranks, rank;
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm volatile("nanosleep.u32 20;");
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%tid.x; shr.u32 %0, %0, 5;" : "=r"(warp_of_block));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  out[threadIdx.x] = lane + 32 * warp_of_block + 1000 * ranks + 10000 * rank;
  unsigned multiprocessor, multiprocessors;
  asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  out[threadIdx.x + 64] = before <= after && multiprocessor < multiprocessors ? 1 : 0;
}
__global__ void registers_plain(const unsigned*, unsigned* out) {
  out[threadIdx.x] = threadIdx.x + 1000;
  out[threadIdx.x + 64] = 1;
}

// Some threads exit, the others do the rest.
__global__ void leaving_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %0, 40; @p exit; }" ::"r"(i));
  unsigned sum = 0;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .u32 n;\n\tmov.u32 n, %1;\n"
      "ADD:\n\tadd.u32 %0, %0, n;\n\tsub.u32 n, n, 1;\n\tsetp.ne.u32 p, n, 0;\n\t@p bra ADD;\n\t}"
      : "+r"(sum)
      : "r"(i + 1));
  out[i] = sum + in[i];
}
__global__ void leaving_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  if (i >= 40) return;
  out[i] = (i + 1) * (i + 2) / 2 + in[i];
}

}  // namespace

std::vector<Case> warp_cases() {
  return {{"shuffles", shuffles_ptx, shuffles_plain},
          {"votes", votes_ptx, votes_plain},
          {"reductions", reductions_ptx, reductions_plain},
          {"barriers", barriers_ptx, barriers_plain},
          {"producer", producer_ptx, producer_plain, 1, true},
          {"registers", registers_ptx, registers_plain},
          {"leaving", leaving_ptx, leaving_plain}};
}

}  // namespace ptx_cases
