#pragma once

/// @file
/// The steps that are compiled apart, with options of their own: see chapters/CMakeLists.txt.

#include <vector>

#include "step.hpp"

/// Steps 11 to 13, for devices of compute capability 9.0 or newer.
std::vector<Step> bulk_steps();
