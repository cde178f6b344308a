/// @file
/// Checks in quick forms, in place of instrumentation.
///
/// A device refuses a misaligned address. The processor does not, so a quick form tests addresses
/// whose alignment g++ cannot prove: once for each base pointer, before the loops that do not
/// change it.
///
/// A lane that reads memory in a loop may wait for another lane. So volatile and atomic accesses
/// let other lanes run from time to time.
#include "block_form.hpp"
#include "passes.hpp"
#include "quick_form.hpp"

namespace {

/// The parts of an address: a pointer, and an offset that is known, or a multiple of the alignment.
struct Origin {
  tree pointer = NULL_TREE;  // null: the address is known to be aligned
  std::uint64_t offset = 0;
};

constexpr int kDeepest = 32;

/// Returns how many of an offset's lowest bits are known to be zero, which g++ forgets where it
/// moves code.
unsigned zeros_below(tree offset, int depth = 0) {
  constexpr int kDeepestOffset = 6;
  const auto known = static_cast<unsigned>(tree_ctz(offset));
  if (TREE_CODE(offset) != SSA_NAME || depth == kDeepestOffset) return known;
  const gimple* const definition = SSA_NAME_DEF_STMT(offset);
  if (!is_gimple_assign(definition)) return known;
  const auto of = [&](tree operand) { return zeros_below(operand, depth + 1); };
  const tree first = gimple_assign_rhs1(definition), second = gimple_assign_rhs2(definition);
  switch (gimple_assign_rhs_code(definition)) {
    case MULT_EXPR:
      return std::max(known, std::min(of(first) + of(second), 32u));
    case PLUS_EXPR:
    case MINUS_EXPR:
      return std::max(known, std::min(of(first), of(second)));
    case NEGATE_EXPR:
      return std::max(known, of(first));
    default:
      return known;
  }
}

bool is_multiple_of(tree offset, unsigned align) {
  return (std::uint64_t{1} << std::min(zeros_below(offset), 32u)) >= align;
}

/// Returns the initial value of a pointer that advances in steps; null for other pointers.
tree begin_of_steps(const gphi* pointer, unsigned align) {
  if (gimple_phi_num_args(pointer) != 2) return NULL_TREE;
  for (const unsigned i : {0u, 1u}) {
    const tree next = gimple_phi_arg_def(pointer, i);
    if (TREE_CODE(next) != SSA_NAME) continue;
    const gimple* const step = SSA_NAME_DEF_STMT(next);
    if (is_gimple_assign(step) && gimple_assign_rhs_code(step) == POINTER_PLUS_EXPR &&
        gimple_assign_rhs1(step) == gimple_phi_result(pointer) &&
        is_multiple_of(gimple_assign_rhs2(step), align))
      return gimple_phi_arg_def(pointer, 1 - i);
  }
  return NULL_TREE;
}

Origin origin_of_pointer(tree pointer, std::uint64_t offset, unsigned align) {
  for (int depth = 0; depth < kDeepest; ++depth) {
    if (TREE_CODE(pointer) == ADDR_EXPR) {
      const tree inside = TREE_OPERAND(pointer, 0);
      const tree base = get_base_address(inside);
      if (base && DECL_P(base)) {
        poly_int64 at = 0;
        HOST_WIDE_INT bytes = 0;
        const bool is_known =
            get_addr_base_and_unit_offset(inside, &at) != NULL_TREE && at.is_constant(&bytes);
        const bool is_right =
            is_known && DECL_ALIGN_UNIT(base) >= align && (bytes + offset) % align == 0;
        return is_right ? Origin{} : Origin{pointer, offset};
      }
      return {pointer, offset};
    }
    if (TREE_CODE(pointer) != SSA_NAME) break;
    const gimple* const definition = SSA_NAME_DEF_STMT(pointer);
    if (const gphi* const phi = dyn_cast<const gphi*>(definition)) {
      const tree begin = begin_of_steps(phi, align);
      if (!begin) break;
      pointer = begin;
      continue;
    }
    if (!is_gimple_assign(definition)) break;
    const tree_code code = gimple_assign_rhs_code(definition);
    const tree first = gimple_assign_rhs1(definition);
    if (code == POINTER_PLUS_EXPR) {
      const tree bytes = gimple_assign_rhs2(definition);
      if (TREE_CODE(bytes) == INTEGER_CST) {
        offset += static_cast<std::uint64_t>(TREE_INT_CST_LOW(bytes));
      } else if (!is_multiple_of(bytes, align)) {
        break;
      }
      pointer = first;
    } else if ((code == SSA_NAME || CONVERT_EXPR_CODE_P(code)) &&
               POINTER_TYPE_P(TREE_TYPE(first))) {
      pointer = first;
    } else if (code == ADDR_EXPR) {
      const tree base = get_base_address(TREE_OPERAND(first, 0));
      if (!base || !DECL_P(base)) break;
      pointer = first;
    } else {
      break;
    }
  }
  return {pointer, offset};
}

const pass_data kRightStructs = {
    GIMPLE_PASS, "right_structs", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct Check {
  Origin origin;
  unsigned align, bytes;
  bool is_store;
  bool is_early;  // nothing has been done yet, so the block can still run thread by thread
  location_t line;
  basic_block block;  // position: before `statement`, or at the end of the block if that is null
  gimple* statement;
};

class Function {
 public:
  explicit Function(function* one) : function_(one) {}

  bool run() {
    find_accesses();
    if (found_.empty() && patient_.empty() && structs_.empty()) return false;
    for (gimple* const statement : patient_) add_patience(statement);
    // Checks at the ends of blocks come first, before blocks are split.
    for (const Check& check : found_)
      if (!check.statement) add(check);
    for (const Check& check : found_)
      if (check.statement) add(check);
    for (gcall* const call : structs_) {
      gimple_stmt_iterator at = gsi_for_stmt(call);
      gsi_remove(&at, true);
    }
    return true;
  }

  bool changed_blocks() const { return !found_.empty(); }

 private:
  void find_accesses() {
    // In the order of dominators, because an earlier check makes later ones unnecessary.
    auto_vec<basic_block> blocks;
    blocks.safe_push(ENTRY_BLOCK_PTR_FOR_FN(function_));
    while (!blocks.is_empty()) {
      const basic_block block = blocks.pop();
      for (basic_block son = first_dom_son(CDI_DOMINATORS, block); son;
           son = next_dom_son(CDI_DOMINATORS, son))
        blocks.safe_push(son);
      if (block->index < NUM_FIXED_BLOCKS) continue;
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
        look_at(gsi_stmt(at));
    }
  }

  void look_at(gimple* statement) {
    if (is_gimple_call(statement)) {
      const tree called = gimple_call_fndecl(statement);
      if (called && is_named(called, kWantsAlignment)) find_struct(as_a<gcall*>(statement));
      if (called && fndecl_built_in_p(called, BUILT_IN_NORMAL) && DECL_NAME(called)) {
        const std::string name = IDENTIFIER_POINTER(DECL_NAME(called));
        // In a block form, no thread waits for another.
        if (!runs_block_ && (name.rfind("__atomic_", 0) == 0 || name.rfind("__sync_", 0) == 0) &&
            name.find("fence") == name.npos)
          patient_.push_back(statement);
      }
      return;
    }
    if (!gimple_assign_single_p(statement)) return;
    if (gimple_has_volatile_ops(statement) && !gimple_clobber_p(statement))
      patient_.push_back(statement);
    if (gimple_store_p(statement)) find(statement, gimple_assign_lhs(statement), true);
    if (gimple_assign_load_p(statement)) find(statement, gimple_assign_rhs1(statement), false);
  }

  void find(gimple* statement, tree access, bool is_store) {
    const unsigned align = wanted_alignment(access);
    if (align < 2) return;
    const tree base = get_base_address(access);
    if (!base || TREE_CODE(base) != MEM_REF) return;
    HOST_WIDE_INT bytes;
    if (!mem_ref_offset(base).force_shwi().is_constant(&bytes)) return;
    // Array elements and members are aligned if the object is.
    add_check(statement, TREE_OPERAND(base, 0), static_cast<std::uint64_t>(bytes), align,
              static_cast<unsigned>(tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(access)))), is_store);
  }

  /// Notes a struct that is moved as a whole, although g++ may have split the access since.
  void find_struct(gcall* call) {
    const auto number = [&](unsigned argument) {
      return static_cast<unsigned>(tree_to_uhwi(gimple_call_arg(call, argument)));
    };
    add_check(call, gimple_call_arg(call, 0), 0, number(1), number(2), number(3) != 0);
    structs_.push_back(call);
  }

  void add_check(gimple* statement, tree pointer, std::uint64_t offset, unsigned align,
                 unsigned bytes, bool is_store) {
    const Origin origin = origin_of_pointer(pointer, offset, align);
    if (!origin.pointer) return;
    Check check{
        origin,   align, bytes, is_store, false, gimple_location(statement), gimple_bb(statement),
        statement};
    check.origin.offset %= align;
    if (!make_early(check)) hoist(check);
    for (const Check& other : found_)
      if (operand_equal_p(other.origin.pointer, origin.pointer, 0) && other.align >= align &&
          other.origin.offset % align == check.origin.offset &&
          (other.block == check.block || dominated_by_p(CDI_DOMINATORS, check.block, other.block)))
        return;
    found_.push_back(check);
  }

  /// Moves a check to the begin of a function that runs a block. Before the block has begun it can
  /// still run thread by thread, which reports an error only if the access is made.
  bool make_early(Check& check) const {
    if (!runs_block_) return false;
    class loop* outermost = check.block->loop_father;
    if (!outermost || !loop_outer(outermost)) return false;
    while (loop_outer(loop_outer(outermost))) outermost = loop_outer(outermost);
    const tree pointer = check.origin.pointer;
    if (TREE_CODE(pointer) == SSA_NAME) {
      const basic_block made = gimple_bb(SSA_NAME_DEF_STMT(pointer));
      if (made && made->loop_father && loop_outer(made->loop_father)) return false;
      if (made && !dominated_by_p(CDI_DOMINATORS, outermost->header, made)) return false;
    }
    const edge enters = loop_preheader_edge(outermost);
    if (!can_stand_at_end(enters)) return false;
    check.block = enters->src;
    check.statement = nullptr;
    check.is_early = true;
    return true;
  }

  static bool can_stand_at_end(edge enters) {
    if (!enters || !single_succ_p(enters->src) || enters->src->index < NUM_FIXED_BLOCKS)
      return false;
    const gimple_stmt_iterator last = gsi_last_bb(enters->src);
    return gsi_end_p(last) || !stmt_ends_bb_p(gsi_stmt(last));
  }

  /// Moves a check out of loops that always reach it and do not change the pointer.
  void hoist(Check& check) {
    const tree pointer = check.origin.pointer;
    for (;;) {
      class loop* const around = check.block->loop_father;
      if (!around || !loop_outer(around)) return;
      if (TREE_CODE(pointer) == SSA_NAME) {
        const basic_block made = gimple_bb(SSA_NAME_DEF_STMT(pointer));
        if (made && flow_bb_inside_loop_p(around, made)) return;
      }
      auto_vec<edge> exits = get_loop_exit_edges(around);
      for (const edge& leaves : exits)
        if (!(leaves->flags & (EDGE_EH | EDGE_FAKE)) &&
            !dominated_by_p(CDI_DOMINATORS, leaves->src, check.block))
          return;
      const edge enters = loop_preheader_edge(around);
      if (!can_stand_at_end(enters)) return;
      check.block = enters->src;
      check.statement = nullptr;
    }
  }

  void add_patience(gimple* statement) {
    const tree type = build_function_type_list(void_type_node, NULL_TREE);
    gimple_stmt_iterator at = gsi_for_stmt(statement);
    gcall* const call = gimple_build_call(build_fn_decl("emu_be_patient", type), 0);
    gimple_set_location(call, gimple_location(statement));
    gsi_insert_before(&at, call, GSI_SAME_STMT);
  }

  /// Adds `if (address & (align - 1)) emu_refuse_address(address, bytes, is_store);`.
  void add(const Check& check) {
    gimple_seq statements = NULL;
    const tree number = pointer_sized_int_node;
    tree value = gimple_convert_to(&statements, number, check.origin.pointer);
    if (check.origin.offset != 0) {
      const tree sum = make_ssa_name(number);
      gimple_seq_add_stmt(
          &statements,
          gimple_build_assign(sum, PLUS_EXPR, value, build_int_cst(number, check.origin.offset)));
      value = sum;
    }
    const tree low = make_ssa_name(number);
    gimple_seq_add_stmt(&statements, gimple_build_assign(low, BIT_AND_EXPR, value,
                                                         build_int_cst(number, check.align - 1)));
    gcond* const condition =
        gimple_build_cond(NE_EXPR, low, build_zero_cst(number), NULL_TREE, NULL_TREE);
    gimple_set_location(condition, check.line);
    gimple_seq_add_stmt(&statements, condition);

    basic_block before;
    if (check.statement) {
      before = gimple_bb(check.statement);
      gimple_stmt_iterator at = gsi_for_stmt(check.statement);
      gsi_insert_seq_before(&at, statements, GSI_SAME_STMT);
    } else {
      const auto rest = rest_of_.find(check.block);
      before = rest == rest_of_.end() ? check.block : rest->second;
      gimple_stmt_iterator at = gsi_last_bb(before);
      gsi_insert_seq_after(&at, statements, GSI_NEW_STMT);
    }
    const edge on = split_block(before, condition);
    if (!check.statement) rest_of_[check.block] = on->dest;
    on->flags &= ~EDGE_FALLTHRU;
    on->flags |= EDGE_FALSE_VALUE;
    on->probability = profile_probability::always();
    const basic_block refused = create_empty_bb(before);
    refused->count = profile_count::zero();
    const edge to_refused = make_edge(before, refused, EDGE_TRUE_VALUE);
    to_refused->probability = profile_probability::never();
    add_bb_to_loop(refused, current_loops->tree_root);
    set_immediate_dominator(CDI_DOMINATORS, refused, before);

    const tree type = build_function_type_list(void_type_node, number, unsigned_type_node,
                                               integer_type_node, NULL_TREE);
    const tree function =
        build_fn_decl(check.is_early ? "emu_run_by_threads" : "emu_refuse_address", type);
    TREE_THIS_VOLATILE(function) = 1;  // it does not return
    gcall* const call =
        gimple_build_call(function, 3, value, build_int_cst(unsigned_type_node, check.bytes),
                          build_int_cst(integer_type_node, check.is_store));
    gimple_set_location(call, check.line);
    gimple_stmt_iterator end = gsi_start_bb(refused);
    gsi_insert_after(&end, call, GSI_NEW_STMT);
  }

  static tree gimple_convert_to(gimple_seq* statements, tree type, tree pointer) {
    const tree name = make_ssa_name(type);
    gimple_seq_add_stmt(statements, gimple_build_assign(name, NOP_EXPR, pointer));
    return name;
  }

  function* function_;
  const bool runs_block_ =
      lookup_attribute(kBlockForm, DECL_ATTRIBUTES(function_->decl)) != NULL_TREE;
  std::vector<Check> found_;
  std::vector<gimple*> patient_;
  std::vector<gcall*> structs_;
  std::map<basic_block, basic_block> rest_of_;  // the block behind each block that was split
};

/// Removes marks of structs that are known to be aligned, so that no address of a variable remains
/// that would hinder optimisers.
class RightStructs : public gimple_opt_pass {
 public:
  explicit RightStructs(gcc::context* context) : gimple_opt_pass(kRightStructs, context) {}

  unsigned execute(function* one) override {
    if (!is_quick_form(one->decl)) return 0;
    basic_block block;
    FOR_EACH_BB_FN(block, one) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
        const tree called =
            is_gimple_call(gsi_stmt(at)) ? gimple_call_fndecl(gsi_stmt(at)) : NULL_TREE;
        if (called && is_named(called, kWantsAlignment) &&
            !origin_of_pointer(
                 gimple_call_arg(gsi_stmt(at), 0), 0,
                 static_cast<unsigned>(tree_to_uhwi(gimple_call_arg(gsi_stmt(at), 1))))
                 .pointer) {
          gsi_remove(&at, true);
        } else {
          gsi_next(&at);
        }
      }
    }
    return TODO_update_address_taken;
  }
};

const pass_data kQuickChecks = {
    GIMPLE_PASS, "quick_checks", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class QuickChecks : public gimple_opt_pass {
 public:
  explicit QuickChecks(gcc::context* context) : gimple_opt_pass(kQuickChecks, context) {}

  unsigned execute(function* one) override {
    if (!is_quick_form(one->decl)) return 0;
    calculate_dominance_info(CDI_DOMINATORS);
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    Function function(one);
    const bool changed = function.run();
    loop_optimizer_finalize();
    if (!changed) return 0;
    if (function.changed_blocks()) {
      free_dominance_info(CDI_DOMINATORS);
      loops_state_set(LOOPS_NEED_FIXUP);
    }
    mark_virtual_operands_for_renaming(one);
    return TODO_update_ssa_only_virtuals | TODO_cleanup_cfg;
  }
};

}  // namespace

opt_pass* quick_checks(gcc::context* context) { return new QuickChecks(context); }

opt_pass* right_structs(gcc::context* context) { return new RightStructs(context); }
