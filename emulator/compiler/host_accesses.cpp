/// @file
/// Warns of host code that names a device variable.
///
/// With a GPU, the name means a variable in host memory that no kernel uses. The emulator has one
/// variable for both sides, so the program would work by luck. nvcc warns as well. It refuses an
/// assignment to a `__constant__` variable.
#include "device_functions.hpp"
#include "passes.hpp"
#include "sides.hpp"

namespace {

/// Returns the qualifier of a variable that only the device has; null for `__managed__` variables,
/// which both sides share.
const char* qualifier_of_device_alone(tree variable) {
  const char* const qualifier = qualifier_of(variable);
  return qualifier && std::string("__managed__") != qualifier ? qualifier : nullptr;
}

void look_at(const gimple* statement, tree access, bool is_store) {
  const tree variable = get_base_address(access);
  const char* const kind = qualifier_of_device_alone(variable);
  if (!kind || TREE_READONLY(variable) || is_without_warnings(statement)) return;
  if (is_store && std::string(kind) == "__constant__")
    error_at(gimple_location(statement),
             "host code cannot assign to the %qs variable %qD: %<cudaMemcpyToSymbol%> writes it",
             kind, variable);
  else if (is_store)
    warning_at(gimple_location(statement), 0,
               "a %qs variable %qD cannot be directly written in a host function; "
               "%<cudaMemcpyToSymbol%> writes it",
               kind, variable);
  else
    warning_at(gimple_location(statement), 0,
               "a %qs variable %qD cannot be directly read in a host function; "
               "%<cudaMemcpyFromSymbol%> reads it",
               kind, variable);
}

const pass_data kHostAccesses = {
    GIMPLE_PASS, "host_accesses", OPTGROUP_NONE, TV_NONE, PROP_ssa, 0, 0, 0, 0};

class HostAccesses : public gimple_opt_pass {
 public:
  explicit HostAccesses(gcc::context* context) : gimple_opt_pass(kHostAccesses, context) {}

  unsigned execute(function* one) override {
    if (runs_on_device(one->decl) || DECL_ARTIFICIAL(one->decl) ||
        DECL_DECLARED_CONSTEXPR_P(one->decl) || DECL_IN_SYSTEM_HEADER(one->decl))
      return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        const gimple* const statement = gsi_stmt(at);
        if (gimple_store_p(statement)) look_at(statement, gimple_get_lhs(statement), true);
        if (gimple_assign_load_p(statement))
          look_at(statement, gimple_assign_rhs1(statement), false);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* host_accesses(gcc::context* context) { return new HostAccesses(context); }
