/// @file
/// The side of a function or a variable, host or device, as CUDA's qualifiers gave it.
///
/// The rewriter leaves attributes in their place: `emu_device` and `emu_host`, and `emu_kernel` for
/// a kernel (rewriter/declaration.cpp). What lies inside a function is on its side.
#pragma once

#include "gcc_headers.hpp"

enum class Side { host, device, both };

/// Registers the attributes with g++; `plugin` is the name that callbacks are registered under.
void register_side_attributes(const char* plugin);

Side side_of(tree function);

/// The function that stands in the source: g++ makes several clones of one constructor.
tree as_written(tree function);

bool is_kernel(tree function);

/// Whether the function's own qualifiers have `__device__` among them.
bool is_marked_for_device(tree function);

/// Whether other files could have called the function before the rewriter made it this file's own.
bool was_external(tree function);

/// Whether a variable in a function was declared `extern __shared__`: the rewriter has made it a
/// reference to the block's dynamic shared memory.
bool is_dynamic_shared(tree variable);

/// Whether a parameter is `__grid_constant__`.
bool is_grid_constant(tree parameter);

/// Whether a variable template that was declared `extern __shared__` has made the variable.
bool is_of_dynamic_shared_template(tree variable);

/// `__device__`, `__constant__` or `__managed__`, by the section that the rewriter has put a
/// variable into; null: it is something else.
const char* qualifier_of(tree variable);
