/// @file
/// Declarations that nvcc refuses and g++ accepts.
#pragma once

#include "gcc_headers.hpp"

/// Refuses, and reports with the line: variables of device memory that would be initialised while
/// the program runs, or with an address of the host's; managed constants and references; two types
/// for one name of `extern __shared__` memory; more memory or bytes of parameters than there may
/// be; parameters that a kernel cannot have; and virtual functions that override with other
/// qualifiers. `plugin` is the name that callbacks are registered under.
void refuse_declarations(const char* plugin);
