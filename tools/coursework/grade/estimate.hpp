#pragma once

/// @file
/// Estimates the time for a class from the cost of grading on this machine.

#include <cstddef>
#include <string>

#include "tools/coursework/grade/run.hpp"
#include "tools/coursework/grade/run_log.hpp"

namespace coursework {

/// Returns the cost of one submission: read from the log of `options.out`, or measured now by
/// grading a few submissions (without a class, the exercises' own solutions). Keeps no results.
MeasuredCost measure_cost(const RunOptions& options);

/// Returns the seconds that `submissions` take on `processors` processors.
double seconds_for(const MeasuredCost& cost, std::size_t submissions, int processors);

/// Prints what would be graded and how long it would take.
/// @param students  size of an imaginary class that handed in everything; 0: the real class
int dry_run(const RunOptions& options, std::size_t students);

}  // namespace coursework
