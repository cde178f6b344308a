/// @file
/// Declarations that nvcc refuses and g++ accepts.
#pragma once

#include "gcc_headers.hpp"

/// Refuses variables of device memory that need initialisation at run time, two types for one name
/// of `extern __shared__` memory, and kernel parameters that are too large.
/// @param plugin the name under which callbacks are registered
void refuse_declarations(const char* plugin);
