/// @file
/// Calls of the other side's functions.
#pragma once

#include "gcc_headers.hpp"

/// Refuses calls of host functions in device code, and of device functions in host code.
/// @param plugin the name under which callbacks are registered
/// @param headers the folder of CUDA's headers
/// @param relaxed_constexpr whether constexpr functions belong to both sides
/// @param separate_compilation whether device code may ask the device for work
void refuse_calls_between_sides(const char* plugin, const std::string& headers,
                                bool relaxed_constexpr, bool separate_compilation);

/// Refuses what is in question in a function that becomes device code. To be called when it does.
void refuse_calls_in(tree function);
