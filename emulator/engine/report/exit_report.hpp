/// @file
/// The counters of a whole program, printed when it ends (COURSE_COUNTERS).
#pragma once

#include "emulator/counters.h"

namespace emu {

/// Adds a launch to the report, if one was requested.
void add_to_exit_report(const LaunchRecord& launch);

}  // namespace emu
