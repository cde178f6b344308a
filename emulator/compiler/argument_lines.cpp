/// @file
/// Gives arguments that are structs their source line.
///
/// g++ inlines `f(*p)` as an assignment of `*p` to the parameter, without a line. A debugger, and
/// the engine, would then show the line of whatever machine code precedes it. The expression `*p`
/// still has its line, and this pass copies it to the assignment.
#include "passes.hpp"

namespace {

/// Returns the location of the operand, or of its outermost part that has one.
location_t line_of(tree operand) {
  for (;; operand = TREE_OPERAND(operand, 0)) {
    if (EXPR_HAS_LOCATION(operand)) return EXPR_LOCATION(operand);
    if (!handled_component_p(operand)) return UNKNOWN_LOCATION;
  }
}

const pass_data kArgumentLines = {
    GIMPLE_PASS, "argument_lines", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class ArgumentLines : public gimple_opt_pass {
 public:
  explicit ArgumentLines(gcc::context* context) : gimple_opt_pass(kArgumentLines, context) {}

  unsigned execute(function* one) override {
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (gimple_has_location(statement) || !gimple_assign_single_p(statement)) continue;
        for (const tree operand : {gimple_assign_rhs1(statement), gimple_assign_lhs(statement)})
          if (!gimple_has_location(statement)) gimple_set_location(statement, line_of(operand));
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* argument_lines(gcc::context* context) { return new ArgumentLines(context); }
