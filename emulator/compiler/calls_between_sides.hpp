/// @file
/// Calls of the other side's functions.
#pragma once

#include "gcc_headers.hpp"

/// Refuses device code that calls what is the host's, and the other way round: `plugin` is the name
/// that callbacks are registered under, and `headers` the folder of CUDA's headers. With
/// `relaxed_constexpr`, constexpr functions are everybody's.
void refuse_calls_between_sides(const char* plugin, const std::string& headers,
                                bool relaxed_constexpr);
