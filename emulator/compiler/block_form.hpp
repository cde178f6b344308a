/// @file
/// Decides whether all threads of a block can run in one function.
#pragma once

#include "gcc_headers.hpp"

/// Attribute of functions in which threads of a block wait for each other.
inline constexpr const char* kHasBarrier = "emulator barrier";

/// Attribute of functions that run a block.
inline constexpr const char* kBlockForm = "emulator block form";

bool is_named(tree declaration, const char* name);

/// Returns whether a variable is one of the indices that the engine keeps per thread and nobody
/// else writes. A program may have its own variable of that name.
bool is_index(tree variable, const char* name);

/// Returns whether a function is the engine's function `name`.
bool is_engine_function(tree function, const char* name);

/// Returns whether a function is the engine's `__syncthreads()`.
bool is_barrier(tree function);

/// Checks what a thread does, including the functions that it calls: only arithmetic, accesses,
/// barriers, and atomic operations whose results are not used. Such threads wait for each other
/// only at barriers, and their order cannot be observed.
class BlockFormRules {
 public:
  /// @param body the function that a thread calls
  bool allow(cgraph_node* body);
  bool has_barrier(cgraph_node* function) const { return with_barrier_.count(function) != 0; }

 private:
  /// Returns whether a function calls another one through functions with barriers.
  bool calls(cgraph_node* from, cgraph_node* to) const;
  bool allow_function(cgraph_node* function);
  bool allow_statement(cgraph_node* function, gimple* statement);
  bool allow_call(cgraph_node* function, gimple* call);
  bool allow_external(tree called, cgraph_node* caller);

  // Functions on the path of calls to the current one, to detect recursion.
  std::set<cgraph_node*> inside_;
  std::map<cgraph_node*, bool> known_;
  // atomic_: functions that return the result of an atomic operation
  std::set<cgraph_node*> with_barrier_, atomic_;
};
