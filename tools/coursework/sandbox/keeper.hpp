/// The keeper: the process between the caller and the command.

#pragma once

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// Runs the plan's command to its end in this process, a fresh fork of the caller's, and writes
/// what came of it into the plan's report. Nothing of the command is left when it ends.
[[noreturn]] void keep(Plan& plan);

}  // namespace coursework::inner
