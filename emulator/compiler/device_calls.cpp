/// @file
/// Replaces calls of library functions that behave differently on a device, and removes
/// constructors of `__shared__` variables, which do not run there.
///
/// In device code, malloc, free, new and delete are the engine's (runtime/kernels_heap.cpp). An
/// implicit destructor has no line of its own; calls of free in it are replaced as well. printf
/// returns the number of its values and prints 32 of them at most; numbers behind print as 0, where
/// a device prints arbitrary ones. Of -0 and 0, fmin returns -0 and fmax 0, like PTX's min and max,
/// where C leaves it open.
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

bool is_nothrow(tree reference) {
  if (TREE_CODE(reference) != REFERENCE_TYPE) return false;
  const tree name = TYPE_NAME(TREE_TYPE(reference));
  return name && TREE_CODE(name) == TYPE_DECL &&
         std::string("nothrow_t") == IDENTIFIER_POINTER(DECL_NAME(name));
}

/// Returns the engine's function to call instead; null if the call stays. Operators of a class and
/// placement new stay.
const char* engine_name_of(tree called, bool on_device) {
  if (on_device && fndecl_built_in_p(called, BUILT_IN_MALLOC)) return "emu_malloc";
  if (on_device && fndecl_built_in_p(called, BUILT_IN_FREE)) return "emu_free";
  const bool deletes = DECL_IS_OPERATOR_DELETE_P(called);
  if (!deletes && !(on_device && DECL_IS_OPERATOR_NEW_P(called))) return nullptr;
  if (DECL_CONTEXT(called) && TREE_CODE(DECL_CONTEXT(called)) != TRANSLATION_UNIT_DECL &&
      !(TREE_CODE(DECL_CONTEXT(called)) == NAMESPACE_DECL &&
        DECL_CONTEXT(called) == global_namespace))
    return nullptr;
  const tree parameters = TYPE_ARG_TYPES(TREE_TYPE(called));
  const int count = list_length(parameters) - 1;  // without the void that ends the list
  const tree second = count == 2 ? TREE_VALUE(TREE_CHAIN(parameters)) : NULL_TREE;
  if (count == 1) return deletes ? "emu_delete" : "emu_new";
  if (!second) return nullptr;
  if (deletes && same_type_p(second, size_type_node)) return "emu_delete_sized";
  return !deletes && is_nothrow(second) ? "emu_new_nothrow" : nullptr;
}

/// Replaces a call by the value of its result.
void replace_call(gimple_stmt_iterator* at, tree value) {
  gassign* const statement = gimple_build_assign(gimple_call_lhs(gsi_stmt(*at)), value);
  gimple_set_location(statement, gimple_location(gsi_stmt(*at)));
  unlink_stmt_vdef(gsi_stmt(*at));
  gsi_replace(at, statement, true);
}

/// Rewrites fmin or fmax of two numbers.
void choose_like_device(gimple_stmt_iterator* at, bool smaller) {
  gimple* const call = gsi_stmt(*at);
  if (!gimple_call_lhs(call)) return;
  const tree type = TREE_TYPE(gimple_call_lhs(call));
  const tree x = gimple_call_arg(call, 0), y = gimple_call_arg(call, 1);
  const tree bits = build_nonstandard_integer_type(TYPE_PRECISION(type), 1);
  const auto add = [&](tree of, tree_code code, tree a, tree b = NULL_TREE, tree c = NULL_TREE) {
    const tree name = make_ssa_name(of);
    const bool views = code == VIEW_CONVERT_EXPR;
    gassign* const one = views ? gimple_build_assign(name, code, build1(code, of, a))
                         : c   ? gimple_build_assign(name, code, a, b, c)
                               : gimple_build_assign(name, code, a, b);
    gimple_set_location(one, gimple_location(call));
    gsi_insert_before(at, one, GSI_SAME_STMT);
    return name;
  };
  const auto test = [&](tree_code code, tree a, tree b) {
    return add(boolean_type_node, code, a, b);
  };
  tree result = add(type, COND_EXPR, test(smaller ? LT_EXPR : GT_EXPR, x, y), x, y);
  // Equal numbers have equal bits, except the signs of zeros.
  const tree both = add(bits, smaller ? BIT_IOR_EXPR : BIT_AND_EXPR,
                        add(bits, VIEW_CONVERT_EXPR, x), add(bits, VIEW_CONVERT_EXPR, y));
  result = add(type, COND_EXPR, test(EQ_EXPR, x, y), add(type, VIEW_CONVERT_EXPR, both), result);
  const tree x_is_none = test(UNORDERED_EXPR, x, x), y_is_none = test(UNORDERED_EXPR, y, y);
  tree of_none = x;
  if (TYPE_PRECISION(type) == 32) {
    const tree quiet = build_int_cst(bits, 0x7fffffff);
    of_none = add(type, COND_EXPR, x_is_none, fold_build1(VIEW_CONVERT_EXPR, type, quiet), x);
  }
  result = add(type, COND_EXPR, x_is_none, y, result);
  result = add(type, COND_EXPR, y_is_none, of_none, result);
  replace_call(at, result);
}

/// Rewrites a printf: its values, and its result if that is used.
void print_like_device(gimple_stmt_iterator* at) {
  constexpr unsigned kMostValues = 32;
  gimple* const call = gsi_stmt(*at);
  const unsigned given = gimple_call_num_args(call) - 1;
  for (unsigned i = kMostValues + 1; i <= given; ++i)
    if (const tree type = TREE_TYPE(gimple_call_arg(call, i)); !POINTER_TYPE_P(type))
      gimple_call_set_arg(call, i, build_zero_cst(type));
  if (given > kMostValues) update_stmt(call);
  const tree result = gimple_call_lhs(call);
  if (!result) return;
  const unsigned values = given < kMostValues ? given : kMostValues;
  gimple_call_set_lhs(call, NULL_TREE);
  update_stmt(call);
  gassign* const count = gimple_build_assign(result, build_int_cst(TREE_TYPE(result), values));
  gsi_insert_after(at, count, GSI_NEW_STMT);
}

/// Returns whether a variable is the guard of a `__shared__` variable, which tells whether its
/// constructor has run. On a device neither the constructor nor the destructor runs.
bool is_guard_of_shared(tree variable) {
  return VAR_P(variable) && DECL_ARTIFICIAL(variable) && DECL_THREAD_LOCAL_P(variable) &&
         DECL_NAME(variable) &&
         std::string(IDENTIFIER_POINTER(DECL_NAME(variable))).rfind("_ZGV", 0) == 0;
}

/// Replaces the test of a guard: the variable counts as initialised.
void skip_guard(gimple_stmt_iterator* at) {
  gimple* const statement = gsi_stmt(*at);
  if (!gimple_assign_load_p(statement)) return;
  tree base = get_base_address(gimple_assign_rhs1(statement));
  if (base && TREE_CODE(base) == MEM_REF && TREE_CODE(TREE_OPERAND(base, 0)) == SSA_NAME) {
    gimple* const address = SSA_NAME_DEF_STMT(TREE_OPERAND(base, 0));
    if (!gimple_assign_single_p(address)) return;
    base = gimple_assign_rhs1(address);
    if (TREE_CODE(base) == ADDR_EXPR) base = TREE_OPERAND(base, 0);
  }
  if (!base || !is_guard_of_shared(base)) return;
  gimple_assign_set_rhs_from_tree(at, build_one_cst(TREE_TYPE(gimple_assign_lhs(statement))));
  update_stmt(gsi_stmt(*at));
}

bool is_of(tree called, built_in_function a, built_in_function b) {
  return fndecl_built_in_p(called, a) || fndecl_built_in_p(called, b);
}

/// Returns whether a function is std::fmin or std::fmax, which are functions of the library.
bool is_of_library(tree function) {
  return DECL_IN_SYSTEM_HEADER(function) && DECL_NAME(function) &&
         (id_equal(DECL_NAME(function), "fmin") || id_equal(DECL_NAME(function), "fmax"));
}

const pass_data kDeviceCalls = {GIMPLE_PASS, "device_calls", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0,
                                0,           TODO_update_ssa};

class DeviceCalls : public gimple_opt_pass {
 public:
  explicit DeviceCalls(gcc::context* context) : gimple_opt_pass(kDeviceCalls, context) {}

  unsigned execute(function* one) override {
    const bool on_device = runs_on_device(one->decl);
    if (!on_device && !DECL_ARTIFICIAL(one->decl) && !is_of_library(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (on_device && is_gimple_assign(statement)) skip_guard(&at);
        const tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
        if (!called) continue;
        if (is_of(called, BUILT_IN_FMIN, BUILT_IN_FMINF)) {
          choose_like_device(&at, true);
        } else if (is_of(called, BUILT_IN_FMAX, BUILT_IN_FMAXF)) {
          choose_like_device(&at, false);
        } else if (on_device && fndecl_built_in_p(called, BUILT_IN_PRINTF)) {
          print_like_device(&at);
        } else if (const char* const wanted = engine_name_of(called, on_device)) {
          const tree instead = build_fn_decl(wanted, TREE_TYPE(called));
          TREE_NOTHROW(instead) = TREE_NOTHROW(called);
          gimple_call_set_fndecl(statement, instead);
          update_stmt(statement);
        }
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* device_calls(gcc::context* context) { return new DeviceCalls(context); }
