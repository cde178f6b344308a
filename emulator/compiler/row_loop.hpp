/// @file
/// An inner loop, in a block form, that all threads of a row may run alike.
#pragma once

#include "gcc_headers.hpp"

inline constexpr unsigned kMostInRow = 1024;
/// The fewest rounds that are worth it: g++ unrolls shorter loops, and checking them would cost
/// more than it saves.
inline constexpr unsigned kLeastRounds = 8;

/// Returns whether a name is computed in the loop.
bool is_inside(const class loop* one, tree name);

std::vector<tree> uses_of(const gimple* statement);

/// The loop `inner` in the loop `row` over the threads of a row. It stores nothing, and all threads
/// run the same number of rounds. Each value in it is either the same for all threads, or differs.
struct RowLoop {
  struct Load {
    gimple* statement;
    tree first;  // address in the first round
    tree step;   // step from round to round, the same for all threads
    unsigned bytes;
    tree begin, by;  // unsigned index and its step, if it may wrap; else null
  };
  /// A value for which a branch is taken; for the default branch, one for which it is not.
  struct Case {
    tree value;
    bool leads;
  };

  RowLoop(loop_p of_row, loop_p of_thread) : row(of_row), inner(of_thread) {}

  /// Finds the members below.
  /// @return whether the loop can run ahead of its threads
  bool find();

  static std::vector<Case> cases_of(edge branch);
  bool differs(tree name);

  /// The first value of a carried value or of another one in the loop's header, and its value in
  /// the next round.
  tree begin_of(tree name) const;
  tree next_of(tree name) const;

  loop_p row, inner;
  tree last_thread = NULL_TREE, last_round = NULL_TREE;  // each one less than their number
  tree index = NULL_TREE;                                // index of a thread in its row
  std::vector<edge> path;                                // branches that lead to the loop
  std::vector<Load> loads;                               // loads whose addresses differ
  std::set<gimple*> needed;                              // statements needed for the results
  std::set<tree> results;                                // values that are used behind the loop
  std::set<tree> brought;                                // values from before the loop that differ
  std::set<tree> carried;         // values that differ and are carried to the next round
  std::map<tree, affine_iv> ivs;  // induction variables of the row

 private:
  bool find_row();
  bool find_path();
  void find_differences();
  bool find_rounds();
  bool find_results();
  bool find_needed();
  bool find_loads();
  bool find_way(Load& load);
  bool find_way_of_unsigned(Load& load);
  bool find_copies();
  bool can_copy(tree name, bool is_sure);
  bool can_copy_all(tree expression, bool is_sure);
  bool any_differs(tree expression);

  std::set<tree> differing_;                 // values in the loop that differ
  std::map<tree, bool> differing_in_front_;  // the values before the loop that were examined
  std::set<tree> copied_if_sure_, copied_always_;
};

/// Computes values of a thread's row or loop once more elsewhere.
class ThreadCopies {
 public:
  /// @param index index of the thread; null if all values that depend on it are in `names`
  /// @param is_sure whether the thread certainly reaches the loop
  ThreadCopies(const RowLoop& of, tree index, bool is_sure)
      : of_(of), index_(index), is_sure_(is_sure) {}

  tree name(tree one);
  tree expression(tree value);
  tree operand(tree value);  // names that are available already

  std::map<tree, tree> names;
  gimple_seq statements = nullptr;

 private:
  /// Unless the thread certainly gets here, the copy must not promise that a sum does not overflow.
  void add(gimple* statement);
  gimple* copy_of(gimple* statement);
  tree value_in_row(gphi* phi);

  const RowLoop& of_;
  const tree index_;
  const bool is_sure_;
};
