/// @file
/// Operations of a warp's or a warpgroup's tensor cores: products of fragments, and matrices
/// between shared memory and registers. mma.h and inline PTX are based on them.
#pragma once

#include <cstdint>

#include "emulator/device.h"
#include "emulator/tensor_shape.h"
#include "host_defines.h"

namespace emu {

/// Computes D = A B + C for the warp; every lane must call it.
/// @param a, b, c, d  the lane's elements, adjacent, in the order of place_in_a, _b and _c; d may
///         be c
void warp_multiply(const tensor::Shape& shape, const void* a, const void* b, const void* c,
                   void* d);

/// Distributes `count` 8 x 8 matrices of halves. Lanes 8 i to 8 i + 7 each contribute a row of
/// matrix i; every lane receives two elements of each matrix.
/// @param row        [4]: the words of the row; any value in lanes whose row is not used
/// @param registers  [count]
/// @param transposed receives two elements of a column instead of a row
void warp_deal_matrices(const std::uint32_t* row, std::uint32_t* registers, int count,
                        bool transposed);
/// Does the reverse: each lane contributes two elements of each matrix, and receives a row.
void warp_gather_matrices(const std::uint32_t* registers, std::uint32_t* row, int count,
                          bool transposed);

/// A lane's operands of a warpgroup's product, except D.
struct WarpgroupOperands {
  const std::uint32_t* a = nullptr;  ///< the lane's registers of A; null: A is in shared memory
  std::uint64_t a_descriptor = 0, b_descriptor = 0;
  bool adds = false;           ///< D = A B + D; otherwise D = A B
  int a_sign = 1, b_sign = 1;  ///< 1, or -1 to negate all elements
  /// 0: adjacent elements in memory are adjacent in k; 1: in a column of A, in a row of B.
  int a_order = 0, b_order = 0;
};

/// Executes wgmma.mma_async. Each warp of the warpgroup computes its 16 rows of D, for which its
/// lanes meet; different warps do not meet. Shared memory is read immediately.
/// @param shape  shape of one warp's part, whose m is 16
/// @param d      the lane's registers, in the order of place_in_c
void warpgroup_multiply(const tensor::Shape& shape, const WarpgroupOperands& operands,
                        std::uint32_t* d);
/// wgmma.fence, wgmma.commit_group and wgmma.wait_group.
void warpgroup_fence();
void warpgroup_commit();
void warpgroup_wait(unsigned all_but_newest);
/// Executes setmaxnreg, which has no effect here: registers are unlimited. Ends the kernel if ptxas
/// would refuse `count`.
void set_max_registers(std::uint32_t count);

namespace detail {

/// Executes mma.sync with `shape` on 32-bit registers. Source: PTX ISA 8.8, 9.7.14.5.
template <class First, class Second, class Third>
__forceinline__ void mma_sync(const tensor::Shape& shape, const First& a, const Second& b,
                              const Third& c, Third& d) {
  emu::warp_multiply(shape, a, b, c, d);
}

using MatrixRow = std::uint64_t __attribute__((may_alias, vector_size(16)));

/// Executes ldmatrix.sync.aligned.m8n8.x{count}.b16. Source: PTX ISA 8.8, 9.7.14.5.15.
/// @param row  this lane's row, 16 bytes in shared memory; used in the first 8 x count lanes
template <int count>
__forceinline__ void load_matrices(const void* row, std::uint32_t (&registers)[count],
                                   bool transposed) {
  MatrixRow words = {};
  if (emu::lane_id() < 8u * count) words = *static_cast<const MatrixRow*>(row);
  std::uint32_t in[4];
  __builtin_memcpy(in, &words, sizeof in);
  emu::warp_deal_matrices(in, registers, count, transposed);
}

/// Executes stmatrix.sync.aligned.m8n8.x{count}.b16. Source: PTX ISA 8.8, 9.7.14.5.16.
template <int count>
__forceinline__ void store_matrices(void* row, const std::uint32_t (&registers)[count],
                                    bool transposed) {
  std::uint32_t out[4] = {};
  emu::warp_gather_matrices(registers, out, count, transposed);
  if (emu::lane_id() >= 8u * count) return;
  MatrixRow words;
  __builtin_memcpy(&words, out, sizeof words);
  *static_cast<MatrixRow*>(row) = words;
}

}  // namespace detail
}  // namespace emu
