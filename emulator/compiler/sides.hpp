/// @file
/// On which side a function or a variable is: what CUDA's qualifiers said of it.
///
/// The rewriter leaves attributes in their place: `emu_device` and `emu_host`, and `emu_kernel` for
/// a kernel (rewriter/declaration.cpp). What lies inside a function is on its side.
#pragma once

#include "gcc_headers.hpp"

enum class Side { host, device, both };

/// Lets g++ know the attributes.
void register_side_attributes(const char* plugin);

Side side_of(tree function);

bool is_kernel(tree function);

/// Whether other files could have called the function before the rewriter made it this file's own.
bool was_external(tree function);

/// Whether a function's variable is `extern __shared__`: it is a reference here.
bool is_dynamic_shared(tree variable);

/// `__device__`, `__constant__` or `__managed__`, by the section that the rewriter has put a
/// variable into; null: it is something else.
const char* qualifier_of(tree variable);
