/// The keeper: the process between the caller and the command.

#pragma once

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// Runs the plan's command to its end in this process, a fresh fork of the caller's, and writes the
/// outcome into the plan's report. All processes of the command have ended before the keeper exits.
[[noreturn]] void keep(Plan& plan);

}  // namespace coursework::inner
