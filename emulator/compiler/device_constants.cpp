/// @file
/// Gives conversions and shifts of constants in device code a device's results.
///
/// The front end folds `(unsigned char)300.0f` and `4u << -1` before there is a statement that a
/// pass could rewrite: conversions of literals when they are read, everything else when the
/// function is complete. Both are intercepted here for functions of the device.
#include "device_constants.hpp"

#include <target.h>

#include "arithmetic_of_device.hpp"
#include "device_functions.hpp"

namespace {

/// The target's own hook, if it has one.
tree (*convert_of_target)(tree, tree);

bool is_integer(tree type) {
  return TREE_CODE(type) == INTEGER_TYPE || TREE_CODE(type) == ENUMERAL_TYPE;
}

/// Returns the constant that `value` folds to, if it does.
tree known_number(tree value) {
  if (value == error_mark_node || processing_template_decl) return value;
  return cp_fully_fold(value);  // also uses the initialiser of a const variable
}

/// Returns whether a number is, or may turn out to be, the extension of a shorter one.
bool is_lengthened(tree value) {
  switch (TREE_CODE(value)) {
    case NOP_EXPR:
    case CONVERT_EXPR: {
      const tree from = TREE_TYPE(TREE_OPERAND(value, 0));
      return TREE_CODE(from) == REAL_TYPE &&
             TYPE_PRECISION(from) < TYPE_PRECISION(TREE_TYPE(value));
    }
    case COND_EXPR:
      return (TREE_OPERAND(value, 1) && is_lengthened(TREE_OPERAND(value, 1))) ||
             is_lengthened(TREE_OPERAND(value, 2));
    case COMPOUND_EXPR:
      return is_lengthened(TREE_OPERAND(value, 1));
    default:  // `1.0 * x` is x
      return (UNARY_CLASS_P(value) && is_lengthened(TREE_OPERAND(value, 0))) ||
             (BINARY_CLASS_P(value) &&
              (is_lengthened(TREE_OPERAND(value, 0)) || is_lengthened(TREE_OPERAND(value, 1))));
  }
}

/// Called for every conversion in the source.
tree convert_like_device(tree type, tree value) {
  if (is_integer(type) && TREE_CODE(TREE_TYPE(value)) == REAL_TYPE && current_function_decl &&
      runs_on_device(current_function_decl)) {
    const tree number = known_number(value);
    const tree converted =
        TREE_CODE(number) == REAL_CST ? converted_by_device(type, number) : NULL_TREE;
    if (converted != NULL_TREE) return converted;
    if (!processing_template_decl && is_converted_by_device(type, TREE_TYPE(value)) &&
        is_lengthened(value)) {
      // g++ turns `(int)(double)x` into `(int)x`, whose result differs if x is NaN.
      return build1(FIX_TRUNC_EXPR, type, as_opaque(value));
    }
  }
  return convert_of_target ? convert_of_target(type, value) : NULL_TREE;
}

/// Replaces a conversion of a constant by its result.
void fold_conversion(tree* conversion) {
  const tree type = TREE_TYPE(*conversion);
  if (!is_integer(type)) return;
  const tree number = cp_fully_fold(TREE_OPERAND(*conversion, 0));
  if (TREE_CODE(number) != REAL_CST) return;
  const tree converted = converted_by_device(type, number);
  if (converted != NULL_TREE) *conversion = converted;
}

/// Replaces a shift by a count that is known to be too large by its result.
void fold_shift(tree* shift) {
  const tree type = TREE_TYPE(*shift);
  if (!INTEGRAL_TYPE_P(type) || !is_shifted_by_device(type)) return;
  const tree count = cp_fully_fold(TREE_OPERAND(*shift, 1));
  if (TREE_CODE(count) != INTEGER_CST || wi::ltu_p(wi::to_wide(count), TYPE_PRECISION(type)))
    return;
  if (TREE_CODE(*shift) == RSHIFT_EXPR && !TYPE_UNSIGNED(type)) {
    TREE_OPERAND(*shift, 1) = build_int_cst(TREE_TYPE(count), TYPE_PRECISION(type) - 1);
  } else {
    // The operand is still evaluated, because it may have side effects.
    *shift = build2(COMPOUND_EXPR, type, TREE_OPERAND(*shift, 0), build_zero_cst(type));
  }
}

tree fold_one(tree* expression, int*, void*) {
  switch (TREE_CODE(*expression)) {
    case FIX_TRUNC_EXPR:
      fold_conversion(expression);
      break;
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
      fold_shift(expression);
      break;
    default:
      break;
  }
  return NULL_TREE;
}

/// Called when a function is complete and not folded yet.
void fold_function(void* function, void*) {
  const tree declaration = static_cast<tree>(function);
  if (runs_on_device(declaration))
    cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(declaration), fold_one, nullptr);
}

}  // namespace

void compute_constants_like_device(const char* plugin) {
  convert_of_target = targetm.convert_to_type;
  targetm.convert_to_type = convert_like_device;
  register_callback(plugin, PLUGIN_PRE_GENERICIZE, fold_function, nullptr);
}
