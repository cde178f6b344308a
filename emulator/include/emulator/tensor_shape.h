/// @file
/// The shapes and formats of a tensor core's instructions, and the lanes of elements.
#pragma once

#include <cstdint>

namespace emu::tensor {

/// Formats of elements, as PTX names them. tf32 is the upper 19 bits of a float.
enum class Type : std::uint8_t { f16, bf16, tf32, e4m3, e5m2, f32, s8, u8, s32 };

constexpr int bytes_of(Type type) {
  switch (type) {
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::tf32:
    case Type::f32:
    case Type::s32:
      return 4;
    default:
      return 1;
  }
}

/// The executor of an instruction: a warp for mma.sync and wmma, a warpgroup for wgmma.
enum class Unit : std::uint8_t { warp, warpgroup };

/// Rows of D that one warp computes, for mma.sync and for its part of a warpgroup's product.
constexpr int kRowsOfWarp = 16;

struct Shape {
  int m, n, k;
  Type a, b;
  Type c;  ///< format of C and D: f32 or f16; s32 for s8 and u8
  Unit unit = Unit::warp;
  bool saturates = false;  ///< s32: sums saturate instead of wrapping

  constexpr bool operator==(const Shape& o) const {
    return m == o.m && n == o.n && k == o.k && a == o.a && b == o.b && c == o.c && unit == o.unit &&
           saturates == o.saturates;
  }
};

struct Place {
  int row, column;
};

namespace detail {

// A 32-bit register contains `in_register` elements that are adjacent in k. Four lanes share a row.

/// Returns an element's position in an operand with `rows` rows of k elements; a block has 16 rows,
/// or all 8. The column is the index in k.
constexpr Place operand_place(int rows, int k, int bytes, int lane, int i, bool rows_first) {
  const int in_register = 4 / bytes, r = i / in_register;
  const int in_k = k / (4 * in_register);  // registers along k
  const int column = lane % 4 * in_register + i % in_register;
  if (rows == 8) return {lane / 4, column + 4 * in_register * r};
  if (!rows_first) return {lane / 4 + 8 * (r / in_k), column + 4 * in_register * (r % in_k)};
  const int in_block = r % (2 * in_k);
  return {lane / 4 + 8 * (in_block % 2) + 16 * (r / (2 * in_k)),
          column + 4 * in_register * (in_block / 2)};
}

}  // namespace detail

/// Returns the position of a lane's element `i` of A, [m, k]. Sources of all three functions: PTX
/// ISA 8.8, 9.7.14, for mma.sync; an H200 for wmma (tests/emulator/tensor/tensor_h200.txt).
constexpr Place place_in_a(const Shape& s, int lane, int i) {
  return detail::operand_place(s.m, s.k, bytes_of(s.a), lane, i, true);
}
/// Returns a position in B, [k, n]. A B of 16 columns is two of 8; one of 32 is like an A of 32
/// rows.
constexpr Place place_in_b(const Shape& s, int lane, int i) {
  constexpr int kWide = 32;
  const Place p = detail::operand_place(s.n, s.k, bytes_of(s.b), lane, i, s.n == kWide);
  return {p.column, p.row};
}
/// Returns a position in C and D, [m, n].
constexpr Place place_in_c(const Shape& s, int lane, int i) {
  const int pair = i / 2, near = lane % 4 * 2 + i % 2, far = lane / 4;
  if (s.m == 8) return {near, far + 8 * pair};
  if (s.n == 8) return {far + 8 * pair, near};
  return {far + 8 * (pair % 2), near + 8 * (pair / 2)};
}

}  // namespace emu::tensor
