/// @file
/// constexpr functions of the host in device code whose calls leave no trace: their value is a
/// constant before the function is complete.
#pragma once

#include "gcc_headers.hpp"

/// Refuses such calls.
/// @param plugin the name under which callbacks are registered
void refuse_constant_calls(const char* plugin);
