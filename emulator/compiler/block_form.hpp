/// @file
/// Whether all threads of a block can run in one function.
#pragma once

#include "gcc_headers.hpp"

/// Marks functions in which threads of a block wait for each other.
inline constexpr const char* kHasBarrier = "emulator barrier";

/// Marks the functions that run a block.
inline constexpr const char* kBlockForm = "emulator block form";

bool is_named(tree declaration, const char* name);

/// One of the indices that the engine keeps for each of its threads: nobody else writes it. A
/// program may have a variable of the same name.
bool is_index(tree variable, const char* name);

/// A function of the engine's, by its name.
bool is_engine_function(tree function, const char* name);

/// `__syncthreads()`, as the engine offers it.
bool is_barrier(tree function);

/// What a thread does, with all that it calls: nothing but arithmetic, accesses, barriers, and
/// atomic operations whose results are not used. Such threads wait for each other at barriers only,
/// and nobody can tell in which order they run.
class BlockFormRules {
 public:
  /// @param body  what a thread calls
  bool allow(cgraph_node* body);
  bool has_barrier(cgraph_node* function) const { return with_barrier_.count(function) != 0; }

 private:
  /// Whether a function leads to another through functions with barriers.
  bool calls(cgraph_node* from, cgraph_node* to) const;
  bool allow_function(cgraph_node* function);
  bool allow_statement(cgraph_node* function, gimple* statement);
  bool allow_call(cgraph_node* function, gimple* call);
  bool allow_external(tree called, cgraph_node* caller);

  std::set<cgraph_node*> inside_;  // calls that lead here: no recursion
  std::map<cgraph_node*, bool> known_;
  std::set<cgraph_node*> with_barrier_, atomic_;  // atomic_: they return what an atomic returned
};
