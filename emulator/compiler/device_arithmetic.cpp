/// @file
/// Gives conversions, shifts and divisions in device code a device's results
/// (arithmetic_of_device.hpp).
///
/// The pass runs before any optimiser, when implicit conversions are already statements of their
/// own.
#include "arithmetic_of_device.hpp"
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

/// Inserts statements before the one at `at`.
class Before {
 public:
  explicit Before(gimple_stmt_iterator* at) : at_(at) {}

  tree convert(tree type, tree value) { return add(type, NOP_EXPR, value, NULL_TREE, NULL_TREE); }
  tree add(tree type, tree_code code, tree a, tree b = NULL_TREE, tree c = NULL_TREE) {
    const tree name = make_ssa_name(type);
    gassign* const statement = b == NULL_TREE   ? gimple_build_assign(name, code, a)
                               : c == NULL_TREE ? gimple_build_assign(name, code, a, b)
                                                : gimple_build_assign(name, code, a, b, c);
    gimple_set_location(statement, gimple_location(gsi_stmt(*at_)));
    gsi_insert_before(at_, statement, GSI_SAME_STMT);
    return name;
  }
  tree choose(tree condition, tree yes, tree no) {
    return add(TREE_TYPE(yes), COND_EXPR, condition, yes, no);
  }

 private:
  gimple_stmt_iterator* at_;
};

void become(gimple_stmt_iterator* at, tree value) {
  gimple_assign_set_rhs_with_ops(at, SSA_NAME, value);
  update_stmt(gsi_stmt(*at));
}

void become_converted(gimple_stmt_iterator* at, tree value) {
  gimple_assign_set_rhs_with_ops(at, NOP_EXPR, value);
  update_stmt(gsi_stmt(*at));
}

/// Returns 2 to the power `exponent`, which every floating-point type can represent.
tree power_of_two(tree real, int exponent, bool negative) {
  REAL_VALUE_TYPE value;
  real_2expN(&value, exponent, TYPE_MODE(real));
  if (negative) value = real_value_negate(&value);
  return build_real(real, value);
}

/// Rewrites the conversion to an integer at `at`.
void convert_like_device(gimple_stmt_iterator* at) {
  const gimple* const statement = gsi_stmt(*at);
  const tree target = TREE_TYPE(gimple_assign_lhs(statement));
  const tree number = gimple_assign_rhs1(statement);
  const tree real = TREE_TYPE(number);
  if (!is_converted_by_device(target, real)) return;

  const auto [type, of_nan] = device_integer(target, real);
  const bool is_unsigned = TYPE_UNSIGNED(type);
  const unsigned bits = TYPE_PRECISION(type);
  const tree low = is_unsigned ? build_real(real, dconst0) : power_of_two(real, bits - 1, true);
  const tree end = power_of_two(real, is_unsigned ? bits : bits - 1, false);
  Before before(at);
  tree result = before.add(type, FIX_TRUNC_EXPR, number);
  const tree below = before.add(boolean_type_node, LT_EXPR, number, low);
  result = before.choose(below, TYPE_MIN_VALUE(type), result);
  const tree above = before.add(boolean_type_node, GE_EXPR, number, end);
  result = before.choose(above, TYPE_MAX_VALUE(type), result);
  const tree unordered = before.add(boolean_type_node, UNORDERED_EXPR, number, number);
  result = before.choose(unordered, of_nan, result);
  if (!useless_type_conversion_p(target, type)) {
    become_converted(at, result);
  } else {
    become(at, result);
  }
}

/// Rewrites the shift at `at`.
void shift_like_device(gimple_stmt_iterator* at) {
  const gimple* const statement = gsi_stmt(*at);
  const tree type = TREE_TYPE(gimple_assign_lhs(statement));
  const tree value = gimple_assign_rhs1(statement);
  const tree given = gimple_assign_rhs2(statement);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (!INTEGRAL_TYPE_P(type) || !is_shifted_by_device(type)) return;
  const unsigned bits = TYPE_PRECISION(type);
  if (TREE_CODE(given) == INTEGER_CST && wi::ltu_p(wi::to_wide(given), bits)) return;

  const tree count_type = unsigned_type_node;
  const tree most = build_int_cst(count_type, bits - 1);
  Before before(at);
  const tree count = before.convert(count_type, given);
  if (code == RSHIFT_EXPR && !TYPE_UNSIGNED(type)) {
    const tree least = before.add(count_type, MIN_EXPR, count, most);
    gimple_assign_set_rhs2(gsi_stmt(*at), least);
    update_stmt(gsi_stmt(*at));
    return;
  }
  const tree within = before.add(count_type, BIT_AND_EXPR, count, most);
  const tree shifted = before.add(type, code, value, within);
  const tree too_large = before.add(boolean_type_node, GT_EXPR, count, most);
  become(at, before.choose(too_large, build_zero_cst(type), shifted));
}

/// Rewrites the division at `at`. The processor traps if the quotient is too large: the lowest
/// number by -1.
void divide_like_device(gimple_stmt_iterator* at) {
  gimple* const statement = gsi_stmt(*at);
  const tree type = TREE_TYPE(gimple_assign_lhs(statement));
  const tree value = gimple_assign_rhs1(statement), divisor = gimple_assign_rhs2(statement);
  const tree_code code = gimple_assign_rhs_code(statement);
  if (!INTEGRAL_TYPE_P(type) || TYPE_UNSIGNED(type)) return;
  const bool is_known = TREE_CODE(divisor) == INTEGER_CST;
  if (is_known && !integer_minus_onep(divisor)) return;

  Before before(at);
  const tree is_minus_one =
      before.add(boolean_type_node, EQ_EXPR, divisor, build_minus_one_cst(type));
  const tree harmless = before.choose(is_minus_one, build_one_cst(type), divisor);
  if (code == TRUNC_MOD_EXPR) {
    gimple_assign_set_rhs2(statement, harmless);
    update_stmt(statement);
    return;
  }
  const tree quotient = before.add(type, code, value, harmless);
  const tree wrapping = unsigned_type_for(type);
  const tree negative =
      before.add(wrapping, MINUS_EXPR, build_zero_cst(wrapping), before.convert(wrapping, value));
  become(at, before.choose(is_minus_one, before.convert(type, negative), quotient));
}

const pass_data kDeviceArithmetic = {
    GIMPLE_PASS, "device_arithmetic", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, 0};

class DeviceArithmetic : public gimple_opt_pass {
 public:
  explicit DeviceArithmetic(gcc::context* context) : gimple_opt_pass(kDeviceArithmetic, context) {}

  unsigned execute(function* one) override {
    if (!runs_on_device(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (!is_gimple_assign(gsi_stmt(at))) continue;
        switch (gimple_assign_rhs_code(gsi_stmt(at))) {
          case FIX_TRUNC_EXPR:
            convert_like_device(&at);
            break;
          case LSHIFT_EXPR:
          case RSHIFT_EXPR:
            shift_like_device(&at);
            break;
          case TRUNC_DIV_EXPR:
          case TRUNC_MOD_EXPR:
            divide_like_device(&at);
            break;
          default:
            break;
        }
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* device_arithmetic(gcc::context* context) { return new DeviceArithmetic(context); }
