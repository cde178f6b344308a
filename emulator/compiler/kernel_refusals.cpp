/// @file
/// What nvcc refuses in a kernel and g++ takes: arrays of variable length, and assignments to
/// `__constant__` variables. (Their elements and members may be assigned, with nvcc, too.)
#include "device_functions.hpp"
#include "passes.hpp"

namespace {

/// The rewriter gives kernels this attribute (rewriter/rewrite_kernel.cpp).
bool is_kernel(tree function) {
  return lookup_attribute("noipa", DECL_ATTRIBUTES(function)) != NULL_TREE;
}

bool is_constant_variable(tree variable) {
  if (!variable || !VAR_P(variable) || !is_global_var(variable)) return false;
  const char* const section = DECL_SECTION_NAME(variable);
  return section && std::string(section).rfind("emu_constant", 0) == 0;
}

const pass_data kKernelRefusals = {
    GIMPLE_PASS, "kernel_refusals", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, 0};

class KernelRefusals : public gimple_opt_pass {
 public:
  explicit KernelRefusals(gcc::context* context) : gimple_opt_pass(kKernelRefusals, context) {}

  unsigned execute(function* one) override {
    if (!runs_on_device(one->decl) || !is_kernel(one->decl)) return 0;
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
                   "device code cannot assign the %<__constant__%> variable %qD",
                   gimple_get_lhs(statement));
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* kernel_refusals(gcc::context* context) { return new KernelRefusals(context); }
