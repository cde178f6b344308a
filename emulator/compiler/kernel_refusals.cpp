/// @file
/// Reports code that nvcc refuses on the device and g++ accepts: arrays of variable length,
/// assignments to whole `__constant__` variables (nvcc allows those to elements and members), and
/// uses of host constants by address.
#include "calls_between_sides.hpp"
#include "passes.hpp"
#include "sides.hpp"

namespace {

bool is_constant_variable(tree variable) {
  const char* const qualifier = qualifier_of(variable);
  return qualifier && std::string("__constant__") == qualifier;
}

/// Returns whether a variable is a constant of the host. g++ has replaced numbers by their values
/// already, as nvcc does.
bool is_constant_of_host(tree variable) {
  return variable && VAR_P(variable) && is_global_var(variable) && TREE_READONLY(variable) &&
         !DECL_ARTIFICIAL(variable) && !DECL_SECTION_NAME(variable) &&
         !DECL_IN_SYSTEM_HEADER(variable) && !decl_function_context(variable);
}

bool find_constant_of_host(gimple*, tree operand, tree, void* found) {
  const tree variable = get_base_address(operand);
  if (is_constant_of_host(variable)) *static_cast<tree*>(found) = variable;
  return false;
}

/// Returns whether a statement calls a function of the emulator, which may take an argument by
/// reference that nvcc's takes by value.
bool calls_emulator(gimple* statement) {
  const tree called = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return called && DECL_IN_SYSTEM_HEADER(called) && !decl_in_std_namespace_p(called);
}

tree constant_of_host_in(gimple* statement) {
  tree found = NULL_TREE;
  if (calls_emulator(statement)) return found;
  walk_stmt_load_store_addr_ops(statement, &found, find_constant_of_host, nullptr,
                                find_constant_of_host);
  return found;
}

const pass_data kKernelRefusals = {
    GIMPLE_PASS, "kernel_refusals", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, 0};

class KernelRefusals : public gimple_opt_pass {
 public:
  explicit KernelRefusals(gcc::context* context) : gimple_opt_pass(kKernelRefusals, context) {}

  unsigned execute(function* one) override {
    if (side_of(one->decl) != Side::device) return 0;
    refuse_calls_in(one->decl);
    std::set<tree> constants;  // that were refused
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (gimple_call_builtin_p(statement, BUILT_IN_ALLOCA_WITH_ALIGN) ||
            gimple_call_builtin_p(statement, BUILT_IN_ALLOCA_WITH_ALIGN_AND_MAX))
          error_at(gimple_location(statement),
                   "the size of an array in device code must be a constant");
        if (gimple_store_p(statement) && is_constant_variable(gimple_get_lhs(statement)))
          error_at(gimple_location(statement),
                   "device code cannot assign to the %<__constant__%> variable %qD: host code sets "
                   "it with %<cudaMemcpyToSymbol%>",
                   gimple_get_lhs(statement));
        const tree constant = constant_of_host_in(statement);
        if (constant && constants.insert(constant).second)
          error_at(gimple_location(statement),
                   "device code can use the value of the host constant %qD, but has no address of "
                   "it: make it %<__constant__%>",
                   constant);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* kernel_refusals(gcc::context* context) { return new KernelRefusals(context); }
