/// @file
/// D = A B + C as a tensor core works it out: the formats, the model of its adder, the result's
/// bits.
///
/// A tensor core does not round after each addition. It takes the products of one step of k and the
/// accumulator, shifts all of them to the largest exponent, cuts off what lies below a fixed bit,
/// and adds integers. Where the cut is, and how many products a step has, differs between
/// generations: that is a `Model`.
#pragma once

#include <cstdint>

#include "emulator/tensor_shape.h"

namespace emu::tensor {

/// How a sum becomes a number of the result's format.
enum class Rounding : std::uint8_t { zero, nearest };

/// One step of the adder.
struct Step {
  int products;       ///< of one step; k is taken in such pieces
  int fraction_bits;  ///< kept below the largest exponent's bit
  int result_bits;    ///< of the mantissa of a float result: 23, or fewer
  /// Two of four neighbours in k come first, the other two after all of them; and C is added at the
  /// end, as a float, rounded to the nearest.
  bool in_pairs = false;
};

/// A generation's arithmetic.
struct Model {
  const char* name;
  Step sixteen_bits;  ///< f16 and bf16
  Step tf32;
  Step eight_bits;          ///< e4m3 and e5m2 of a warpgroup's instruction
  Step eight_bits_of_warp;  ///< the same in mma.sync
  int least_exponent;       ///< no sum is aligned below it
  Rounding float_rounding;  ///< of f32 results
  Rounding half_rounding;   ///< of f16 results
};

/// Hopper. Sources: microsoft/MMA-Sim, `simulator/nv_ptx.py`; MATLAB-tensor-core, `H100TC.m`. An
/// H200 agrees: tests/emulator/tensor/tensor_h200.txt, from which `in_pairs` comes.
inline constexpr Model kHopper = {.name = "sm_90",
                                  .sixteen_bits = {16, 25, 23},
                                  .tf32 = {8, 25, 23},
                                  .eight_bits = {32, 13, 13},
                                  .eight_bits_of_warp = {16, 25, 23, true},
                                  .least_exponent = -133,
                                  .float_rounding = Rounding::zero,
                                  .half_rounding = Rounding::nearest};

inline constexpr int kMaxK = 64;  ///< of one instruction

/// D = A B + C, element for element. Words hold an element's bits each.
/// @param a  [m, k]
/// @param b  [n, k]: the columns of B
/// @param c  [m, n]
/// @param d  [m, n]; may be c
/// @pre      A and B are both integers or both not; k is at most kMaxK
void multiply(const Model& model, const Shape& shape, const std::uint32_t* a,
              const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d);

/// The same, slowly: each sum as the model says it.
void multiply_one_by_one(const Model& model, const Shape& shape, const std::uint32_t* a,
                         const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* d);

/// One element of it.
/// @param a, b  [k]
std::uint32_t dot(const Model& model, const Shape& shape, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t c);

}  // namespace emu::tensor
