// Loads, stores and atomics.
#include <cuda_fp16.h>

#include "ptx_cases.cuh"

namespace ptx_cases {
namespace {

// Loads of every width and sign, through every kind of cache.
__global__ void loads_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const char* const p = reinterpret_cast<const char*>(in);
  unsigned sum, d;
  unsigned long long wide;
  unsigned short half;
  float f;
  double g;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(sum) : "l"(p + i));
  asm volatile("ld.global.s8 %0, [%1+64];" : "=r"(d) : "l"(p + i));
  sum = sum * 31 + d;
  asm("ld.global.ca.u16 %0, [%1];" : "=h"(half) : "l"(p + 2 * i));
  sum = sum * 31 + half;
  asm("ld.global.cg.s16 %0, [%1 + 0x80];" : "=r"(d) : "l"(p + 2 * i));
  sum = sum * 31 + d;
  asm("ld.global.nc.b32 %0, [%1];" : "=r"(d) : "l"(in + i));
  sum = sum * 31 + d;
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(d) : "l"(in + i + 64) : "memory");
  sum = sum * 31 + d;
  asm("ld.u64 %0, [%1];" : "=l"(wide) : "l"(p + 8 * i));
  sum = sum * 31 + static_cast<unsigned>(wide >> 20);
  asm("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(f) : "l"(in + i + 128));
  sum = sum * 31 + __float_as_uint(f);
  asm("ld.weak.global.cs.f64 %0, [%1];" : "=d"(g) : "l"(p + 8 * i + 1024));
  sum = sum * 31 + static_cast<unsigned>(__double_as_longlong(g) >> 20);
  asm("{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "ld.global.L2::cache_hint.s32 %0, [%1], policy; }"
      : "=r"(d)
      : "l"(in + i + 7));
  out[i] = sum * 31 + d;
}
__global__ void loads_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const char* const p = reinterpret_cast<const char*>(in);
  unsigned sum = *reinterpret_cast<const unsigned char*>(p + i);
  sum = sum * 31 + static_cast<unsigned>(*reinterpret_cast<const signed char*>(p + i + 64));
  sum = sum * 31 + *reinterpret_cast<const unsigned short*>(p + 2 * i);
  sum = sum * 31 + static_cast<unsigned>(*reinterpret_cast<const short*>(p + 2 * i + 128));
  sum = sum * 31 + in[i];
  sum = sum * 31 + *static_cast<const volatile unsigned*>(in + i + 64);
  sum = sum * 31 +
        static_cast<unsigned>(*reinterpret_cast<const unsigned long long*>(p + 8 * i) >> 20);
  sum = sum * 31 + __float_as_uint(*reinterpret_cast<const float*>(in + i + 128));
  sum = sum * 31 +
        static_cast<unsigned>(
            __double_as_longlong(*reinterpret_cast<const double*>(p + 8 * i + 1024)) >> 20);
  out[i] = sum * 31 + in[i + 7];
}

__global__ void vectors_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned a, b, c, d;
  float x, y, z, w;
  unsigned long long v0, v1;
  unsigned short h0, h1, h2, h3;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(in + 4 * i));
  asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "l"(in + 2 * i));
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];" : "=l"(v0), "=l"(v1) : "l"(in + 4 * i + 256));
  asm volatile("ld.global.v4.b16 {%0, %1, %2, %3}, [%4];"
               : "=h"(h0), "=h"(h1), "=h"(h2), "=h"(h3)
               : "l"(in + 2 * i + 512));
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(out + 2 * i), "r"(a ^ b), "r"(c + d)
               : "memory");
  z = x;
  w = y;
  asm volatile("st.global.cs.v4.f32 [%0+512], {%1, %2, %3, %4};" ::"l"(out + 4 * i), "f"(x), "f"(y),
               "f"(z), "f"(w)
               : "memory");
  asm volatile("st.global.wt.v2.b64 [%0], {%1, %2};" ::"l"(out + 4 * i + 384), "l"(v1), "l"(v0)
               : "memory");
  asm volatile("st.v4.u8 [%0], {%1, %2, %3, 255};" ::"l"(out + i + 640), "h"(h3), "h"(h2), "h"(h1)
               : "memory");
  asm volatile("st.global.u16 [%0], %1;" ::"l"(reinterpret_cast<unsigned short*>(out + 704) + i),
               "h"(h0)
               : "memory");
}
__global__ void vectors_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  const uint4 v = *reinterpret_cast<const uint4*>(in + 4 * i);
  const float2 f = *reinterpret_cast<const float2*>(in + 2 * i);
  const ulonglong2 l = *reinterpret_cast<const ulonglong2*>(in + 4 * i + 256);
  const ushort4 h = *reinterpret_cast<const ushort4*>(in + 2 * i + 512);
  *reinterpret_cast<uint2*>(out + 2 * i) = make_uint2(v.x ^ v.y, v.z + v.w);
  *reinterpret_cast<float4*>(out + 4 * i + 128) = make_float4(f.x, f.y, f.x, f.y);
  *reinterpret_cast<ulonglong2*>(out + 4 * i + 384) = make_ulonglong2(l.y, l.x);
  *reinterpret_cast<uchar4*>(out + i + 640) =
      make_uchar4(static_cast<unsigned char>(h.w), static_cast<unsigned char>(h.z),
                  static_cast<unsigned char>(h.y), 255);
  reinterpret_cast<unsigned short*>(out + 704)[i] = h.x;
}

// Accesses by 32-bit addresses, by 64-bit addresses of the shared window, and by generic ones.
__global__ void shared_ptx(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[2 * kThreads];
  __shared__ __align__(16) float4 rows[kThreads];
  const unsigned i = threadIdx.x, j = i ^ 37;
  const unsigned address = shared_address(tile + i);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(in[i]) : "memory");
  asm volatile("st.shared::cta.b32 [%0+256], %1;" ::"l"(__cvta_generic_to_shared(tile + i)), "r"(i)
               : "memory");
  asm volatile("st.shared.v4.f32 [%0], {%1, %1, %2, 0f3F800000};" ::"r"(shared_address(rows + i)),
               "f"(static_cast<float>(i)), "f"(0.5f)
               : "memory");
  __syncthreads();
  unsigned a, b;
  unsigned long long window;
  float x, y, z, w;
  asm volatile("{ .reg .u64 %%wide;\n cvta.to.shared.u64 %%wide, %1;\n cvt.u32.u64 %0, %%wide; }"
               : "=r"(a)
               : "l"(tile + j));
  asm volatile("ld.shared.u32 %0, [%0];" : "+r"(a)::"memory");
  asm volatile("ld.u32 %0, [%1+256];" : "=r"(b) : "l"(tile + j) : "memory");
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(window) : "l"(rows + j));
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "l"(window)
               : "memory");
  out[i] = a + 3 * b + __float_as_uint(x + y + z + w);
  unsigned in_shared, in_global;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(in_shared)
      : "l"(tile));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(in_global) : "l"(in));
  out[i + kThreads] = 2 * in_shared + in_global;
}
__global__ void shared_plain(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[2 * kThreads];
  __shared__ __align__(16) float4 rows[kThreads];
  const unsigned i = threadIdx.x, j = i ^ 37;
  tile[i] = in[i];
  tile[i + kThreads] = i;
  rows[i] = make_float4(static_cast<float>(i), static_cast<float>(i), 0.5f, 1.0f);
  __syncthreads();
  const unsigned a = tile[j], b = tile[j + kThreads];
  const float4 r = rows[j];
  out[i] = a + 3 * b + __float_as_uint(r.x + r.y + r.z + r.w);
  out[i + kThreads] = 2 * (__isShared(tile) ? 1 : 0) + (__isGlobal(in) ? 1 : 0);
}

// Predicated accesses are made only by lanes whose predicate holds.
__global__ void predicated_ptx(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned value;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %2, 0;\n\tmov.b32 %0, 7;\n\t"
      "@p ld.global.u32 %0, [%1];\n\t@!p st.global.u32 [%3], 9;\n\t}"
      : "=&r"(value)
      : "l"(in + i), "r"(i % 3), "l"(out + i + kThreads)
      : "memory");
  out[i] = value;
}
__global__ void predicated_plain(const unsigned* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  unsigned value = 7;
  if (i % 3 != 0)
    value = in[i];
  else
    out[i + kThreads] = 9;
  out[i] = value;
}

__constant__ unsigned table[kThreads] = {3, 1, 4, 1, 5, 9, 2, 6};

__global__ void constants_ptx(const unsigned*, unsigned* out) {
  unsigned a, b;
  unsigned long long address;
  const unsigned* const place = table + threadIdx.x;
  asm("cvta.to.const.u64 %0, %1;" : "=l"(address) : "l"(place));
  asm("ld.const.u32 %0, [%1];" : "=r"(a) : "l"(address));
  asm("ld.u32 %0, [%1];" : "=r"(b) : "l"(place));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(out));
  asm volatile("prefetchu.L1 [%0];" ::"l"(out));
  out[threadIdx.x] = a + 16 * b;
}
__global__ void constants_plain(const unsigned*, unsigned* out) {
  const volatile unsigned* const place = table + threadIdx.x;
  out[threadIdx.x] = *place + 16 * *place;
}

// Every operation; all threads change the same words.
__global__ void atomics_ptx(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared_sum;
  const unsigned i = threadIdx.x, x = in[i];
  if (i == 0) shared_sum = 0;
  __syncthreads();
  unsigned d;
  unsigned long long wide;
  float f;
  double g;
  auto* const pairs = reinterpret_cast<unsigned long long*>(out + 64);
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(d) : "l"(out), "r"(x) : "memory");
  asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1+4], -3;" : "=r"(d) : "l"(out) : "memory");
  asm volatile("atom.add.u64 %0, [%1], %2;" : "=l"(wide) : "l"(pairs), "l"(x * 5ull) : "memory");
  asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(out + 2), "f"(0.5f) : "memory");
  asm volatile("atom.global.add.f64 %0, [%1], %2;"
               : "=d"(g)
               : "l"(pairs + 1), "d"(0.25)
               : "memory");
  asm volatile("atom.global.min.s32 %0, [%1], %2;" : "=r"(d) : "l"(out + 3), "r"(x) : "memory");
  asm volatile("atom.global.max.u32 %0, [%1], %2;" : "=r"(d) : "l"(out + 4), "r"(x) : "memory");
  asm volatile("atom.global.max.s64 %0, [%1], %2;"
               : "=l"(wide)
               : "l"(pairs + 2), "l"(static_cast<long long>(x))
               : "memory");
  asm volatile("atom.acq_rel.sys.global.and.b32 %0, [%1], %2;"
               : "=r"(d)
               : "l"(out + 5), "r"(x)
               : "memory");
  asm volatile("atom.global.or.b32 %0, [%1], %2;" : "=r"(d) : "l"(out + 6), "r"(x) : "memory");
  asm volatile("atom.global.xor.b64 %0, [%1], %2;"
               : "=l"(wide)
               : "l"(pairs + 3), "l"(x * 1ull)
               : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 40;" : "=r"(d) : "l"(out + 7) : "memory");
  asm volatile("atom.global.dec.u32 %0, [%1], 40;" : "=r"(d) : "l"(out + 8) : "memory");
  asm volatile("atom.global.exch.b32 %0, [%1], 11;" : "=r"(d) : "l"(out + 9) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(d)
               : "l"(out + 10), "r"(0), "r"(12)
               : "memory");
  asm volatile("atom.shared.add.u32 _, [%0], %1;" ::"r"(shared_address(&shared_sum)), "r"(i)
               : "memory");
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(out + 11) : "memory");
  asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(out + 12) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(out + 13), "f"(1.5f) : "memory");
  asm volatile("red.shared::cta.max.u32 [%0], %1;" ::"r"(shared_address(&shared_sum)), "r"(i)
               : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(out + 14), "r"(0x3c003800) : "memory");
  __syncthreads();
  out[128 + i] = shared_sum;
  // The old values differ from thread to thread, but are used.
  if (d == 77 && wide == 77 && f == 77 && g == 77) out[128 + i] = 0;
}
__global__ void atomics_plain(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared_sum;
  const unsigned i = threadIdx.x, x = in[i];
  if (i == 0) shared_sum = 0;
  __syncthreads();
  auto* const pairs = reinterpret_cast<unsigned long long*>(out + 64);
  atomicAdd(out, x);
  atomicAdd(reinterpret_cast<int*>(out + 1), -3);
  atomicAdd(pairs, x * 5ull);
  atomicAdd(reinterpret_cast<float*>(out + 2), 0.5f);
  atomicAdd(reinterpret_cast<double*>(pairs + 1), 0.25);
  atomicMin(reinterpret_cast<int*>(out + 3), static_cast<int>(x));
  atomicMax(out + 4, x);
  atomicMax(reinterpret_cast<long long*>(pairs + 2), static_cast<long long>(x));
  __threadfence_system();
  atomicAnd(out + 5, x);
  __threadfence_system();
  atomicOr(out + 6, x);
  atomicXor(pairs + 3, static_cast<unsigned long long>(x));
  atomicInc(out + 7, 40);
  atomicDec(out + 8, 40);
  atomicExch(out + 9, 11);
  atomicCAS(out + 10, 0, 12);
  atomicAdd(&shared_sum, i);
  atomicAdd(out + 11, 1);
  __threadfence();
  atomicAdd(out + 12, 1);
  atomicAdd(reinterpret_cast<float*>(out + 13), 1.5f);
  atomicMax(&shared_sum, i);
  atomicAdd(reinterpret_cast<__half2*>(out + 14), __floats2half2_rn(0.5f, 1.0f));
  __syncthreads();
  out[128 + i] = shared_sum;
}

// Return values of atomics: every thread gets a different ticket.
__global__ void tickets_ptx(const unsigned*, unsigned* out) {
  unsigned ticket;
  asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(ticket) : "l"(out) : "memory");
  out[1 + ticket] = 100 + ticket;
  unsigned seen;
  unsigned short narrow;
  asm volatile("atom.global.cas.b16 %0, [%1], 0, 5;"
               : "=h"(narrow)
               : "l"(reinterpret_cast<unsigned short*>(out + 256) + threadIdx.x)
               : "memory");
  asm volatile("atom.global.exch.b32 %0, [%1], 1;" : "=r"(seen) : "l"(out + 1 + ticket) : "memory");
  out[1 + ticket] = seen + narrow;
  asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %2, %2};" ::"l"(out + 512), "f"(1.0f),
               "f"(2.0f)
               : "memory");
}
__global__ void tickets_plain(const unsigned*, unsigned* out) {
  const unsigned ticket = atomicAdd(out, 1);
  out[1 + ticket] = 100 + ticket;
  const unsigned short narrow =
      atomicCAS(reinterpret_cast<unsigned short*>(out + 256) + threadIdx.x,
                static_cast<unsigned short>(0), static_cast<unsigned short>(5));
  const unsigned seen = atomicExch(out + 1 + ticket, 1);
  out[1 + ticket] = seen + narrow;
  atomicAdd(reinterpret_cast<float4*>(out + 512), make_float4(1.0f, 1.0f, 2.0f, 2.0f));
}

// One block waits for another's writes by memory orders alone.
__global__ void orders_ptx(const unsigned*, unsigned* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    out[1] = 42;
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(out) : "memory");
  } else {
    unsigned flag;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(out) : "memory");
    } while (flag == 0);
    out[2] = out[1];
  }
}
__global__ void orders_plain(const unsigned*, unsigned* out) {
  volatile unsigned* const flag = out;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    out[1] = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[2] = out[1];
  }
}

}  // namespace

std::vector<Case> memory_cases() {
  return {{"loads", loads_ptx, loads_plain},
          {"vectors", vectors_ptx, vectors_plain},
          {"shared", shared_ptx, shared_plain},
          {"predicated", predicated_ptx, predicated_plain},
          {"constants", constants_ptx, constants_plain},
          {"atomics", atomics_ptx, atomics_plain},
          {"tickets", tickets_ptx, tickets_plain},
          {"orders", orders_ptx, orders_plain, 2, true}};
}

}  // namespace ptx_cases
