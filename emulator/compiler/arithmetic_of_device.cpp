#include "arithmetic_of_device.hpp"

namespace {

constexpr unsigned kWordBits = 32;
constexpr unsigned kMostBits = 64;

}  // namespace

bool is_converted_by_device(tree target, tree real) {
  return TREE_CODE(real) == REAL_TYPE && TYPE_PRECISION(target) <= kMostBits;
}

DeviceInteger device_integer(tree target, tree real) {
  const unsigned bits = TYPE_PRECISION(target) <= kWordBits ? kWordBits : kMostBits;
  const bool is_wide = bits == kMostBits || TYPE_PRECISION(real) == kMostBits;
  const tree type = build_nonstandard_integer_type(bits, TYPE_UNSIGNED(target));
  return {type, is_wide ? wide_int_to_tree(type, wi::set_bit_in_zero(bits - 1, bits))
                        : build_zero_cst(type)};
}

tree converted_by_device(tree target, tree number) {
  if (!is_converted_by_device(target, TREE_TYPE(number))) return NULL_TREE;
  const DeviceInteger integer = device_integer(target, TREE_TYPE(number));
  const REAL_VALUE_TYPE low = real_value_from_int_cst(NULL_TREE, TYPE_MIN_VALUE(integer.type));
  const REAL_VALUE_TYPE high = real_value_from_int_cst(NULL_TREE, TYPE_MAX_VALUE(integer.type));
  const REAL_VALUE_TYPE value = TREE_REAL_CST(number);
  const auto cut_off = [&](const auto& whole) {
    return wide_int_to_tree(target, wide_int::from(whole, TYPE_PRECISION(target), UNSIGNED));
  };
  if (REAL_VALUE_ISNAN(value)) return cut_off(wi::to_wide(integer.of_nan));
  if (real_less(&value, &low)) return cut_off(wi::to_wide(TYPE_MIN_VALUE(integer.type)));
  if (real_less(&high, &value)) return cut_off(wi::to_wide(TYPE_MAX_VALUE(integer.type)));
  bool failed = false;
  return cut_off(real_to_integer(&value, &failed, TYPE_PRECISION(integer.type)));
}

bool is_shifted_by_device(tree type) {
  return TYPE_PRECISION(type) == kWordBits || TYPE_PRECISION(type) == kMostBits;
}
