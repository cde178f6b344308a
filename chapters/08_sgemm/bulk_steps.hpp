#pragma once

/// @file
/// The steps to which TMA brings the tiles, compiled apart: see chapters/CMakeLists.txt.

#include <string>
#include <vector>

#include "step.hpp"

/// Steps 11 to 14.
std::vector<Step> bulk_steps();

/// Steps 14 to 16, which ptxas must not reorder.
std::vector<Step> ordered_steps();

/// Step 17, with all its tiles.
Step any_shape_step();

/// Why the device in use cannot run any of them, in a line; empty if it can.
std::string lack_for_bulk_steps();
