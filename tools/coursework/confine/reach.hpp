/// @file
/// What of a submission's assembly can run: its kernels, and what they reach. The rest is left out
/// of the object, whatever it is, and need not be anything that the guards know.
#pragma once

#include "assembly.hpp"

namespace coursework::confine {

/// Leaves in what the kernels reach, by any mention of a name.
///
/// Nothing runs before a kernel does: initialisers are left out too. If one works on a variable
/// that a kernel reaches, the kernel would miss its work, and the submission is refused.
/// @throws Refused  also if what is reached has a fault
void leave_out_unreached(Assembly& assembly);

}  // namespace coursework::confine
