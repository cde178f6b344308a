/// @file
/// Turns the threads of a block into loops, as work-item loops in POCL do.
///
/// `run_block_quick` (emulator/launch.h) runs one thread after the other. When everything that it
/// calls is inlined, this pass adds the barriers: a thread that reaches one saves the values that
/// it needs later and the point where it stopped, and the next thread runs. When all have arrived,
/// each gets its values back and continues.
///
/// The values to save are the SSA names that are live behind the barrier, each in an array with an
/// element for every thread. They then have several definitions, which g++'s SSA update resolves.
#include "block_form.hpp"
#include "passes.hpp"
#include "quick_form.hpp"

namespace {

constexpr unsigned kMostThreads = 1024, kMostBarriers = 200;
/// The most bytes that a thread may save: those of a whole block must fit on one stack.
constexpr unsigned HOST_WIDE_INT kMostBytesOfThread = 256;
/// The most pairs of a block and a name to examine: more would take too long.
constexpr unsigned kMostStatements = 20000;

tree called_by(const gimple* statement) {
  return is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
}

class BlockFunction {
 public:
  explicit BlockFunction(function* one) : function_(one) {}

  /// @return whether the function now runs a block
  bool transform() {
    forget_variables();
    find_calls();
    if (!has_form_) return false;  // already transformed
    const bool well = has_barriers() ? !hidden_barrier_ && make_phases() : true;
    if (well && !calls_others_) make_thread_index_local();
    if (writes_own_memory()) forget_independence();
    answer(well);
    return true;
  }

 private:
  struct Barrier {
    gcall* call;
    basic_block behind = nullptr;
    std::vector<tree> live;
  };

  /// Tells g++ the limit on a grid's size that a launch in block form observes (kMostBlocksInLine).
  static void note_range(gimple* statement) {
    if (!gimple_assign_load_p(statement)) return;
    const tree name = gimple_assign_lhs(statement);
    const tree base = get_base_address(gimple_assign_rhs1(statement));
    if (TREE_CODE(name) != SSA_NAME || !INTEGRAL_TYPE_P(TREE_TYPE(name)) || !base) return;
    constexpr unsigned kMostBlocks = 1u << 20;
    if (is_index(base, "blockIdx")) set_bounds(name, 0, kMostBlocks - 1);
    if (is_index(base, "gridDim")) set_bounds(name, 1, kMostBlocks);
    if (is_index(base, "blockDim")) set_bounds(name, 1, kMostThreads);
    if (is_index(base, "thread_index")) set_bounds(name, 0, kMostThreads - 1);
  }

  bool has_barriers() const { return resume_ || suspended_ || !barriers_.empty(); }

  /// Removes debug information about variables, which is invalid in functions with jumps into their
  /// middle.
  void forget_variables() {
    basic_block block;
    FOR_EACH_BB_FN(block, function_) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
        if (gimple_debug_bind_p(gsi_stmt(at))) {
          gsi_remove(&at, true);
        } else {
          gsi_next(&at);
        }
      }
    }
  }

  void find_calls() {
    basic_block block;
    FOR_EACH_BB_FN(block, function_) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        if (!is_gimple_debug(statement)) ++statements_;
        note_range(statement);
        if (!is_gimple_call(statement)) continue;
        const tree called = called_by(statement);
        if (!called) continue;
        if (is_named(called, "emu_has_block_form")) {
          has_form_ = statement;
        } else if (is_named(called, "emu_resume")) {
          hidden_barrier_ |= resume_ != nullptr;
          resume_ = statement;
        } else if (is_named(called, "emu_suspended")) {
          hidden_barrier_ |= suspended_ != nullptr;
          suspended_ = statement;
        } else if (is_barrier(called)) {
          barriers_.push_back({as_a<gcall*>(statement), nullptr, {}});
        } else {
          hidden_barrier_ |= lookup_attribute(kHasBarrier, DECL_ATTRIBUTES(called)) != NULL_TREE;
          // Only quick forms use the threadIdx that this pass replaces.
          calls_others_ |= is_quick_form(called);
        }
      }
    }
  }

  /// Sets the result of the query with which the function begins.
  void answer(bool yes) {
    gimple_stmt_iterator at = gsi_for_stmt(has_form_);
    const tree result = gimple_call_lhs(has_form_);
    unlink_stmt_vdef(has_form_);
    if (result == NULL_TREE) {
      gsi_remove(&at, true);
      return;
    }
    gsi_replace(&at, gimple_build_assign(result, build_int_cst(TREE_TYPE(result), yes)), false);
  }

  // Phases between barriers.

  bool make_phases() {
    if (!resume_ || !suspended_ || barriers_.size() > kMostBarriers ||
        statements_ > kMostStatements || !find_points())
      return false;
    split();
    find_region();
    if (has_live_memory()) return undo_split();
    for (Barrier& barrier : barriers_) barrier.live = live_behind(barrier);
    if (!make_arrays()) return undo_split();
    add_edges();
    return true;
  }

  /// Splitting blocks needs no undoing.
  static bool undo_split() { return false; }

  /// Finds `points[thread]`, the argument of resume_.
  bool find_points() {
    tree value = gimple_call_arg(resume_, 0);
    for (int depth = 0; depth < 3; ++depth) {
      if (TREE_CODE(value) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(value))) return false;
      const gimple* const definition = SSA_NAME_DEF_STMT(value);
      value = gimple_assign_rhs1(definition);
      if (gimple_assign_load_p(definition)) break;
      if (!CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(definition))) return false;
    }
    if (TREE_CODE(value) != ARRAY_REF || !VAR_P(TREE_OPERAND(value, 0))) return false;
    point_ = value;
    thread_ = TREE_OPERAND(value, 1);
    return TREE_CODE(thread_) == SSA_NAME;
  }

  void split() {
    resume_block_ = gimple_bb(resume_);
    start_ = split_block(resume_block_, resume_)->dest;
    const basic_block end = gimple_bb(suspended_);
    gimple_stmt_iterator before = gsi_for_stmt(suspended_);
    gsi_prev(&before);
    suspended_block_ = gsi_end_p(before) ? split_block_after_labels(end)->dest
                                         : split_block(end, gsi_stmt(before))->dest;
    for (Barrier& barrier : barriers_)
      barrier.behind = split_block(gimple_bb(barrier.call), barrier.call)->dest;
  }

  /// Finds the blocks that a thread runs.
  void find_region() {
    std::vector<basic_block> left = {start_};
    region_.insert(start_);
    while (!left.empty()) {
      const basic_block block = left.back();
      left.pop_back();
      edge one;
      edge_iterator at;
      FOR_EACH_EDGE(one, at, block->succs) {
        if (one->dest != suspended_block_ && one->dest != EXIT_BLOCK_PTR_FOR_FN(function_) &&
            region_.insert(one->dest).second)
          left.push_back(one->dest);
      }
    }
  }

  /// Returns whether a variable in memory keeps a value for a thread across a barrier.
  bool has_live_memory() {
    std::set<tree> variables;
    for (const basic_block block : region_) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (is_gimple_debug(gsi_stmt(at))) continue;
        if (takes_address(gsi_stmt(at))) return true;  // its uses are unknown
        collect_variables(gsi_stmt(at), variables);
      }
      for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
        for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); ++i)
          if (const tree value = gimple_phi_arg_def(at.phi(), i);
              TREE_CODE(value) == ADDR_EXPR &&
              is_of_thread(get_base_address(TREE_OPERAND(value, 0))))
            return true;
    }
    for (const tree variable : variables)
      for (const Barrier& barrier : barriers_)
        if (is_read_behind(variable, barrier.behind)) return true;
    return false;
  }

  /// Returns whether the statement takes the address of a thread's own variable, other than to
  /// access it.
  bool takes_address(gimple* statement) const {
    bool found = false;
    std::pair<const BlockFunction*, bool*> data{this, &found};
    walk_stmt_info info;
    memset(&info, 0, sizeof info);
    info.info = &data;
    walk_gimple_op(statement, find_address, &info);
    return found;
  }

  struct Collected {
    std::set<tree>* variables;
    function* owner;
  };
  static tree collect(tree* operand, int*, void* data) {
    const auto* const into = static_cast<Collected*>(static_cast<walk_stmt_info*>(data)->info);
    if ((VAR_P(*operand) || TREE_CODE(*operand) == PARM_DECL ||
         TREE_CODE(*operand) == RESULT_DECL) &&
        auto_var_in_fn_p(*operand, into->owner->decl))
      into->variables->insert(*operand);
    return NULL_TREE;
  }

  void collect_variables(gimple* statement, std::set<tree>& variables) const {
    if (gimple_clobber_p(statement) || is_gimple_debug(statement)) return;
    Collected into{&variables, function_};
    walk_stmt_info info;
    memset(&info, 0, sizeof info);
    info.info = &into;
    walk_gimple_op(statement, collect, &info);
  }

  bool mentions(gimple* statement, tree variable) const {
    std::set<tree> variables;
    collect_variables(statement, variables);
    return variables.count(variable) != 0;
  }

  /// Returns whether `statement` overwrites all of the variable without reading it.
  bool overwrites(gimple* statement, tree variable) const {
    if (gimple_clobber_p(statement)) return gimple_assign_lhs(statement) == variable;
    if (gimple_get_lhs(statement) != variable || !is_gimple_assign(statement)) return false;
    return get_base_address(gimple_assign_rhs1(statement)) != variable;
  }

  bool is_read_behind(tree variable, basic_block first) const {
    if (VAR_P(variable) && variable == TREE_OPERAND(point_, 0)) return false;
    std::set<basic_block> seen = {first};
    std::vector<basic_block> left = {first};
    while (!left.empty()) {
      const basic_block block = left.back();
      left.pop_back();
      bool is_over = false;
      for (gimple_stmt_iterator at = gsi_start_bb(block); !is_over && !gsi_end_p(at);
           gsi_next(&at)) {
        if (overwrites(gsi_stmt(at), variable)) {
          is_over = true;
        } else if (mentions(gsi_stmt(at), variable)) {
          return true;
        }
      }
      if (is_over) continue;
      edge one;
      edge_iterator at;
      FOR_EACH_EDGE(one, at, block->succs) {
        if (region_.count(one->dest) && seen.insert(one->dest).second) left.push_back(one->dest);
      }
    }
    return false;
  }

  /// Returns the names that a thread has computed and uses behind the barrier.
  std::vector<tree> live_behind(const Barrier& barrier) {
    std::vector<tree> live;
    if (live_in_.empty()) find_live_names();
    const auto found = live_in_.find(barrier.behind);
    if (found == live_in_.end()) return live;
    for (const unsigned version : found->second) live.push_back(ssa_name(version));
    return live;
  }

  /// For each block behind a barrier, finds the names of the region that are live there.
  void find_live_names() {
    std::set<basic_block> wanted;
    for (const Barrier& barrier : barriers_) {
      wanted.insert(barrier.behind);
      live_in_[barrier.behind];
    }
    unsigned version;
    tree name;
    FOR_EACH_SSA_NAME(version, name, function_) {
      if (virtual_operand_p(name) || SSA_NAME_IS_DEFAULT_DEF(name)) continue;
      const basic_block made = gimple_bb(SSA_NAME_DEF_STMT(name));
      if (!made || !region_.count(made)) continue;
      std::set<basic_block> seen;
      std::vector<basic_block> left;
      const auto reaches_end_of = [&](basic_block block) {
        if (block != made && seen.insert(block).second) left.push_back(block);
      };
      use_operand_p use;
      imm_use_iterator at;
      FOR_EACH_IMM_USE_FAST(use, at, name) {
        gimple* const user = USE_STMT(use);
        if (is_gimple_debug(user)) continue;
        if (gphi* const phi = dyn_cast<gphi*>(user)) {
          reaches_end_of(gimple_phi_arg_edge(phi, phi_arg_index_from_use(use))->src);
        } else {
          reaches_end_of(gimple_bb(user));
        }
      }
      while (!left.empty()) {  // the name is live at the begin of these blocks
        const basic_block block = left.back();
        left.pop_back();
        if (wanted.count(block)) live_in_[block].push_back(SSA_NAME_VERSION(name));
        edge one;
        edge_iterator from;
        FOR_EACH_EDGE(one, from, block->preds) reaches_end_of(one->src);
      }
    }
  }

  // Values that are computed again.

  /// Returns whether a value depends only on indices. Then it is computed again behind a barrier
  /// instead of being saved, and g++ still knows which threads have the same value.
  bool is_of_indices(tree value, unsigned& statements) const {
    constexpr unsigned kMostAgain = 12;
    if (TREE_CODE(value) != SSA_NAME) return is_gimple_min_invariant(value);
    gimple* const made = SSA_NAME_DEF_STMT(value);
    if (SSA_NAME_IS_DEFAULT_DEF(value) || !region_.count(gimple_bb(made))) return true;
    if (!is_gimple_assign(made) || gimple_has_volatile_ops(made) || ++statements > kMostAgain)
      return false;
    if (gimple_vuse(made)) {
      const tree base =
          gimple_assign_load_p(made) ? get_base_address(gimple_assign_rhs1(made)) : NULL_TREE;
      return base && num_ssa_operands(made, SSA_OP_USE) == 0 &&
             (is_index(base, "thread_index") || is_index(base, "blockIdx") ||
              is_index(base, "blockDim") || is_index(base, "gridDim"));
    }
    for (unsigned i = 1; i < gimple_num_ops(made); ++i)
      if (!is_of_indices(gimple_op(made, i), statements)) return false;
    return true;
  }

  bool is_made_again(tree name) const {
    unsigned statements = 0;
    return is_of_indices(name, statements);
  }

  /// Copies the statement that computes a value, and its operands, behind `at`.
  gimple* copy_of_definition(gimple_stmt_iterator* at, tree name) const {
    gimple* const copy = gimple_copy(SSA_NAME_DEF_STMT(name));
    for (unsigned i = 1; !gimple_vuse(copy) && i < gimple_num_ops(copy); ++i) {
      const tree operand = gimple_op(copy, i);
      if (TREE_CODE(operand) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(operand) ||
          !region_.count(gimple_bb(SSA_NAME_DEF_STMT(operand))))
        continue;
      gimple* const inner = copy_of_definition(at, operand);
      const tree own = make_ssa_name(TREE_TYPE(operand));
      gimple_set_lhs(inner, own);
      gsi_insert_after(at, inner, GSI_NEW_STMT);
      gimple_set_op(copy, i, own);
    }
    return copy;
  }

  bool make_arrays() {
    unsigned HOST_WIDE_INT bytes = 0;
    for (const Barrier& barrier : barriers_)
      for (const tree name : barrier.live) {
        if (SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name)) return false;
        if (arrays_.count(name) || is_made_again(name)) continue;
        const tree type = TYPE_MAIN_VARIANT(TREE_TYPE(name));
        if (!tree_fits_uhwi_p(TYPE_SIZE_UNIT(type))) return false;
        bytes += tree_to_uhwi(TYPE_SIZE_UNIT(type));
        const tree array = create_tmp_var_raw(build_array_type_nelts(type, kMostThreads), "aside");
        arrays_[name] = array;
      }
    if (bytes > kMostBytesOfThread) return false;
    for (const auto& [name, array] : arrays_) {
      gimple_add_tmp_var_fn(function_, array);
      TREE_ADDRESSABLE(array) = 0;
    }
    return true;
  }

  tree place_of(tree name) const {
    return build4(ARRAY_REF, TYPE_MAIN_VARIANT(TREE_TYPE(name)), arrays_.at(name),
                  unshare_expr(thread_), NULL_TREE, NULL_TREE);
  }

  void add_edges() {
    auto_vec<tree> labels;
    unsigned number = 0;
    std::vector<basic_block> resumed;
    for (Barrier& barrier : barriers_) {
      ++number;
      const basic_block block = gimple_bb(barrier.call);
      // Save.
      gimple_stmt_iterator at = gsi_for_stmt(barrier.call);
      for (const tree name : barrier.live)
        if (arrays_.count(name))
          gsi_insert_before(&at, gimple_build_assign(place_of(name), name), GSI_SAME_STMT);
      gsi_insert_before(
          &at, gimple_build_assign(unshare_expr(point_), build_int_cst(TREE_TYPE(point_), number)),
          GSI_SAME_STMT);
      unlink_stmt_vdef(barrier.call);
      gsi_remove(&at, true);
      const edge on = single_succ_edge(block);
      redirect_edge_succ(on, suspended_block_);
      // Restore.
      const basic_block back = create_empty_bb(resume_block_);
      back->count = barrier.behind->count;
      add_bb_to_loop(back, resume_block_->loop_father);
      make_single_succ_edge(back, barrier.behind, EDGE_FALLTHRU);
      gimple_stmt_iterator into = gsi_start_bb(back);
      for (const tree name : barrier.live) {
        gimple* const made = SSA_NAME_DEF_STMT(name);
        gimple* const again = arrays_.count(name) ? gimple_build_assign(name, place_of(name))
                                                  : copy_of_definition(&into, name);
        gsi_insert_after(&into, again, GSI_NEW_STMT);
        create_new_def_for(name, again, gimple_assign_lhs_ptr(again));
        SSA_NAME_DEF_STMT(name) = made;  // building a load has changed it
      }
      resumed.push_back(back);
    }
    add_switch(resumed);
  }

  /// Replaces resume_ by a switch.
  void add_switch(const std::vector<basic_block>& resumed) {
    gimple_stmt_iterator at = gsi_for_stmt(resume_);
    const tree point = gimple_call_arg(resume_, 0);
    const edge to_start = single_succ_edge(resume_block_);
    to_start->flags &= ~EDGE_FALLTHRU;
    auto_vec<tree> cases;
    for (unsigned i = 0; i < resumed.size(); ++i) {
      edge to = make_edge(resume_block_, resumed[i], 0);
      to->probability = profile_probability::even().apply_scale(1, resumed.size());
      cases.safe_push(build_case_label(build_int_cst(TREE_TYPE(point), i + 1), NULL_TREE,
                                       gimple_block_label(resumed[i])));
    }
    to_start->probability = profile_probability::even();
    const tree otherwise = build_case_label(NULL_TREE, NULL_TREE, gimple_block_label(start_));
    gswitch* const by_point = gimple_build_switch(point, otherwise, cases);
    unlink_stmt_vdef(resume_);
    gsi_replace(&at, by_point, false);
    gimple_stmt_iterator end = gsi_for_stmt(suspended_);
    unlink_stmt_vdef(suspended_);
    gsi_remove(&end, true);
  }

  // Independence of threads.

  /// Returns whether a thread writes to a variable of the function. The loops over threads are
  /// marked as having independent rounds (ivdep). That holds for memory that threads share, but not
  /// for a variable that the function uses for one thread after the other.
  bool writes_own_memory() const {
    constexpr unsigned kLoopsOverThreads = 3;
    basic_block block;
    FOR_EACH_BB_FN(block, function_) {
      if (block->loop_father && loop_depth(block->loop_father) < kLoopsOverThreads) continue;
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
        if (!is_gimple_debug(gsi_stmt(at)) && writes_own_memory(gsi_stmt(at))) return true;
    }
    return false;
  }

  bool writes_own_memory(gimple* statement) const {
    const tree target = gimple_get_lhs(statement);
    const tree base = target && TREE_CODE(target) != SSA_NAME && !gimple_clobber_p(statement)
                          ? get_base_address(target)
                          : NULL_TREE;
    return is_of_thread(base) || takes_address(statement);
  }

  static tree find_address(tree* operand, int* subtrees, void* data) {
    if (TREE_CODE(*operand) == MEM_REF) *subtrees = 0;
    const auto* const into = static_cast<std::pair<const BlockFunction*, bool*>*>(
        static_cast<walk_stmt_info*>(data)->info);
    if (TREE_CODE(*operand) == ADDR_EXPR &&
        into->first->is_of_thread(get_base_address(TREE_OPERAND(*operand, 0))))
      *into->second = true;
    return NULL_TREE;
  }

  bool is_of_thread(tree variable) const {
    if (!variable || !DECL_P(variable) || !auto_var_in_fn_p(variable, function_->decl))
      return false;
    if (point_ && variable == TREE_OPERAND(point_, 0)) return false;
    if (DECL_NAME(variable) && strncmp(IDENTIFIER_POINTER(DECL_NAME(variable)), "aside", 5) == 0 &&
        DECL_ARTIFICIAL(variable))
      return false;
    return !(DECL_ARTIFICIAL(variable) && DECL_NAME(variable) &&
             strncmp(IDENTIFIER_POINTER(DECL_NAME(variable)), "thread_of_loop", 14) == 0);
  }

  static void forget_independence() {
    for (const loop_p one : loops_of(cfun, 0)) one->safelen = 0;
  }

  // threadIdx.

  struct Exchange {
    tree from, to;
  };
  static tree exchange_one(tree* operand, int*, void* data) {
    auto* const exchange = static_cast<Exchange*>(static_cast<walk_stmt_info*>(data)->info);
    if (is_index(*operand, "thread_index")) {
      if (!exchange->to) exchange->to = create_tmp_var(TREE_TYPE(*operand), "thread_of_loop");
      *operand = exchange->to;
    }
    return NULL_TREE;
  }

  /// Makes threadIdx a local variable, so that no access to other memory can change it.
  void make_thread_index_local() {
    Exchange exchange{NULL_TREE, NULL_TREE};
    walk_stmt_info info;
    memset(&info, 0, sizeof info);
    info.info = &exchange;
    basic_block block;
    FOR_EACH_BB_FN(block, function_) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        if (is_gimple_debug(gsi_stmt(at))) continue;
        walk_gimple_op(gsi_stmt(at), exchange_one, &info);
        update_stmt(gsi_stmt(at));
      }
    }
  }

  function* function_;
  gimple *has_form_ = nullptr, *resume_ = nullptr, *suspended_ = nullptr;
  std::vector<Barrier> barriers_;
  bool hidden_barrier_ = false;  // also set if the text of run_block_quick is not as expected
  bool calls_others_ = false;
  unsigned statements_ = 0;

  tree point_ = NULL_TREE, thread_ = NULL_TREE;
  basic_block resume_block_ = nullptr, start_ = nullptr, suspended_block_ = nullptr;
  std::set<basic_block> region_;
  std::map<basic_block, std::vector<unsigned>> live_in_;
  std::map<tree, tree> arrays_;  // by name
};

const pass_data kLaneLoops = {
    GIMPLE_PASS, "lane_loops", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class LaneLoops : public gimple_opt_pass {
 public:
  explicit LaneLoops(gcc::context* context) : gimple_opt_pass(kLaneLoops, context) {}

  unsigned execute(function* one) override {
    if (!lookup_attribute(kBlockForm, DECL_ATTRIBUTES(one->decl))) return 0;
    if (!BlockFunction(one).transform()) return 0;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    loops_state_set(LOOPS_NEED_FIXUP);
    mark_virtual_operands_for_renaming(one);
    return TODO_update_ssa | TODO_cleanup_cfg;
  }
};

}  // namespace

opt_pass* lane_loops(gcc::context* context) { return new LaneLoops(context); }
