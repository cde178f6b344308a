/// @file
/// Tensor cores of a warp by inline PTX: mma.sync, and the instructions that load and store
/// matrices. For the emulator and for nvcc.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "../device/record.hpp"
#include "tensor_cases.hpp"

namespace tensor_ptx {

constexpr int kLanes = 32;

/// Executes the mma.sync of tensor::kShapes with this number.
template <int shape, int a_count, int b_count, int c_count>
__device__ void multiply(const std::uint32_t (&a)[a_count], const std::uint32_t (&b)[b_count],
                         std::uint32_t (&c)[c_count]) {
  if constexpr (shape == 0)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
        "%1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (shape == 1)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 2)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (shape == 3)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 4)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
        "%1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (shape == 5)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 6)
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
        "%1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (shape == 7)
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 8)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 9)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 10)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 11)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, "
        "%1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  else if constexpr (shape == 12)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
        "%9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 13)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
        "%9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 14)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
        "%9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  else if constexpr (shape == 15)
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, "
        "%7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

constexpr unsigned kMatrixWords = 32;  // 8 x 8 halves

/// Returns the 32-bit address of an object in shared memory.
__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Loads and stores one, two and four matrices, transposed and not, in every notation.
/// @param in   [4, 32]: four matrices, each row 8 halves
/// @param out  [10, 4, 32]
__global__ void move_matrices(const std::uint32_t* in, std::uint32_t* out) {
  __shared__ __align__(16) std::uint32_t from[4 * kMatrixWords], to[4 * kMatrixWords];
  const unsigned lane = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) from[i * kLanes + lane] = in[i * kLanes + lane];
  __syncwarp();
  // Rows in another order than in memory; lanes whose row is not used may have any address.
  const unsigned row = lane ^ 5;
  const unsigned source = shared_address(from) + 16 * row;
  const unsigned two = lane < 16 ? source : 3, one = lane < 8 ? source : 0xfffffff0u;
  std::uint32_t r[4];
  const auto write = [&](int test, int count) {
    for (int i = 0; i < count; ++i) out[(test * 4 + i) * kLanes + lane] = r[i];
  };
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(one));
  write(0, 1);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(two));
  write(1, 2);
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(source));
  write(2, 4);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2 + 0];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(two));
  write(3, 2);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "l"(&from[4 * row]));
  write(4, 4);
  const auto fetch = [&](int test) {
    __syncwarp();
    for (int i = 0; i < 4; ++i) out[(test * 4 + i) * kLanes + lane] = to[i * kLanes + lane];
    __syncwarp();
  };
  for (int i = 0; i < 4; ++i) {
    to[i * kLanes + lane] = 0;
    r[i] = in[i * kLanes + (lane * 7) % kLanes];
  }
  __syncwarp();
  const unsigned target = shared_address(to) + 16 * row;
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(lane < 8 ? target : 1),
               "r"(r[0])
               : "memory");
  fetch(5);
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 [%0], {%1, %2};" ::"r"(lane < 16 ? target : 1),
      "r"(r[0]), "r"(r[1])
      : "memory");
  fetch(6);
  asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  fetch(7);
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target),
      "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
      : "memory");
  fetch(8);
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.b16 [%0], {%1, %2};" ::"l"(&to[4 * row]),
               "r"(r[2]), "r"(r[3])
               : "memory");
  fetch(9);
}

constexpr int kRoundings = 5;

/// Rounds in[i] to tf32 in every way.
/// @param out  [count, kRoundings]
__global__ void round_to_tf32(const float* in, std::uint32_t* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  std::uint32_t* const to = out + i * kRoundings;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(to[0]) : "f"(in[i]));
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(to[1]) : "f"(in[i]));
  asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(to[2]) : "f"(in[i]));
  asm("cvt.rn.relu.tf32.f32 %0, %1;" : "=r"(to[3]) : "f"(in[i]));
  asm("cvt.rz.relu.tf32.f32 %0, %1;" : "=r"(to[4]) : "f"(in[i]));
}

/// Returns the bits of floats near ties, of infinities, NaN and similar.
inline std::vector<std::uint32_t> floats() {
  std::vector<std::uint32_t> all;
  tensor::Random random(32);
  for (const std::uint32_t exponent : {0u, 1u, 2u, 100u, 127u, 128u, 254u, 255u})
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t kept = i < 4 ? static_cast<std::uint32_t>(i) % 2 : 0x3ff;
      for (const std::uint32_t rest : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu})
        for (const std::uint32_t sign : {0u, 0x80000000u})
          all.push_back(
              sign | exponent << 23 |
              (i % 4 == 3 ? static_cast<std::uint32_t>(random.next() >> 41) : kept << 13 | rest));
    }
  return all;
}

}  // namespace tensor_ptx
