/// @file
/// Excludes sums that g++ would vectorise wrongly.
///
/// A loop that adds up narrow numbers converts its sum in each round, to unsigned for the addition
/// and back. Its result is the converted sum. If optimisers let code behind the loop read the sum
/// before the conversion, g++ 14 still treats the loop as a reduction, and that code gets the share
/// of one vector lane. The reason: its check of reductions allows code behind the loop to read the
/// value before the first operation, and does not count a conversion as one.
#include "passes.hpp"

namespace {

/// Returns whether code behind the loop reads the value.
bool is_read_behind(loop_p loop, tree value) {
  imm_use_iterator uses;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, uses, value) {
    gimple* const reader = USE_STMT(use);
    if (!is_gimple_debug(reader) && !flow_bb_inside_loop_p(loop, gimple_bb(reader))) return true;
  }
  return false;
}

/// Returns the operand of the conversion in the loop that produces the value; null if it has
/// another origin.
tree converted_from(loop_p loop, tree value) {
  gimple* const origin = SSA_NAME_DEF_STMT(value);
  if (!is_gimple_assign(origin) || !flow_bb_inside_loop_p(loop, gimple_bb(origin)) ||
      !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(origin)))
    return NULL_TREE;
  const tree from = gimple_assign_rhs1(origin);
  return TREE_CODE(from) == SSA_NAME ? from : NULL_TREE;
}

/// Returns whether code behind the loop reads a value carried to the next round as it was before a
/// conversion.
bool leaks_unconverted_sum(loop_p loop) {
  const edge latch = loop_latch_edge(loop);
  for (gphi_iterator phi = gsi_start_phis(loop->header); !gsi_end_p(phi); gsi_next(&phi)) {
    const tree next = PHI_ARG_DEF_FROM_EDGE(phi.phi(), latch);
    if (TREE_CODE(next) != SSA_NAME || SSA_NAME_IS_VIRTUAL_OPERAND(next)) continue;
    for (tree sum = converted_from(loop, next); sum; sum = converted_from(loop, sum))
      if (is_read_behind(loop, sum)) return true;
  }
  return false;
}

const pass_data kRightReductions = {
    GIMPLE_PASS, "right_reductions", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class RightReductions : public gimple_opt_pass {
 public:
  explicit RightReductions(gcc::context* context) : gimple_opt_pass(kRightReductions, context) {}

  unsigned execute(function* one) override {
    for (const loop_p loop : loops_of(one, LI_ONLY_INNERMOST))
      if (leaks_unconverted_sum(loop)) loop->dont_vectorize = true;
    return 0;
  }
};

}  // namespace

opt_pass* right_reductions(gcc::context* context) { return new RightReductions(context); }
