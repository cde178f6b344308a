/// @file
/// Compiles two forms of device code from one text.
///
/// The instrumented form of a kernel has a call before each access, and lacks the optimisations
/// that would change accesses. Where accesses are neither counted nor checked, that costs time for
/// nothing. So each function that a kernel may run gets a copy, its quick form, which g++ may
/// optimise freely. The copies are made before any optimiser runs, beginning with
/// `emu::detail::run_lanes_quick`, which the engine calls for the lanes of a kernel.
#include "assembly_for_counting.hpp"
#include "block_form.hpp"
#include "device_functions.hpp"
#include "passes.hpp"
#include "quick_form.hpp"

namespace {

/// Returns options like -O3, except for optimisations that would change results.
tree full_strength() {
  gcc_options options = global_options;
  options.x_optimize = 3;
  options.x_flag_errno_math = 0;
  options.x_flag_var_tracking = 0;  // lines are enough, and it takes long
  options.x_flag_schedule_insns_after_reload = options.x_flag_gcse = 0;
  options.x_flag_trapping_math = 0;
  for (int gcc_options::*const flag :
       {&gcc_options::x_flag_tree_sra, &gcc_options::x_flag_ipa_sra,
        &gcc_options::x_flag_tree_loop_vectorize, &gcc_options::x_flag_tree_slp_vectorize,
        &gcc_options::x_flag_tree_loop_distribution,
        &gcc_options::x_flag_tree_loop_distribute_patterns, &gcc_options::x_flag_code_hoisting,
        &gcc_options::x_flag_hoist_adjacent_loads, &gcc_options::x_flag_thread_jumps,
        &gcc_options::x_flag_unswitch_loops, &gcc_options::x_flag_predictive_commoning,
        &gcc_options::x_flag_inline_functions})
    options.*flag = 1;
  options.x_flag_vect_cost_model = VECT_COST_MODEL_DYNAMIC;
  options.x_param_max_grow_copy_bb_insns = 8;  // the default of g++
  find_ranges_by_bounds(options);              // lane_loops.cpp sets the ranges of indices
  return build_optimization_node(&options, &global_options_set);
}

/// Returns whether a function is the one that hands a launch to the engine, which the call for a
/// thread does not reach.
bool launches(tree function) { return is_engine_function(function, "launch"); }

/// Returns whether a function is a kernel: the rewriter lets nobody look into those for a caller.
bool is_of_kernel(tree function) {
  return lookup_attribute("noipa", DECL_ATTRIBUTES(function)) != NULL_TREE;
}

tree without(const char* attribute, tree list) { return remove_attribute(attribute, list); }

/// Returns the function that a root calls for each thread.
cgraph_node* body_of(cgraph_node* root) {
  root->get_untransformed_body();
  for (cgraph_edge* edge = root->callees; edge; edge = edge->next_callee)
    if (is_named(edge->callee->decl, "operator()")) return edge->callee->ultimate_alias_target();
  return nullptr;
}

/// Returns emu::thread_index, which a root sets.
tree thread_index_in(cgraph_node* root) {
  basic_block block;
  FOR_EACH_BB_FN(block, DECL_STRUCT_FUNCTION(root->decl)) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      if (!gimple_store_p(gsi_stmt(at))) continue;
      const tree base = get_base_address(gimple_get_lhs(gsi_stmt(at)));
      if (base && is_index(base, "thread_index")) return base;
    }
  }
  return NULL_TREE;
}

class Forms {
 public:
  /// @param of_block the rules, if all threads of a block are to run in one function; else null
  void make_for(cgraph_node* root, const BlockFormRules* of_block) {
    of_block_ = of_block;
    make_quick(root->decl);
    if (cgraph_node* const body = body_of(root))
      if (cgraph_node* const form = form_of(body)) call_for_thread_.insert(form->decl);
    if (of_block) {
      if (of_block->has_barrier(body_of(root))) mark(root->decl, kHasBarrier);
      mark(root->decl, kBlockForm);
      thread_index_ = thread_index_in(root);
    }
    follow(root);
    while (!to_follow_.empty()) {
      cgraph_node* const next = to_follow_.back();
      to_follow_.pop_back();
      follow(next);
    }
  }

 private:
  void make_quick(tree function) {
    DECL_FUNCTION_SPECIFIC_OPTIMIZATION(function) = strength_;
    tree attributes = DECL_ATTRIBUTES(function);
    for (const char* const one : {"noipa", "noinline", "noclone", "no_icf", "no_sanitize"})
      attributes = without(one, attributes);
    attributes = tree_cons(get_identifier(kQuickForm), NULL_TREE, attributes);
    DECL_ATTRIBUTES(function) = attributes;
    add_no_sanitize(function);
  }

  static void add_no_sanitize(tree function) {
    const tree all = build_int_cst(unsigned_type_node, ~0u);
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier("no_sanitize"), all, DECL_ATTRIBUTES(function));
  }

  static void mark(tree function, const char* attribute) {
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier(attribute), NULL_TREE, DECL_ATTRIBUTES(function));
  }

  /// Returns the quick form of a function; null if it cannot have one.
  cgraph_node* form_of(cgraph_node* function) {
    auto& forms = of_block_ ? block_forms_ : lane_forms_;
    const auto known = forms.find(function);
    if (known != forms.end()) return known->second;
    cgraph_node* const made = make_form(function);
    return forms[function] = made;
  }

  cgraph_node* make_form(cgraph_node* function) {
    if (!function->has_gimple_body_p() || function->alias || function->thunk ||
        launches(function->decl) || is_quick_form(function->decl))
      return nullptr;
    function->get_untransformed_body();
    // A kernel is marked noclone, because each copy would be another kernel; its form is an
    // exception.
    const tree attributes = DECL_ATTRIBUTES(function->decl);
    DECL_ATTRIBUTES(function->decl) = without("noclone", copy_list(attributes));
    cgraph_node* const form = copy_of(function, of_block_ ? "block" : "quick");
    DECL_ATTRIBUTES(function->decl) = attributes;
    if (!form) return nullptr;
    DECL_ATTRIBUTES(form->decl) = copy_list(attributes);
    make_quick(form->decl);
    DECL_UNINLINABLE(form->decl) = 0;
    if (of_block_) {
      if (of_block_->has_barrier(function)) mark(form->decl, kHasBarrier);
      if (is_of_kernel(function->decl) || of_block_->has_barrier(function)) {
        DECL_DECLARED_INLINE_P(form->decl) = 1;
        DECL_DISREGARD_INLINE_LIMITS(form->decl) = 1;
      }
      // ThreadIdx is a constant to g++, which a loop over threads must not use.
    } else if (is_of_kernel(function->decl)) {
      DECL_UNINLINABLE(form->decl) = 1;
    }
    if (is_engine_function(function->decl, "call_kernel") ||
        is_engine_function(function->decl, "call"))
      call_for_thread_.insert(form->decl);
    to_follow_.push_back(form);
    return form;
  }

  /// Replaces the calls in a quick form by calls of quick forms.
  void follow(cgraph_node* form) {
    push_cfun(DECL_STRUCT_FUNCTION(form->decl));
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
      drop_assembly(block);
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (gimple_assign_load_p(statement)) replace_load(statement);
        if (gimple_assign_single_p(statement)) {
          note_struct(&at, gimple_assign_lhs(statement), true);
          note_struct(&at, gimple_assign_rhs1(statement), false);
        }
        if (!is_gimple_call(statement)) continue;
        const tree called = gimple_call_fndecl(statement);
        if (called && of_block_ && is_named(called, "emu_has_barriers")) {
          gimplify_and_update_call_from_tree(
              &at, build_int_cst(
                       integer_type_node,
                       lookup_attribute(kHasBarrier, DECL_ATTRIBUTES(form->decl)) != NULL_TREE));
          continue;
        }
        if (called && of_block_ && make_atomic_inline(&at, called)) continue;
        if (called && make_root_inline(&at, called)) continue;
        cgraph_node* const node = called ? cgraph_node::get(called) : nullptr;
        if (!node) continue;
        cgraph_node* const target = node->ultimate_alias_target();
        if (is_of_kernel(target->decl) && !call_for_thread_.count(form->decl))
          continue;  // a launch
        cgraph_node* const other = form_of(target);
        if (!other) continue;
        gimple_call_set_fndecl(statement, other->decl);
        update_stmt(statement);
      }
    }
    cgraph_edge::rebuild_edges();
    pop_cfun();
  }

  /// Removes assembly that only counting needs.
  static void drop_assembly(basic_block block) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      const gasm* const assembly = dyn_cast<gasm*>(gsi_stmt(at));
      if (!assembly || !is_for_counting(assembly)) {
        gsi_next(&at);
      } else if (gimple_asm_noutputs(assembly) == 1) {
        const tree result = TREE_VALUE(gimple_asm_output_op(assembly, 0));
        const tree value = gimple_asm_ninputs(assembly) == 1
                               ? TREE_VALUE(gimple_asm_input_op(assembly, 0))
                               : build_zero_cst(TREE_TYPE(result));
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_replace(&at, gimple_build_assign(result, value), false);
        gsi_next(&at);
      } else {
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_remove(&at, true);
      }
    }
  }

  /// Replaces an atomic addition or subtraction of integers by the processor's instruction.
  static bool make_atomic_inline(gimple_stmt_iterator* at, tree called) {
    const bool adds = is_engine_function(called, "atomic_add");
    if (!adds && !is_engine_function(called, "atomic_subtract")) return false;
    const tree address = gimple_call_arg(gsi_stmt(*at), 0);
    const tree value = gimple_call_arg(gsi_stmt(*at), 1);
    const tree type = TREE_TYPE(value);
    if (!INTEGRAL_TYPE_P(type)) return false;
    const bool is_wide = TYPE_PRECISION(type) == 64;
    if (!is_wide && TYPE_PRECISION(type) != 32) return false;
    const tree function = builtin_decl_explicit(
        adds ? is_wide ? BUILT_IN_ATOMIC_FETCH_ADD_8 : BUILT_IN_ATOMIC_FETCH_ADD_4
             : (is_wide ? BUILT_IN_ATOMIC_FETCH_SUB_8 : BUILT_IN_ATOMIC_FETCH_SUB_4));
    want_alignment(at, address, TYPE_PRECISION(type) / 8, TYPE_PRECISION(type) / 8, true);
    const tree call =
        build_call_expr(function, 3, address, fold_convert(unsigned_type_for(type), value),
                        build_int_cst(integer_type_node, MEMMODEL_SEQ_CST));
    gimplify_and_update_call_from_tree(at, fold_convert(type, call));
    return true;
  }

  /// Replaces a square root by the processor's instruction. The C library's function also sets
  /// errno, which is not used here.
  static bool make_root_inline(gimple_stmt_iterator* at, tree called) {
    gimple* const call = gsi_stmt(*at);
    const tree result = gimple_call_lhs(call);
    if (!result ||
        (!fndecl_built_in_p(called, BUILT_IN_SQRT) && !fndecl_built_in_p(called, BUILT_IN_SQRTF)))
      return false;
    if (!direct_internal_fn_supported_p(IFN_SQRT, TREE_TYPE(result), OPTIMIZE_FOR_SPEED))
      return false;
    gcall* const root = gimple_build_call_internal(IFN_SQRT, 1, gimple_call_arg(call, 0));
    gimple_call_set_lhs(root, result);
    gimple_set_location(root, gimple_location(call));
    unlink_stmt_vdef(call);
    gsi_replace(at, root, false);
    return true;
  }

  /// Adds a mark for `quick_checks`.
  static void want_alignment(gimple_stmt_iterator* at, tree address, unsigned align, unsigned bytes,
                             bool is_store) {
    const tree type = build_function_type_list(void_type_node, ptr_type_node, unsigned_type_node,
                                               unsigned_type_node, unsigned_type_node, NULL_TREE);
    const tree function = build_fn_decl(kWantsAlignment, type);
    DECL_IS_NOVOPS(function) = 1;
    const auto number = [](unsigned value) { return build_int_cst(unsigned_type_node, value); };
    gcall* const call =
        gimple_build_call(function, 4, address, number(align), number(bytes), number(is_store));
    gimple_set_location(call, gimple_location(gsi_stmt(*at)));
    gsi_insert_before(at, call, GSI_SAME_STMT);
  }

  /// Marks a struct such as float4 that is moved as a whole. Its address must be aligned for the
  /// whole struct, even if g++ moves its members separately later.
  static void note_struct(gimple_stmt_iterator* at, tree access, bool is_store) {
    if (!AGGREGATE_TYPE_P(TREE_TYPE(access)) || gimple_clobber_p(gsi_stmt(*at))) return;
    const unsigned align = wanted_alignment(access);
    const tree base = align > 1 ? get_base_address(access) : NULL_TREE;
    if (!base || TREE_CODE(base) != MEM_REF || TREE_CODE(TREE_OPERAND(base, 0)) != SSA_NAME) return;
    const tree address = force_gimple_operand_gsi(at, build_fold_addr_expr(unshare_expr(access)),
                                                  true, NULL_TREE, true, GSI_SAME_STMT);
    want_alignment(at, address, align,
                   static_cast<unsigned>(tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(access)))),
                   is_store);
  }

  /// Replaces a load. The quick form of a kernel is never launched; where a loop runs over threads,
  /// threadIdx is a variable.
  void replace_load(gimple* statement) const {
    tree* place = gimple_assign_rhs1_ptr(statement);
    if (VAR_P(*place) && is_named(*place, "emu_launch_is_pending")) {
      *place = build_zero_cst(TREE_TYPE(*place));
      update_stmt(statement);
      return;
    }
    if (!of_block_ || !thread_index_) return;
    while (handled_component_p(*place)) place = &TREE_OPERAND(*place, 0);
    if (!is_index(*place, "threadIdx")) return;
    gimple_assign_set_rhs1(statement, unshare_expr(gimple_assign_rhs1(statement)));
    place = gimple_assign_rhs1_ptr(statement);
    while (handled_component_p(*place)) place = &TREE_OPERAND(*place, 0);
    *place = thread_index_;
    update_stmt(statement);
  }

  const tree strength_ = full_strength();
  const BlockFormRules* of_block_ = nullptr;
  tree thread_index_ = NULL_TREE;  // emu::thread_index
  std::map<cgraph_node*, cgraph_node*> lane_forms_, block_forms_;
  std::vector<cgraph_node*> to_follow_;
  // Forms that call a kernel for a thread. Where another function calls one, that is a launch.
  std::set<tree> call_for_thread_;
};

/// Splits a function that must be inlined and whose address is taken. In a quick form g++ may
/// resolve a pointer to it, but cannot inline a function with other options. So calls by name get a
/// copy that must be inlined, and the function itself need not be any more.
void part_from_address(cgraph_node* function) {
  std::vector<cgraph_edge*> calls;
  for (cgraph_edge* edge = function->callers; edge; edge = edge->next_caller) calls.push_back(edge);
  function->get_untransformed_body();
  const tree attributes = DECL_ATTRIBUTES(function->decl);
  cgraph_node* const copy = calls.empty() ? nullptr : copy_of(function, "inlined");
  if (copy) {
    DECL_ATTRIBUTES(copy->decl) = copy_list(attributes);
    DECL_DISREGARD_INLINE_LIMITS(copy->decl) = DECL_DECLARED_INLINE_P(copy->decl) = 1;
    std::set<cgraph_node*> callers;
    for (cgraph_edge* const edge : calls) {
      callers.insert(edge->caller);
      gimple_call_set_fndecl(edge->call_stmt, copy->decl);
    }
    for (cgraph_node* const caller : callers) {
      push_cfun(DECL_STRUCT_FUNCTION(caller->decl));
      cgraph_edge::rebuild_edges();
      pop_cfun();
    }
  } else if (!calls.empty()) {
    return;
  }
  DECL_ATTRIBUTES(function->decl) = without("always_inline", copy_list(attributes));
  DECL_DISREGARD_INLINE_LIMITS(function->decl) = 0;
}

const pass_data kQuickForms = {
    SIMPLE_IPA_PASS, "quick_forms", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class QuickForms : public simple_ipa_opt_pass {
 public:
  explicit QuickForms(gcc::context* context) : simple_ipa_opt_pass(kQuickForms, context) {}

  unsigned execute(function*) override {
    std::vector<cgraph_node*> of_lanes, of_blocks;
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
      if (is_engine_function(node->decl, "run_lanes_quick")) of_lanes.push_back(node);
      if (is_engine_function(node->decl, "run_block_quick")) of_blocks.push_back(node);
    }
    Forms forms;
    BlockFormRules rules;
    // Functions called by threads that have a block form, and no barrier.
    std::set<cgraph_node*> done;
    for (cgraph_node* const root : of_blocks) {
      cgraph_node* const body = body_of(root);
      if (!body || !rules.allow(body)) continue;
      forms.make_for(root, &rules);
      if (!rules.has_barrier(body)) done.insert(body);
    }
    for (cgraph_node* const root : of_lanes)
      if (!done.count(body_of(root))) forms.make_for(root, nullptr);
    std::vector<cgraph_node*> with_address;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
    if (node->address_taken && !node->alias && !is_quick_form(node->decl) &&
        lookup_attribute("always_inline", DECL_ATTRIBUTES(node->decl)) &&
        runs_on_device(node->decl))
      with_address.push_back(node);
    for (cgraph_node* const one : with_address) part_from_address(one);
    return 0;
  }
};

}  // namespace

simple_ipa_opt_pass* quick_forms(gcc::context* context) { return new QuickForms(context); }
