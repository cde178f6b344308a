/// @file
/// Runs inner loops that all threads of a row run alike for many threads at a time.
///
/// A sum such as that of a matrix product is a loop in each thread, one addition after the other.
/// If all threads of a row (neighbours in x) run the same rounds of a loop that only reads memory,
/// the loop runs for 32 of them at a time, before the threads themselves: each round is a loop over
/// the 32, which g++ vectorises. Each thread then takes the values that its own loop would have
/// computed. The additions of a thread keep their order.
///
/// Code before the row tests whether all threads of the row reach the loop, and whether loads that
/// differ between them are of adjacent memory. If not, the row runs unchanged.
#include "block_form.hpp"
#include "passes.hpp"
#include "row_loop.hpp"

namespace {

/// Threads at a time, in rows that have as many, and in others.
constexpr unsigned kWide = 32, kNarrow = 8;
constexpr unsigned kMostRowLoops = 4;

using Names = std::map<tree, tree>;

tree number(unsigned value) { return build_int_cst(unsigned_type_node, value); }

tree element(tree array, tree index) {
  return build4(ARRAY_REF, TREE_TYPE(TREE_TYPE(array)), array, index, NULL_TREE, NULL_TREE);
}

tree make_array(tree type, unsigned elements) {
  const tree array =
      create_tmp_var_raw(build_array_type_nelts(TYPE_MAIN_VARIANT(type), elements), "aside");
  gimple_add_tmp_var(array);
  TREE_ADDRESSABLE(array) = 0;
  return array;
}

void append(basic_block block, gimple_seq statements) {
  gimple_stmt_iterator at = gsi_last_bb(block);
  gsi_insert_seq_after(&at, statements, GSI_CONTINUE_LINKING);
}

tree compute(gimple_seq* into, tree type, tree_code code, tree left, tree right = NULL_TREE) {
  const tree result = make_ssa_name(type);
  gimple_seq_add_stmt(into, right ? gimple_build_assign(result, code, left, right)
                                  : gimple_build_assign(result, code, left));
  return result;
}

tree load(gimple_seq* into, tree place) {
  const tree result = make_ssa_name(TREE_TYPE(place));
  gimple_seq_add_stmt(into, gimple_build_assign(result, place));
  return result;
}

void store(gimple_seq* into, tree place, tree value) {
  gimple_seq_add_stmt(into, gimple_build_assign(place, value));
}

/// A new loop: `body` is empty, and so is the block in front of it.
struct NewLoop {
  loop_p made;
  tree index;
  basic_block body, behind;
};

/// Adds a loop over 0, `step`, ... below `end` on an edge.
NewLoop add_loop_on(edge on, tree end, unsigned step) {
  const tree type = TREE_TYPE(end);
  loop_p const outer = find_common_loop(on->src->loop_father, on->dest->loop_father);
  const basic_block behind = split_edge(on);
  tree before, after;
  loop_p const made = create_empty_loop_on_edge(
      single_pred_edge(behind), build_zero_cst(type), build_int_cst(type, step), end,
      create_tmp_var(type, "count"), &before, &after, outer);
  return {made, before, split_edge(single_pred_edge(made->latch)), behind};
}

/// Adds a loop over threads, whose rounds do not depend on each other.
NewLoop add_loop_over_threads(edge on, unsigned threads) {
  const NewLoop added = add_loop_on(on, number(threads), 1);
  added.made->safelen = INT_MAX;
  return added;
}

tree address_of_neighbour(tree address, tree away, unsigned bytes) {
  return fold_build_pointer_plus(
      address, fold_build2(MULT_EXPR, sizetype, fold_convert(sizetype, away), size_int(bytes)));
}

class RowSums {
 public:
  explicit RowSums(RowLoop& of) : of_(of) {}

  /// @param tried set to the loops that need not be examined: this one and those behind it in the
  /// unchanged row
  void transform(std::set<int>& tried) {
    add_look();
    update_ssa(TODO_update_ssa);
    if (!split_row(tried)) return;
    for (const tree value : of_.results) results_[value] = make_array(TREE_TYPE(value), kMostInRow);
    for (const unsigned threads : {kWide, kNarrow}) add_strips(threads);
    take_results();
    force_path();
  }

 private:
  // The test before the row.

  /// Tests that all threads of the row reach the loop, and that their loads are adjacent.
  void add_look() {
    const basic_block front = split_edge(loop_preheader_edge(of_.row));
    ThreadCopies first(of_, number(0), false);
    const auto one_more = [&](tree type, tree last) {
      return first.operand(
          fold_build2(PLUS_EXPR, type, fold_convert(type, last), build_one_cst(type)));
    };
    threads_ = one_more(unsigned_type_node, unshare_expr(of_.last_thread));
    rounds_ = one_more(long_unsigned_type_node, first.expression(of_.last_round));
    const tree is_worth = fold_build2(
        TRUTH_AND_EXPR, boolean_type_node,
        fold_build2(LE_EXPR, boolean_type_node,
                    fold_build2(MINUS_EXPR, unsigned_type_node, threads_, number(kNarrow)),
                    number(kMostInRow - kNarrow)),
        fold_build2(LE_EXPR, boolean_type_node,
                    fold_build2(MINUS_EXPR, long_unsigned_type_node, rounds_,
                                build_int_cst(long_unsigned_type_node, kLeastRounds)),
                    build_int_cst(long_unsigned_type_node, 0x7fffffff)));
    const tree begin = first.operand(fold_convert(unsigned_type_node, is_worth));
    const tree end = first.operand(build3(COND_EXPR, unsigned_type_node,
                                          build2(NE_EXPR, boolean_type_node, begin, number(0)),
                                          threads_, number(0)));
    std::vector<tree> addresses;
    for (const RowLoop::Load& one : of_.loads) addresses.push_back(first.expression(one.first));
    append(front, first.statements);

    const NewLoop look = add_loop_on(single_succ_edge(front), end, 1);
    gphi* const so_far = create_phi_node(make_ssa_name(unsigned_type_node), look.made->header);
    is_well_ = gimple_phi_result(so_far);
    ThreadCopies each(of_, look.index, false);
    tree well = is_well_;
    for (const edge branch : of_.path) demand_branch(each, branch, &well);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const tree here = each.expression(of_.loads[i].first);
      const tree there =
          each.operand(address_of_neighbour(addresses[i], look.index, of_.loads[i].bytes));
      demand(each, EQ_EXPR, here, there, true, &well);
      if (of_.loads[i].begin) demand_no_wrap(each, of_.loads[i], &well);
    }
    append(look.body, each.statements);
    add_phi_arg(so_far, begin, loop_preheader_edge(look.made), UNKNOWN_LOCATION);
    add_phi_arg(so_far, well, loop_latch_edge(look.made), UNKNOWN_LOCATION);
    mark_virtual_operands_for_renaming(cfun);
  }

  static void demand_branch(ThreadCopies& copies, edge branch, tree* well) {
    gimple* const last = last_stmt(branch->src);
    if (const gcond* const condition = dyn_cast<gcond*>(last)) {
      const tree left = copies.name(gimple_cond_lhs(condition));
      const tree right = copies.name(gimple_cond_rhs(condition));
      demand(copies, gimple_cond_code(condition), left, right,
             (branch->flags & EDGE_TRUE_VALUE) != 0, well);
      return;
    }
    const tree index = copies.name(gimple_switch_index(as_a<gswitch*>(last)));
    for (const RowLoop::Case& one : RowLoop::cases_of(branch))
      demand(copies, EQ_EXPR, index, fold_convert(TREE_TYPE(index), one.value), one.leads, well);
  }

  void demand_no_wrap(ThreadCopies& copies, const RowLoop::Load& load, tree* well) {
    const tree wide = long_unsigned_type_node;
    const tree last = fold_build2(MINUS_EXPR, wide, rounds_, build_one_cst(wide));
    const tree away = fold_build2(MULT_EXPR, wide, fold_convert(wide, load.by), last);
    const tree end =
        copies.expression(fold_build2(PLUS_EXPR, wide, fold_convert(wide, load.begin), away));
    demand(copies, LE_EXPR, end, build_int_cst(wide, 0xffffffff), true, well);
  }

  /// Sets `well` to 0 unless the comparison has the wanted result.
  static void demand(ThreadCopies& copies, tree_code code, tree left, tree right, bool wanted,
                     tree* well) {
    gimple_seq* const into = &copies.statements;
    const tree holds = compute(into, boolean_type_node, code, left, right);
    const tree is_one = compute(into, unsigned_type_node, NOP_EXPR, holds);
    const tree as_wanted =
        compute(into, unsigned_type_node, BIT_XOR_EXPR, is_one, number(wanted ? 0 : 1));
    *well = compute(into, unsigned_type_node, BIT_AND_EXPR, *well, as_wanted);
  }

  /// Duplicates the row's loop: this copy runs if the test succeeds.
  bool split_row(std::set<int>& tried) {
    std::vector<loop_p> behind;
    calculate_dominance_info(CDI_DOMINATORS);
    for (loop_p other = of_.row->inner; other; other = other->next)
      if (dominated_by_p(CDI_DOMINATORS, other->header, of_.inner->header)) behind.push_back(other);
    initialize_original_copy_tables();
    basic_block condition;
    const profile_probability well = profile_probability::likely();
    const bool is_split =
        loop_version(of_.row, build2(NE_EXPR, boolean_type_node, is_well_, number(0)), &condition,
                     well, well.invert(), well, well.invert(), true) != nullptr;
    if (is_split)
      for (loop_p const one : behind)
        if (loop_p const copy = get_loop_copy(one)) tried.insert(copy->num);
    free_original_copy_tables();
    update_ssa(TODO_update_ssa);
    return is_split;
  }

  // Strips of threads.

  struct Strip {
    unsigned threads;
    tree start;                          // index of its first thread in the row
    Names arrays;                        // arrays of values brought and carried
    Names results;                       // arrays
    std::vector<tree> addresses, steps;  // of loads
  };

  /// Adds a loop over strips of `threads` threads. It has no rounds if the row has fewer threads,
  /// or enough for a wider one. The last strips overlap.
  void add_strips(unsigned threads) {
    const basic_block front = split_edge(loop_preheader_edge(of_.row));
    ThreadCopies before(of_, NULL_TREE, true);
    const tree end =
        before.operand(fold_build3(COND_EXPR, unsigned_type_node,
                                   fold_build2(threads == kWide ? GE_EXPR : LT_EXPR,
                                               boolean_type_node, threads_, number(kWide)),
                                   threads_, number(0)));
    append(front, before.statements);
    const NewLoop each = add_loop_on(single_succ_edge(front), end, threads);

    Strip strip{threads, NULL_TREE, {}, {}, {}, {}};
    gimple_seq start = nullptr;
    const tree last = compute(&start, unsigned_type_node, MINUS_EXPR, end, number(threads));
    strip.start = compute(&start, unsigned_type_node, MIN_EXPR, last, each.index);
    append(each.body, start);
    for (const tree name : of_.brought) strip.arrays[name] = make_array(TREE_TYPE(name), threads);
    for (const tree name : of_.carried) strip.arrays[name] = make_array(TREE_TYPE(name), threads);

    const NewLoop rounds = add_rounds(strip, each.body);
    begin_strip(strip, each.body);
    end_strip(strip, rounds.behind);
    mark_virtual_operands_for_renaming(cfun);
    update_ssa(TODO_update_ssa);
  }

  /// Stores what each thread of a strip brings.
  void begin_strip(const Strip& strip, basic_block front) {
    const NewLoop each = add_loop_over_threads(single_succ_edge(front), strip.threads);
    gimple_seq index = nullptr;
    const tree thread = compute(&index, unsigned_type_node, PLUS_EXPR, strip.start, each.index);
    append(each.body, index);
    ThreadCopies own(of_, thread, true);
    for (const tree name : of_.brought)
      store(&own.statements, element(strip.arrays.at(name), each.index), own.name(name));
    for (const tree name : of_.carried) {
      const tree value = own.name(of_.begin_of(name));
      store(&own.statements, element(strip.arrays.at(name), each.index), value);
    }
    append(each.body, own.statements);
  }

  /// Stores the results of each thread of a strip.
  void end_strip(const Strip& strip, basic_block front) {
    const NewLoop each = add_loop_over_threads(single_succ_edge(front), strip.threads);
    gimple_seq made = nullptr;
    const tree thread = compute(&made, unsigned_type_node, PLUS_EXPR, strip.start, each.index);
    for (const auto& [name, array] : results_) {
      const tree value = load(&made, element(strip.results.at(name), each.index));
      store(&made, element(array, thread), value);
    }
    append(each.body, made);
  }

  /// Adds the rounds: in each, first the values that are the same for all threads, then a loop over
  /// the threads.
  NewLoop add_rounds(Strip& strip, basic_block front) {
    ThreadCopies common(of_, strip.start, true);
    for (const RowLoop::Load& one : of_.loads) {
      const tree address = common.expression(one.first);
      strip.addresses.push_back(common.operand(fold_convert(ptr_type_node, address)));
      strip.steps.push_back(common.expression(one.step));
    }
    copy_same_in_front(common);
    append(front, common.statements);

    const NewLoop rounds = add_loop_on(single_succ_edge(front), rounds_, 1);
    ThreadCopies same(of_, NULL_TREE, true);
    same.names = common.names;
    std::vector<tree> addresses;
    for (std::size_t i = 0; i < of_.loads.size(); ++i) {
      const tree here = make_ssa_name(ptr_type_node);
      const tree next =
          compute(&same.statements, ptr_type_node, POINTER_PLUS_EXPR, here, strip.steps[i]);
      add_phi(rounds, here, strip.addresses[i], next);
      addresses.push_back(here);
    }
    const auto is_same_phi = [&](gimple* one) {
      return is_a<gphi*>(one) && !of_.differs(gimple_phi_result(one));
    };
    for (gimple* const one : of_.needed)
      if (is_same_phi(one)) {
        const tree name = gimple_phi_result(one);
        same.names[name] = make_ssa_name(TREE_TYPE(name));
      }
    for (gimple_stmt_iterator at = gsi_start_bb(of_.inner->header); !gsi_end_p(at); gsi_next(&at))
      if (of_.needed.count(gsi_stmt(at)) && !of_.differs(gimple_get_lhs(gsi_stmt(at))))
        same.name(gimple_get_lhs(gsi_stmt(at)));
    for (gimple* const one : of_.needed)
      if (is_same_phi(one)) {
        const tree name = gimple_phi_result(one);
        add_phi(rounds, same.names.at(name), same.name(of_.begin_of(name)),
                same.name(of_.next_of(name)));
      }
    append(rounds.body, same.statements);
    add_round_of_threads(strip, rounds.body, same.names, addresses);
    return rounds;
  }

  static void add_phi(const NewLoop& in, tree name, tree begin, tree next) {
    gphi* const phi = create_phi_node(name, in.made->header);
    add_phi_arg(phi, begin, loop_preheader_edge(in.made), UNKNOWN_LOCATION);
    add_phi_arg(phi, next, loop_latch_edge(in.made), UNKNOWN_LOCATION);
  }

  /// Copies values from before the loop that are the same for all threads.
  void copy_same_in_front(ThreadCopies& common) {
    const auto copy = [&](tree name) {
      if (TREE_CODE(name) == SSA_NAME && !is_inside(of_.inner, name) && !of_.differs(name))
        common.names[name] = common.name(name);
    };
    for (gimple* const one : of_.needed) {
      if (is_a<gphi*>(one)) {
        if (!of_.differs(gimple_phi_result(one))) copy(of_.begin_of(gimple_phi_result(one)));
        copy(of_.next_of(gimple_phi_result(one)));
      } else if (!gimple_vuse(one) || !of_.differs(gimple_get_lhs(one))) {
        for (const tree use : uses_of(one)) copy(use);
      }
    }
  }

  void add_round_of_threads(Strip& strip, basic_block front, const Names& same,
                            const std::vector<tree>& addresses) {
    const NewLoop each = add_loop_over_threads(single_succ_edge(front), strip.threads);
    ThreadCopies own(of_, NULL_TREE, true);
    own.names = same;
    for (const auto& [name, array] : strip.arrays)
      own.names[name] = load(&own.statements, element(array, each.index));
    for (gimple_stmt_iterator at = gsi_start_bb(of_.inner->header); !gsi_end_p(at); gsi_next(&at)) {
      gimple* const one = gsi_stmt(at);
      if (!of_.needed.count(one) || !of_.differs(gimple_get_lhs(one))) continue;
      const auto found =
          std::find_if(of_.loads.begin(), of_.loads.end(),
                       [&](const RowLoop::Load& load) { return load.statement == one; });
      if (found == of_.loads.end()) {
        own.name(gimple_get_lhs(one));
        continue;
      }
      const tree address = own.operand(
          address_of_neighbour(addresses[static_cast<std::size_t>(found - of_.loads.begin())],
                               each.index, found->bytes));
      own.names[gimple_assign_lhs(one)] =
          load(&own.statements, build2(MEM_REF, type_as_aligned(gimple_assign_rhs1(one)), address,
                                       build_zero_cst(ptr_type_node)));
    }
    // All values are computed before any is stored, because a round may exchange values.
    std::vector<std::pair<tree, tree>> stores;
    for (const tree name : of_.carried) {
      const tree next = of_.next_of(name);
      stores.push_back({strip.arrays.at(name), own.name(next)});
      strip.results[next] = strip.arrays.at(name);
    }
    for (const tree name : of_.results) {
      if (strip.results.count(name)) continue;
      strip.results[name] = make_array(TREE_TYPE(name), strip.threads);
      stores.push_back({strip.results.at(name), own.name(name)});
    }
    for (const auto& [array, value] : stores)
      store(&own.statements, element(array, each.index), value);
    append(each.body, own.statements);
  }

  static tree type_as_aligned(tree place) {
    const unsigned align = get_object_alignment(place);
    const tree type = TREE_TYPE(place);
    return align < TYPE_ALIGN(type) ? build_aligned_type(type, align) : type;
  }

  // The row.

  /// Replaces the loop of a thread by its results.
  void take_results() {
    const edge exit = single_exit(of_.inner);
    const basic_block front = split_edge(loop_preheader_edge(of_.inner));
    gimple_seq loads = nullptr;
    Names values;
    for (const auto& [name, array] : results_)
      values[name] = load(&loads, element(array, of_.index));
    append(front, loads);
    std::vector<tree> arguments;  // in the order of phis, which a new edge may change
    for (gphi_iterator at = gsi_start_phis(exit->dest); !gsi_end_p(at); gsi_next(&at)) {
      const tree value = gimple_phi_arg_def(at.phi(), exit->dest_idx);
      const auto found = values.find(value);
      arguments.push_back(found == values.end() ? value : found->second);
    }
    const edge around = redirect_edge_and_branch(single_succ_edge(front), exit->dest);
    std::size_t next = 0;
    for (gphi_iterator at = gsi_start_phis(around->dest); !gsi_end_p(at); gsi_next(&at))
      add_phi_arg(at.phi(), arguments[next++], around, UNKNOWN_LOCATION);
    mark_virtual_operands_for_renaming(cfun);
  }

  /// Removes branches whose outcome the test has established.
  void force_path() {
    for (const edge branch : of_.path) {
      gimple* const last = last_stmt(branch->src);
      if (gcond* const condition = dyn_cast<gcond*>(last)) {
        if (branch->flags & EDGE_TRUE_VALUE) {
          gimple_cond_make_true(condition);
        } else {
          gimple_cond_make_false(condition);
        }
      } else {
        const RowLoop::Case one = RowLoop::cases_of(branch).front();
        if (one.leads) gimple_switch_set_index(as_a<gswitch*>(last), one.value);
      }
      update_stmt(last);
    }
  }

  RowLoop& of_;
  tree threads_ = NULL_TREE, rounds_ = NULL_TREE, is_well_ = NULL_TREE;
  Names results_;  // arrays, with an element for each thread of the row
};

const pass_data kRowSums = {
    GIMPLE_PASS, "row_sums", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class MakeRowSums : public gimple_opt_pass {
 public:
  explicit MakeRowSums(gcc::context* context) : gimple_opt_pass(kRowSums, context) {}

  unsigned execute(function* one) override {
    if (!lookup_attribute(kBlockForm, DECL_ATTRIBUTES(one->decl))) return 0;
    std::set<int> tried;
    for (unsigned done = 0; done < kMostRowLoops && transform_one(one, tried); ++done) {
      scev_reset();
      free_numbers_of_iterations_estimates(one);
      free_dominance_info(CDI_DOMINATORS);
      free_dominance_info(CDI_POST_DOMINATORS);
      loops_state_set(LOOPS_NEED_FIXUP);
      cleanup_tree_cfg();
      update_ssa(TODO_update_ssa);
      rewrite_into_loop_closed_ssa(NULL, TODO_update_ssa);
    }
    return 0;
  }

 private:
  static bool transform_one(function* one, std::set<int>& tried) {
    for (const loop_p inner : loops_of(one, LI_ONLY_INNERMOST)) {
      if (!is_over_threads(loop_outer(inner)) || !tried.insert(inner->num).second) continue;
      RowLoop found(loop_outer(inner), inner);
      if (!found.find()) continue;
      loops_state_clear(LOOP_CLOSED_SSA);
      RowSums(found).transform(tried);
      return true;
    }
    return false;
  }

  /// Returns whether the loop is the outermost one with independent rounds. A kernel may have
  /// others inside.
  static bool is_over_threads(loop_p row) {
    if (!row || row->safelen == 0) return false;
    for (loop_p outer = loop_outer(row); outer; outer = loop_outer(outer))
      if (outer->safelen != 0) return false;
    return true;
  }
};

}  // namespace

opt_pass* row_sums(gcc::context* context) { return new MakeRowSums(context); }
