#pragma once

/// @file
/// The steps that are compiled apart, with options of their own: see chapters/CMakeLists.txt.

#include <string>
#include <vector>

#include "step.hpp"

/// Steps 11 to 14.
std::vector<Step> bulk_steps();

/// Why the device in use cannot run them, in a line; empty if it can.
std::string lack_for_bulk_steps();
