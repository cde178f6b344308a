/// @file
/// What one instruction of a tensor core multiplies, and which element is in which lane.
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

/// Who executes an instruction: mma.sync and wmma, or wgmma.
enum class Unit : std::uint8_t { warp, warpgroup };

/// Rows of D that a warp works out: of mma.sync, and of its warpgroup's product.
constexpr int kRowsOfWarp = 16;

struct Shape {
  int m, n, k;
  Type a, b;
  Type c;  ///< of C and D: f32 or f16; s32 for s8 and u8
  Unit unit = Unit::warp;
  bool saturates = false;  ///< s32: sums stay at the ends instead of wrapping

  constexpr bool operator==(const Shape& o) const {
    return m == o.m && n == o.n && k == o.k && a == o.a && b == o.b && c == o.c && unit == o.unit &&
           saturates == o.saturates;
  }
};

struct Place {
  int row, column;
};

namespace detail {

// A register has 32 bits: `in_register` elements that are neighbours in k. Four lanes share a row.

/// Of an operand with `rows` rows of k elements; a block has 16 rows, or all 8. The column is k's.
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

/// A's element `i` of a lane, [m, k]. Sources of all three: PTX ISA 8.8, 9.7.14, for mma.sync; for
/// wmma, an H200's (tests/emulator/tensor/tensor_h200.txt).
constexpr Place place_in_a(const Shape& s, int lane, int i) {
  return detail::operand_place(s.m, s.k, bytes_of(s.a), lane, i, true);
}
/// B's, [k, n]. A B of 16 columns is two of 8, a B of 32 is like an A of 32 rows.
constexpr Place place_in_b(const Shape& s, int lane, int i) {
  constexpr int kWide = 32;
  const Place p = detail::operand_place(s.n, s.k, bytes_of(s.b), lane, i, s.n == kWide);
  return {p.column, p.row};
}
/// C's and D's, [m, n].
constexpr Place place_in_c(const Shape& s, int lane, int i) {
  const int pair = i / 2, near = lane % 4 * 2 + i % 2, far = lane / 4;
  if (s.m == 8) return {near, far + 8 * pair};
  if (s.n == 8) return {far + 8 * pair, near};
  return {far + 8 * (pair % 2), near + 8 * (pair / 2)};
}

}  // namespace emu::tensor
