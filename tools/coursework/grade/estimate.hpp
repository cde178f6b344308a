#pragma once

/// @file
/// How long a class will take, from what grading costs here.

#include <cstddef>
#include <string>

#include "tools/coursework/grade/run.hpp"
#include "tools/coursework/grade/run_log.hpp"

namespace coursework {

/// What one submission costs: as the log of `options.out` has noted, or by grading a few now, of
/// the class or, where there is none, the exercises' own solutions. Nothing is kept of that.
MeasuredCost measure_cost(const RunOptions& options);

/// Seconds that so many submissions take on so many processors.
double seconds_for(const MeasuredCost& cost, std::size_t submissions, int processors);

/// Says on standard output what would be graded, and how long that takes.
/// @param students  of a class made up, all of whom have handed everything in; 0: the class there
/// is
int dry_run(const RunOptions& options, std::size_t students);

}  // namespace coursework
