#include "row_loop.hpp"

bool is_inside(const class loop* one, tree name) {
  if (SSA_NAME_IS_DEFAULT_DEF(name)) return false;
  const basic_block block = gimple_bb(SSA_NAME_DEF_STMT(name));
  return block && flow_bb_inside_loop_p(one, block);
}

std::vector<tree> uses_of(const gimple* statement) {
  std::vector<tree> names;
  use_operand_p use;
  ssa_op_iter at;
  FOR_EACH_SSA_USE_OPERAND(use, const_cast<gimple*>(statement), at, SSA_OP_USE)
  names.push_back(USE_FROM_PTR(use));
  return names;
}

namespace {

constexpr unsigned kMostInLoop = 60, kMostCases = 8;
/// The most bytes of results per thread: those of a row must fit on one stack, beside those of
/// other loops.
constexpr unsigned HOST_WIDE_INT kMostBytesOfResults = 32;

/// Returns the names in an expression.
std::vector<tree> names_in(tree expression) {
  std::vector<tree> names;
  const auto look = [](tree* operand, int*, void* data) -> tree {
    if (TREE_CODE(*operand) == SSA_NAME) static_cast<std::vector<tree>*>(data)->push_back(*operand);
    return NULL_TREE;
  };
  walk_tree_without_duplicates(&expression, look, &names);
  return names;
}

/// Returns whether `place` is an element of an array with one element for each thread of the block.
/// Such an element may be read for any thread, and no other thread writes it.
bool is_of_each_thread(tree place, basic_block header) {
  if (TREE_CODE(place) != ARRAY_REF || !VAR_P(TREE_OPERAND(place, 0))) return false;
  const tree array = TREE_OPERAND(place, 0), index = TREE_OPERAND(place, 1);
  const tree type = TREE_TYPE(array);
  const tree last = TYPE_DOMAIN(type) ? TYPE_MAX_VALUE(TYPE_DOMAIN(type)) : NULL_TREE;
  return auto_var_in_fn_p(array, current_function_decl) && !TREE_ADDRESSABLE(array) && last &&
         tree_fits_uhwi_p(last) && tree_to_uhwi(last) == kMostInRow - 1 &&
         TREE_CODE(index) == SSA_NAME && is_a<gphi*>(SSA_NAME_DEF_STMT(index)) &&
         gimple_bb(SSA_NAME_DEF_STMT(index)) == header;
}

/// Returns whether g++ compiles the call to instructions.
bool is_arithmetic(gimple* call) {
  if (gimple_vdef(call) || gimple_vuse(call)) return false;
  switch (gimple_call_combined_fn(call)) {
    case CFN_BUILT_IN_SQRT:
    case CFN_BUILT_IN_SQRTF:
    case CFN_BUILT_IN_FABS:
    case CFN_BUILT_IN_FABSF:
    case CFN_SQRT:
      return true;
    default:
      return false;
  }
}

bool is_harmless(gimple* statement) {
  switch (gimple_code(statement)) {
    case GIMPLE_ASSIGN:
      return !gimple_vdef(statement) && !gimple_has_volatile_ops(statement);
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_LABEL:
    case GIMPLE_DEBUG:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
      return true;
    case GIMPLE_CALL:
      return is_arithmetic(statement);
    default:
      return false;
  }
}

/// Returns whether arrays may have elements of this type.
bool is_scalar(tree type) {
  constexpr unsigned kMostBytes = 8;
  if (INTEGRAL_TYPE_P(type) && TREE_CODE(type) != BOOLEAN_TYPE && !type_has_mode_precision_p(type))
    return false;
  return (INTEGRAL_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type) || POINTER_TYPE_P(type)) &&
         tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) && tree_to_uhwi(TYPE_SIZE_UNIT(type)) <= kMostBytes;
}

/// Returns the statement that computes a name, if it is an assignment with this code.
const gimple* definition_of(tree name, tree_code code) {
  if (TREE_CODE(name) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(name))) return nullptr;
  const gimple* const made = SSA_NAME_DEF_STMT(name);
  return gimple_assign_rhs_code(made) == code ? made : nullptr;
}

bool is_known_branch(edge from) {
  const gimple* const last = last_stmt(from->src);
  if (!last) return false;
  if (gimple_code(last) == GIMPLE_COND) return true;
  return gimple_code(last) == GIMPLE_SWITCH &&
         gimple_switch_num_labels(as_a<const gswitch*>(last)) <= kMostCases &&
         !RowLoop::cases_of(from).empty();
}

}  // namespace

bool RowLoop::find() {
  if (!find_row() || !find_path()) return false;
  find_differences();
  return find_rounds() && find_results() && find_needed() && find_loads() && find_copies();
}

tree RowLoop::begin_of(tree name) const {
  return PHI_ARG_DEF_FROM_EDGE(as_a<gphi*>(SSA_NAME_DEF_STMT(name)), loop_preheader_edge(inner));
}

tree RowLoop::next_of(tree name) const {
  return PHI_ARG_DEF_FROM_EDGE(as_a<gphi*>(SSA_NAME_DEF_STMT(name)), loop_latch_edge(inner));
}

bool RowLoop::find_row() {
  last_thread = number_of_latch_executions(row);
  if (!last_thread || chrec_contains_undetermined(last_thread) || !single_exit(row)) return false;
  for (gphi_iterator at = gsi_start_phis(row->header); !gsi_end_p(at); gsi_next(&at)) {
    const tree name = gimple_phi_result(at.phi());
    if (virtual_operand_p(name) || !INTEGRAL_TYPE_P(TREE_TYPE(name))) continue;
    affine_iv iv;
    if (simple_iv(row, row, name, &iv, true) && integer_zerop(iv.base) && integer_onep(iv.step))
      index = name;
  }
  return index != NULL_TREE;
}

/// Finds the path from the begin of a thread to the loop, on which it must not store anything.
bool RowLoop::find_path() {
  if (inner->inner || inner->num_nodes > 2 || !single_exit(inner) ||
      single_exit(inner)->src != inner->header || !empty_block_p(inner->latch))
    return false;
  unsigned count = 0;
  for (gimple_stmt_iterator at = gsi_start_bb(inner->header); !gsi_end_p(at); gsi_next(&at)) {
    if (is_gimple_debug(gsi_stmt(at))) continue;
    if (!is_harmless(gsi_stmt(at)) || ++count > kMostInLoop) return false;
  }
  for (basic_block block = loop_preheader_edge(inner)->src;;) {
    if (block->loop_father != row) return false;
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (!is_harmless(gsi_stmt(at))) return false;
    if (block == row->header) return true;
    if (!single_pred_p(block)) return false;
    const edge from = single_pred_edge(block);
    if (!single_succ_p(from->src)) {
      if (!is_known_branch(from)) return false;
      path.push_back(from);
    }
    block = from->src;
  }
}

std::vector<RowLoop::Case> RowLoop::cases_of(edge branch) {
  gswitch* const by = as_a<gswitch*>(last_stmt(branch->src));
  std::vector<Case> cases;
  const bool is_default = gimple_switch_label_bb(cfun, by, 0) == branch->dest;
  for (unsigned i = 1; i < gimple_switch_num_labels(by); ++i) {
    const tree label = gimple_switch_label(by, i);
    const bool leads = gimple_switch_label_bb(cfun, by, i) == branch->dest;
    if (CASE_HIGH(label) || (is_default && leads)) return {};
    if (leads != is_default) cases.push_back({CASE_LOW(label), leads});
  }
  if (!is_default && cases.size() != 1) return {};
  return cases;
}

/// Finds values that differ between threads. All others are the same.
void RowLoop::find_differences() {
  for (bool changed = true; changed;) {
    changed = false;
    const auto note = [&](tree result) {
      changed |= !virtual_operand_p(result) && differing_.insert(result).second;
    };
    for (gphi_iterator at = gsi_start_phis(inner->header); !gsi_end_p(at); gsi_next(&at))
      for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); ++i)
        if (differs(gimple_phi_arg_def(at.phi(), i))) note(gimple_phi_result(at.phi()));
    for (gimple_stmt_iterator at = gsi_start_bb(inner->header); !gsi_end_p(at); gsi_next(&at)) {
      const tree result = gimple_get_lhs(gsi_stmt(at));
      if (!result || TREE_CODE(result) != SSA_NAME) continue;
      for (const tree use : uses_of(gsi_stmt(at)))
        if (differs(use)) note(result);
    }
  }
}

/// Returns whether a value may differ between the threads of a row.
bool RowLoop::differs(tree name) {
  if (TREE_CODE(name) != SSA_NAME || virtual_operand_p(name) || !is_inside(row, name)) return false;
  if (is_inside(inner, name)) return differing_.count(name) != 0;
  const auto known = differing_in_front_.find(name);
  if (known != differing_in_front_.end()) return known->second;
  const gimple* const made = SSA_NAME_DEF_STMT(name);
  bool is_same = !is_a<const gphi*>(made) && !gimple_vuse(made);
  if (is_same)
    for (const tree use : uses_of(made)) is_same = is_same && !differs(use);
  return differing_in_front_[name] = !is_same;
}

bool RowLoop::any_differs(tree expression) {
  const std::vector<tree> names = names_in(expression);
  return std::any_of(names.begin(), names.end(), [&](tree name) { return differs(name); });
}

bool RowLoop::find_rounds() {
  last_round = number_of_latch_executions(inner);
  if (!last_round || chrec_contains_undetermined(last_round) || any_differs(last_round))
    return false;
  return !tree_fits_uhwi_p(last_round) || tree_to_uhwi(last_round) + 1 >= kLeastRounds;
}

bool RowLoop::find_results() {
  const edge exit = single_exit(inner);
  for (gphi_iterator at = gsi_start_phis(exit->dest); !gsi_end_p(at); gsi_next(&at)) {
    if (virtual_operand_p(gimple_phi_result(at.phi()))) continue;
    const tree value = gimple_phi_arg_def(at.phi(), exit->dest_idx);
    if (TREE_CODE(value) != SSA_NAME || !is_inside(inner, value)) continue;
    if (!differs(value)) return false;
    results.insert(value);
  }
  unsigned HOST_WIDE_INT bytes = 0;
  for (const tree value : results) {
    if (!is_scalar(TREE_TYPE(value))) return false;
    bytes += tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(value)));
  }
  return !results.empty() && bytes <= kMostBytesOfResults;
}

bool RowLoop::find_needed() {
  std::vector<tree> left(results.begin(), results.end());
  while (!left.empty()) {
    const tree name = left.back();
    left.pop_back();
    if (TREE_CODE(name) != SSA_NAME || !is_inside(row, name)) continue;
    if (!is_scalar(TREE_TYPE(name))) return false;
    if (!is_inside(inner, name)) {
      if (differs(name)) brought.insert(name);
      continue;
    }
    gimple* const made = SSA_NAME_DEF_STMT(name);
    if (!needed.insert(made).second) continue;
    if (is_a<gphi*>(made)) {
      left.push_back(next_of(name));
      if (differs(name)) carried.insert(name);
    } else if (differs(name) && gimple_vuse(made)) {
      loads.push_back({made, NULL_TREE, NULL_TREE, 0, NULL_TREE, NULL_TREE});
    } else {
      const std::vector<tree> uses = uses_of(made);
      left.insert(left.end(), uses.begin(), uses.end());
    }
  }
  return true;
}

bool RowLoop::find_loads() {
  for (Load& load : loads) {
    if (!gimple_assign_load_p(load.statement)) return false;
    const tree place = gimple_assign_rhs1(load.statement);
    const bool is_bit_field =
        TREE_CODE(place) == BIT_FIELD_REF ||
        (TREE_CODE(place) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(place, 1)));
    if (is_bit_field || !is_scalar(TREE_TYPE(place))) return false;
    load.bytes = static_cast<unsigned>(tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(place))));
    if (!find_way(load) && !find_way_of_unsigned(load)) return false;
  }
  return true;
}

/// Finds the address of a load in the first round, and its step.
bool RowLoop::find_way(Load& load) {
  innermost_loop_behavior way;
  memset(&way, 0, sizeof way);
  if (!dr_analyze_innermost(&way, gimple_assign_rhs1(load.statement), inner, load.statement) ||
      any_differs(way.step))
    return false;
  load.step = fold_convert(sizetype, way.step);
  load.first = fold_build_pointer_plus(
      way.base_address, fold_build2(PLUS_EXPR, sizetype, fold_convert(sizetype, way.offset),
                                    fold_convert(sizetype, way.init)));
  return true;
}

/// Does the same for `pointer[index]`, where g++ cannot prove that an unsigned index does not wrap.
bool RowLoop::find_way_of_unsigned(Load& load) {
  const tree place = gimple_assign_rhs1(load.statement);
  tree base, offset, scale = size_one_node;
  if (TREE_CODE(place) == ARRAY_REF && VAR_P(TREE_OPERAND(place, 0))) {
    if (!integer_zerop(array_ref_low_bound(place))) return false;
    base = build_fold_addr_expr(TREE_OPERAND(place, 0));
    offset = TREE_OPERAND(place, 1);
    scale = size_int(load.bytes);
  } else {
    if (TREE_CODE(place) != MEM_REF || !integer_zerop(TREE_OPERAND(place, 1))) return false;
    const gimple* const address = definition_of(TREE_OPERAND(place, 0), POINTER_PLUS_EXPR);
    if (!address) return false;
    base = gimple_assign_rhs1(address);
    offset = gimple_assign_rhs2(address);
    if (const gimple* const product = definition_of(offset, MULT_EXPR)) {
      offset = gimple_assign_rhs1(product);
      scale = gimple_assign_rhs2(product);
    }
    const gimple* const widened = definition_of(offset, NOP_EXPR);
    if (!widened) return false;
    offset = gimple_assign_rhs1(widened);
  }
  constexpr unsigned kBits = 32;
  affine_iv iv;
  if (TREE_CODE(scale) != INTEGER_CST || TREE_CODE(offset) != SSA_NAME ||
      !TYPE_UNSIGNED(TREE_TYPE(offset)) || TYPE_PRECISION(TREE_TYPE(offset)) != kBits ||
      (TREE_CODE(base) == SSA_NAME && is_inside(inner, base)) ||
      !simple_iv(inner, inner, offset, &iv, true) || any_differs(iv.step))
    return false;
  const auto scaled = [&](tree value) {
    return fold_build2(MULT_EXPR, sizetype, fold_convert(sizetype, value), scale);
  };
  load.first = fold_build_pointer_plus(base, scaled(iv.base));
  load.step = scaled(iv.step);
  load.begin = iv.base;
  load.by = iv.step;
  return true;
}

// Copies of values.

/// Returns whether a value can be computed before all threads run; unless `is_sure`, also for
/// threads that would not compute it.
bool RowLoop::can_copy(tree name, bool is_sure) {
  if (TREE_CODE(name) != SSA_NAME || !is_inside(row, name)) return true;
  if (is_inside(inner, name)) return false;
  if (!(is_sure ? copied_if_sure_ : copied_always_).insert(name).second) return true;
  gimple* const made = SSA_NAME_DEF_STMT(name);
  if (gphi* const phi = dyn_cast<gphi*>(made)) {
    if (gimple_bb(phi) != row->header)
      return gimple_phi_num_args(phi) == 1 && can_copy(gimple_phi_arg_def(phi, 0), is_sure);
    const tree type = TREE_TYPE(name);
    affine_iv iv;
    if ((!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type)) ||
        !simple_iv(row, row, name, &iv, true) || TREE_CODE(iv.step) != INTEGER_CST)
      return false;
    ivs[name] = iv;
    return true;
  }
  if (!is_gimple_assign(made) && !is_gimple_call(made)) return false;
  if (!is_sure) {
    if (!gimple_vuse(made) ? gimple_could_trap_p(made)
                           : !gimple_assign_load_p(made) ||
                                 !is_of_each_thread(gimple_assign_rhs1(made), row->header))
      return false;
  }
  const std::vector<tree> uses = uses_of(made);
  return std::all_of(uses.begin(), uses.end(), [&](tree use) { return can_copy(use, is_sure); });
}

bool RowLoop::can_copy_all(tree expression, bool is_sure) {
  const std::vector<tree> names = names_in(expression);
  return std::all_of(names.begin(), names.end(),
                     [&](tree name) { return can_copy(name, is_sure); });
}

bool RowLoop::find_copies() {
  for (const edge branch : path)
    for (const tree name : uses_of(last_stmt(branch->src)))
      if (!can_copy(name, false)) return false;
  for (const Load& load : loads)
    if (!can_copy_all(load.first, false) || !can_copy_all(load.step, false)) return false;
  for (const tree name : brought)
    if (!can_copy(name, true)) return false;
  for (gimple* const one : needed) {
    std::vector<tree> uses;
    if (is_a<gphi*>(one)) {
      uses = {begin_of(gimple_phi_result(one)), next_of(gimple_phi_result(one))};
    } else if (!gimple_vuse(one) || !differs(gimple_get_lhs(one))) {
      uses = uses_of(one);
    }
    for (const tree use : uses)
      if (TREE_CODE(use) == SSA_NAME && !is_inside(inner, use) && !can_copy(use, true))
        return false;
  }
  return can_copy_all(last_round, false);
}

namespace {

bool may_overflow(gimple* statement) {
  if (!is_gimple_assign(statement)) return false;
  const tree type = TREE_TYPE(gimple_assign_lhs(statement));
  return INTEGRAL_TYPE_P(type) && TYPE_OVERFLOW_UNDEFINED(type) &&
         arith_code_with_undefined_signed_overflow(gimple_assign_rhs_code(statement));
}

}  // namespace

void ThreadCopies::add(gimple* statement) {
  if (!is_sure_ && may_overflow(statement)) {
    gimple_seq_add_seq(&statements, with_defined_overflow(statement));
  } else {
    gimple_seq_add_stmt(&statements, statement);
  }
}

tree ThreadCopies::name(tree one) {
  const auto known = names.find(one);
  if (known != names.end()) return known->second;
  if (TREE_CODE(one) != SSA_NAME || !is_inside(of_.row, one)) return one;
  gimple* const made = SSA_NAME_DEF_STMT(one);
  if (gphi* const phi = dyn_cast<gphi*>(made)) return names[one] = value_in_row(phi);
  gimple* const copy = copy_of(made);
  const tree result = gimple_get_lhs(copy);
  add(copy);
  return names[one] = result;
}

tree ThreadCopies::expression(tree value) {
  value = unshare_expr(value);
  const auto exchange = [](tree* operand, int* subtrees, void* data) -> tree {
    if (TREE_CODE(*operand) != SSA_NAME) return NULL_TREE;
    *subtrees = 0;
    *operand = static_cast<ThreadCopies*>(data)->name(*operand);
    return NULL_TREE;
  };
  walk_tree(&value, exchange, this, nullptr);
  return operand(value);
}

tree ThreadCopies::operand(tree value) {
  gimple_seq made = nullptr;
  const tree result = force_gimple_operand(value, &made, true, NULL_TREE);
  for (gimple_stmt_iterator at = gsi_start(made); !gsi_end_p(at);) {
    gimple* const statement = gsi_stmt(at);
    gsi_remove(&at, false);
    add(statement);
  }
  return result;
}

gimple* ThreadCopies::copy_of(gimple* statement) {
  gimple* const copy = gimple_copy(statement);
  const tree result = make_ssa_name(TREE_TYPE(gimple_get_lhs(statement)));
  gimple_set_lhs(copy, result);
  names[result] = result;
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  info.info = this;
  const auto exchange = [](tree* operand, int* subtrees, void* data) -> tree {
    if (!*operand || TREE_CODE(*operand) != SSA_NAME) return NULL_TREE;
    *subtrees = 0;
    *operand = static_cast<ThreadCopies*>(static_cast<walk_stmt_info*>(data)->info)->name(*operand);
    return NULL_TREE;
  };
  walk_gimple_op(copy, exchange, &info);
  if (gimple_has_mem_ops(copy)) gimple_set_vuse(copy, NULL_TREE);
  return copy;
}

tree ThreadCopies::value_in_row(gphi* phi) {
  if (gimple_phi_num_args(phi) == 1) return name(gimple_phi_arg_def(phi, 0));
  const affine_iv& iv = of_.ivs.at(gimple_phi_result(phi));
  const tree type = TREE_TYPE(gimple_phi_result(phi)), base = unshare_expr(iv.base);
  const tree wide = POINTER_TYPE_P(type) ? sizetype : unsigned_type_for(type);
  const tree away =
      fold_build2(MULT_EXPR, wide, fold_convert(wide, index_), fold_convert(wide, iv.step));
  if (POINTER_TYPE_P(type)) return operand(fold_build_pointer_plus(base, away));
  return operand(fold_convert(type, fold_build2(PLUS_EXPR, wide, fold_convert(wide, base), away)));
}
