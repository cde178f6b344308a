#pragma once

/// @file
/// What a warp does with its tensor core, as inline PTX.

#include <cstdint>

namespace tensor {

/// sum += a b of a warp, [16, 8] = [16, 8] x [8, 8] in tf32, of which the tensor core reads the
/// upper 19 bits. With lane = 4 r + c, a lane has of a the rows r and r + 8 (first), the columns c
/// and c + 4; of b the rows c and c + 4 of column r; of sum the rows r and r + 8 (last), the
/// columns 2 c and 2 c + 1. Source: PTX ISA 8.8, 9.7.14.5.
__device__ inline void mma_tf32(float (&sum)[4], const float (&a)[4], const float (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

/// sum += a b of a warp, [16, 8] = [16, 16] x [16, 8] in half. The lanes have the same places, of
/// pairs of halves. Source: PTX ISA 8.8, 9.7.14.5.
__device__ inline void mma_f16(float (&sum)[4], const std::uint32_t (&a)[4],
                               const std::uint32_t* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// Loads four matrices of 8 rows of 16 bytes: lanes 8 i to 8 i + 7 bring the addresses of the rows
/// of matrix i. Lane 4 r + c gets word c of row r of each. Source: PTX ISA 8.8, 9.7.14.5.15.
__device__ inline void load_matrices(std::uint32_t (&words)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

}  // namespace tensor
