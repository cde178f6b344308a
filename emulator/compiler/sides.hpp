/// @file
/// The side of a function or variable, host or device, according to CUDA's qualifiers.
///
/// The rewriter replaces these by attributes: `emu_device`, `emu_host`, and `emu_kernel` for a
/// kernel (rewriter/declaration.cpp). Local functions belong to the side of the function around
/// them.
#pragma once

#include "gcc_headers.hpp"

enum class Side { host, device, both };

/// Registers the attributes with g++.
/// @param plugin the name under which callbacks are registered
void register_side_attributes(const char* plugin);

Side side_of(tree function);

/// Makes functions without a qualifier belong to both sides, but for those of system headers.
void give_both_sides_to_unmarked();

/// Returns the function as it stands in the source. Of a constructor, g++ makes several clones.
tree as_written(tree function);

bool is_kernel(tree function);

/// Returns whether the function's own qualifiers have `__device__` among them.
bool is_marked_for_device(tree function);

/// Returns whether other files could call the function before the rewriter made it internal.
bool was_external(tree function);

/// Returns whether a local variable was declared `extern __shared__`; the rewriter has made it a
/// reference to the block's dynamic shared memory.
bool is_dynamic_shared(tree variable);

/// Returns whether a parameter is `__grid_constant__`.
bool is_grid_constant(tree parameter);

/// Returns whether the variable was made by a variable template that was declared `extern
/// __shared__`.
bool is_of_dynamic_shared_template(tree variable);

/// Returns `__device__`, `__constant__` or `__managed__`, according to the section of the variable;
/// null for other variables.
const char* qualifier_of(tree variable);

/// Returns whether a variable lies in device memory, of whatever kind.
bool is_in_device_memory(tree variable);
