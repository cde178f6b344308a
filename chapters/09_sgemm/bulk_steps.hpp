#pragma once

/// @file
/// The steps to which TMA brings the tiles, compiled apart: see chapters/CMakeLists.txt.

#include <string>
#include <utility>
#include <vector>

#include "step.hpp"

/// Steps 11 to 13.
std::vector<Step> bulk_steps();

/// Step 14 and those behind it, which ptxas must not reorder.
std::vector<Step> ordered_steps();

/// A way in which step 17 could compute a product.
struct Way {
  std::string tile;
  Step step;  ///< that always goes this way
  /// What its predicted time is made of: microseconds, and how often the tile's costs are paid.
  std::vector<std::pair<std::string, double>> made_of;
};

/// The ways for which step 17 predicts at most `most` times what it predicts for the best.
std::vector<Way> ways(const Sgemm& s, double most);

/// Why the device in use cannot run any of them, in a line; empty if it can.
std::string lack_for_bulk_steps();
