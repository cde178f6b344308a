/// @file
/// An inner loop that all threads of a row may run alike, as it is found in a block form.
#pragma once

#include "gcc_headers.hpp"

inline constexpr unsigned kMostInRow = 1024;
/// With fewer rounds, g++ unrolls a loop, and looking would cost more than it brings.
inline constexpr unsigned kLeastRounds = 8;

/// Whether a name is made in a loop.
bool is_inside(const class loop* one, tree name);

std::vector<tree> uses_of(const gimple* statement);

/// The loop `inner` in the loop `row` over the threads of a row. It stores nothing, and all threads
/// run as many rounds of it. Each value in it is the same for all threads, or differs.
struct RowLoop {
  struct Load {
    gimple* statement;
    tree first;  // address in the first round
    tree step;   // from round to round, the same for all threads
    unsigned bytes;
    tree begin, by;  // unsigned index and its step, if it may wrap; else none
  };
  /// A value that leads along a branch; or, where the branch is the default, one that does not.
  struct Case {
    tree value;
    bool leads;
  };

  RowLoop(loop_p of_row, loop_p of_thread) : row(of_row), inner(of_thread) {}

  /// Fills in what follows. @return whether the loop can run ahead of its threads
  bool find();

  static std::vector<Case> cases_of(edge branch);
  bool differs(tree name);

  /// What a carried value, or another one of the loop's header, begins with and goes on with.
  tree begin_of(tree name) const;
  tree next_of(tree name) const;

  loop_p row, inner;
  tree last_thread = NULL_TREE, last_round = NULL_TREE;  // one less than there are
  tree index = NULL_TREE;                                // of a thread in its row
  std::vector<edge> path;                                // branches that lead to the loop
  std::vector<Load> loads;                               // whose addresses differ
  std::set<gimple*> needed;                              // for the results
  std::set<tree> results;                                // what is used behind the loop
  std::set<tree> brought;                                // what differs in front of the loop
  std::set<tree> carried;                                // what differs and goes on to a round
  std::map<tree, affine_iv> ivs;                         // of the row

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

  std::set<tree> differing_;                 // in the loop
  std::map<tree, bool> differing_in_front_;  // known so far
  std::set<tree> copied_if_sure_, copied_always_;
};

/// Makes values that a thread has in its row, or in its loop, once more in another place.
class ThreadCopies {
 public:
  /// @param index    the thread's; none if all values that depend on it are in `names`
  /// @param is_sure  that the thread gets to where the values are made
  ThreadCopies(const RowLoop& of, tree index, bool is_sure)
      : of_(of), index_(index), is_sure_(is_sure) {}

  tree name(tree one);
  tree expression(tree value);
  tree operand(tree value);  // of names that are in this place already

  std::map<tree, tree> names;
  gimple_seq statements = nullptr;

 private:
  /// Whoever may not get here must not promise that a sum does not overflow.
  void add(gimple* statement);
  gimple* copy_of(gimple* statement);
  tree value_in_row(gphi* phi);

  const RowLoop& of_;
  const tree index_;
  const bool is_sure_;
};
