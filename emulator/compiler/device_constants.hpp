/// @file
/// Conversions and shifts of constants.
#pragma once

#include "gcc_headers.hpp"

/// Makes the front end compute constants as a device does.
/// @param plugin the name under which callbacks are registered
void compute_constants_like_device(const char* plugin);
