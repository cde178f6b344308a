/// @file
/// Declarations that nvcc refuses and g++ takes.
#pragma once

#include "gcc_headers.hpp"

/// Refuses variables of device memory that would be initialised while the program runs, two types
/// for one name of `extern __shared__` memory, and too many bytes of a kernel's parameters:
/// `plugin` is the name that callbacks are registered under.
void refuse_declarations(const char* plugin);
