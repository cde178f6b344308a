#pragma once

/// @file
/// The steps to which TMA brings the tiles, compiled apart: see chapters/CMakeLists.txt.

#include <string>
#include <vector>

#include "step.hpp"

/// Steps 11 to 13.
std::vector<Step> bulk_steps();

/// Step 14 and those behind it, which ptxas must not reorder.
std::vector<Step> ordered_steps();

/// Why the device in use cannot run any of them, in a line; empty if it can.
std::string lack_for_bulk_steps();
