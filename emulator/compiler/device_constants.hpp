/// @file
/// Conversions and shifts whose operands g++ knows while it reads the source.
#pragma once

#include "gcc_headers.hpp"

/// Sees to it that the front end computes as a device does, before it folds anything: `plugin` is
/// the name that callbacks are registered under.
void compute_constants_like_device(const char* plugin);
