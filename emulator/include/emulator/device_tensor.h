/// @file
/// What the lanes of a warp, or of a warpgroup, do together with their tensor core: products of
/// fragments, and matrices between shared memory and registers. mma.h and inline PTX stand on it.
#pragma once

#include <cstdint>

#include "emulator/device.h"
#include "emulator/tensor_shape.h"
#include "host_defines.h"

namespace emu {

/// D = A B + C of the warp; every lane must call it.
/// @param a, b, c, d  the lane's elements, side by side, in the order of place_in_a, _b and _c;
///                    d may be c
void warp_multiply(const tensor::Shape& shape, const void* a, const void* b, const void* c,
                   void* d);

/// Every lane brings a row of 8 halves of one of `count` 8 x 8 matrices: lanes 8 i to 8 i + 7 those
/// of matrix i. Each gets two elements of every matrix.
/// @param row        [4]: the words of the row, whatever they are in lanes whose row nobody needs
/// @param registers  [count]
/// @param transposed two elements of a column instead of a row
void warp_deal_matrices(const std::uint32_t* row, std::uint32_t* registers, int count,
                        bool transposed);
/// The reverse: each lane brings two elements of every matrix, and gets a row.
void warp_gather_matrices(const std::uint32_t* registers, std::uint32_t* row, int count,
                          bool transposed);

/// What a lane brings to a product of its warpgroup, but for D.
struct WarpgroupOperands {
  const std::uint32_t* a = nullptr;  ///< its registers of A; null: A is in shared memory
  std::uint64_t a_descriptor = 0, b_descriptor = 0;
  bool adds = false;           ///< D = A B + D; else D = A B
  int a_sign = 1, b_sign = 1;  ///< 1, or -1: all elements change their sign
  /// 0: neighbours in memory are neighbours in k; 1: in a column of A, in a row of B
  int a_order = 0, b_order = 0;
};

/// wgmma.mma_async: each warp of the warpgroup works out its 16 rows of D, and meets for that; the
/// warps do not meet each other. Shared memory is read at once.
/// @param shape  of one warp's part, whose m is 16
/// @param d      the lane's registers, in the order of place_in_c
void warpgroup_multiply(const tensor::Shape& shape, const WarpgroupOperands& operands,
                        std::uint32_t* d);
/// wgmma.fence, wgmma.commit_group and wgmma.wait_group.
void warpgroup_fence();
void warpgroup_commit();
void warpgroup_wait(unsigned all_but_newest);
/// setmaxnreg changes nothing here: a thread has all the registers it likes. It ends the kernel if
/// `count` is none that ptxas would take.
void set_max_registers(std::uint32_t count);

namespace detail {

/// mma.sync with `shape` on registers of 32 bits. Source: PTX ISA 8.8, 9.7.14.5.
template <class First, class Second, class Third>
__forceinline__ void mma_sync(const tensor::Shape& shape, const First& a, const Second& b,
                              const Third& c, Third& d) {
  emu::warp_multiply(shape, a, b, c, d);
}

using MatrixRow = std::uint64_t __attribute__((may_alias, vector_size(16)));

/// ldmatrix.sync.aligned.m8n8.x{count}.b16. Source: PTX ISA 8.8, 9.7.14.5.15.
/// @param row  of this lane, 16 bytes in shared memory; read in the first 8 x count lanes
template <int count>
__forceinline__ void load_matrices(const void* row, std::uint32_t (&registers)[count],
                                   bool transposed) {
  MatrixRow words = {};
  if (emu::lane_id() < 8u * count) words = *static_cast<const MatrixRow*>(row);
  std::uint32_t in[4];
  __builtin_memcpy(in, &words, sizeof in);
  emu::warp_deal_matrices(in, registers, count, transposed);
}

/// stmatrix.sync.aligned.m8n8.x{count}.b16. Source: PTX ISA 8.8, 9.7.14.5.16.
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
