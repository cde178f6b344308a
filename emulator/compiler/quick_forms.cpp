/// @file
/// Two forms of device code from one text.
///
/// A kernel whose accesses are counted or checked is compiled with a call before each of them, and
/// without the optimisations that would change them. Where nobody looks, that is time for nothing.
/// So each function that a kernel may run gets a second form, a copy that g++ may optimise as it
/// likes. The copies are made as soon as there are statements, before any optimiser has seen them.
/// They begin at `emu::detail::run_lanes_quick`, which the engine calls for a kernel's lanes.
#include "passes.hpp"
#include "quick_form.hpp"

namespace {

/// All that g++ has at -O3, but for what would change results or the lines of errors.
tree full_strength() {
  gcc_options options = global_options;
  options.x_optimize = 3;
  options.x_flag_errno_math = 0;
  options.x_flag_trapping_math = 0;
  for (int gcc_options::*const flag :
       {&gcc_options::x_flag_tree_sra, &gcc_options::x_flag_ipa_sra,
        &gcc_options::x_flag_tree_loop_vectorize, &gcc_options::x_flag_tree_slp_vectorize,
        &gcc_options::x_flag_tree_loop_distribution,
        &gcc_options::x_flag_tree_loop_distribute_patterns, &gcc_options::x_flag_code_hoisting,
        &gcc_options::x_flag_hoist_adjacent_loads, &gcc_options::x_flag_thread_jumps,
        &gcc_options::x_flag_split_paths, &gcc_options::x_flag_unswitch_loops,
        &gcc_options::x_flag_split_loops, &gcc_options::x_flag_peel_loops,
        &gcc_options::x_flag_predictive_commoning, &gcc_options::x_flag_tree_partial_pre,
        &gcc_options::x_flag_version_loops_for_strides, &gcc_options::x_flag_unroll_jam,
        &gcc_options::x_flag_loop_interchange, &gcc_options::x_flag_inline_functions})
    options.*flag = 1;
  options.x_flag_vect_cost_model = VECT_COST_MODEL_DYNAMIC;
  options.x_param_max_grow_copy_bb_insns = 8;  // g++'s own
  return build_optimization_node(&options, &global_options_set);
}

bool is_named(tree declaration, const char* name) {
  return DECL_NAME(declaration) && strcmp(IDENTIFIER_POINTER(DECL_NAME(declaration)), name) == 0;
}

bool is_of_engine(tree function) {
  for (tree scope = DECL_CONTEXT(function); scope && TREE_CODE(scope) == NAMESPACE_DECL;
       scope = DECL_CONTEXT(scope))
    if (is_named(scope, "emu")) return true;
  return false;
}

bool is_root(tree function) {
  return is_named(function, "run_lanes_quick") && is_of_engine(function);
}

/// A kernel that is called by its lanes is not launched: what would launch it is no part of it.
bool launches(tree function) { return is_named(function, "launch") && is_of_engine(function); }

tree without(const char* attribute, tree list) { return remove_attribute(attribute, list); }

class Forms {
 public:
  void make_for(cgraph_node* root) {
    make_quick(root->decl);
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

  /// The quick form of a function; null if it can have none.
  cgraph_node* form_of(cgraph_node* function) {
    const auto known = forms_.find(function);
    if (known != forms_.end()) return known->second;
    return forms_[function] = make_form(function);
  }

  cgraph_node* make_form(cgraph_node* function) {
    if (!function->has_gimple_body_p() || function->alias || function->thunk ||
        launches(function->decl) || is_quick_form(function->decl))
      return nullptr;
    function->get_untransformed_body();
    // A kernel may not be copied by others: each copy would be another kernel.
    const tree attributes = DECL_ATTRIBUTES(function->decl);
    DECL_ATTRIBUTES(function->decl) = without("noclone", copy_list(attributes));
    cgraph_node* const form = function->create_version_clone_with_body(
        vNULL, NULL, NULL, NULL, NULL, "quick", NULL_TREE, false);
    DECL_ATTRIBUTES(function->decl) = attributes;
    if (!form) return nullptr;
    const bool is_kernel = lookup_attribute("noipa", attributes) != NULL_TREE;
    DECL_ATTRIBUTES(form->decl) = copy_list(attributes);
    make_quick(form->decl);
    if (is_kernel)
      DECL_ATTRIBUTES(form->decl) =
          tree_cons(get_identifier("noinline"), NULL_TREE, DECL_ATTRIBUTES(form->decl));
    else
      DECL_UNINLINABLE(form->decl) = 0;
    to_follow_.push_back(form);
    return form;
  }

  /// Makes a quick form call quick forms.
  void follow(cgraph_node* form) {
    push_cfun(DECL_STRUCT_FUNCTION(form->decl));
    basic_block block;
    FOR_EACH_BB_FN(block, cfun) {
      drop_assembly(block);
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (gimple_assign_load_p(statement)) {
          const tree loaded = gimple_assign_rhs1(statement);
          if (VAR_P(loaded) && is_named(loaded, "emu_launch_is_pending")) {
            gimple_assign_set_rhs1(statement, build_zero_cst(TREE_TYPE(loaded)));
            update_stmt(statement);
          }
        }
        if (!is_gimple_call(statement)) continue;
        const tree called = gimple_call_fndecl(statement);
        cgraph_node* const node = called ? cgraph_node::get(called) : nullptr;
        if (!node) continue;
        cgraph_node* const other = form_of(node->ultimate_alias_target());
        if (!other) continue;
        gimple_call_set_fndecl(statement, other->decl);
        update_stmt(statement);
      }
    }
    cgraph_edge::rebuild_edges();
    pop_cfun();
  }

  /// Whether assembly only tells the engine something that nobody asks for here: the rounds of
  /// loops (emulator/rounds.h), and which call made an atomic access (device_atomics.h).
  static bool is_for_counting(const gasm* assembly) {
    const char* const text = gimple_asm_string(assembly);
    return strstr(text, "emu_round_path") ||
           (*text == 0 && gimple_asm_noutputs(assembly) == 0 && gimple_asm_ninputs(assembly) == 0 &&
            gimple_asm_nclobbers(assembly) == 0);
  }

  static void drop_assembly(basic_block block) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      const gasm* const assembly = dyn_cast<gasm*>(gsi_stmt(at));
      if (!assembly || !is_for_counting(assembly)) {
        gsi_next(&at);
      } else if (gimple_asm_noutputs(assembly) == 1) {
        const tree result = TREE_VALUE(gimple_asm_output_op(assembly, 0));
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_replace(&at, gimple_build_assign(result, build_zero_cst(TREE_TYPE(result))), false);
        gsi_next(&at);
      } else {
        unlink_stmt_vdef(gsi_stmt(at));
        gsi_remove(&at, true);
      }
    }
  }

  const tree strength_ = full_strength();
  std::map<cgraph_node*, cgraph_node*> forms_;
  std::vector<cgraph_node*> to_follow_;
};

const pass_data kQuickForms = {
    SIMPLE_IPA_PASS, "quick_forms", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class QuickForms : public simple_ipa_opt_pass {
 public:
  explicit QuickForms(gcc::context* context) : simple_ipa_opt_pass(kQuickForms, context) {}

  unsigned execute(function*) override {
    std::vector<cgraph_node*> roots;
    cgraph_node* node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
      if (is_root(node->decl)) roots.push_back(node);
    }
    if (roots.empty()) return 0;
    Forms forms;
    for (cgraph_node* const root : roots) forms.make_for(root);
    return 0;
  }
};

}  // namespace

simple_ipa_opt_pass* quick_forms(gcc::context* context) { return new QuickForms(context); }
