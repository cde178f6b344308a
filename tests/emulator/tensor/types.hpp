/// @file
/// Converts the cases' formats and shapes to the emulator's types.
#pragma once

#include <string_view>
#include <utility>

#include "emulator/tensor_shape.h"
#include "tensor_cases.hpp"

namespace tensor {

inline emu::tensor::Type type_of(const Format& format) {
  using emu::tensor::Type;
  for (const auto& [name, type] : {std::pair{"f16", Type::f16},
                                   {"bf16", Type::bf16},
                                   {"tf32", Type::tf32},
                                   {"e4m3", Type::e4m3},
                                   {"e5m2", Type::e5m2},
                                   {"f32", Type::f32},
                                   {"s8", Type::s8},
                                   {"u8", Type::u8}})
    if (format.name == name) return type;
  return Type::s32;
}

inline emu::tensor::Shape shape_of(const Shape& shape) {
  constexpr int kRowsOfWarpgroup = 64;
  return {
      .m = shape.m,
      .n = shape.n,
      .k = shape.k,
      .a = type_of(shape.a),
      .b = type_of(shape.b),
      .c = type_of(shape.c),
      .unit = shape.m == kRowsOfWarpgroup ? emu::tensor::Unit::warpgroup : emu::tensor::Unit::warp,
      .saturates = shape.name.find("satfinite") != std::string_view::npos};
}

}  // namespace tensor
