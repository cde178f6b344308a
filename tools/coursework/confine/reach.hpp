/// @file
/// Finds the code of a submission that can run: its kernels and what they reach. The rest is left
/// out of the object, so the guards need not know it.
#pragma once

#include "assembly.hpp"

namespace coursework::confine {

/// Removes everything that the kernels do not reach. Any mention of a name counts as reaching it.
///
/// Initialisers are removed too, since nothing runs before a kernel. If an initialiser changes a
/// variable that a kernel reaches, the submission is refused, because the kernel would see a wrong
/// value.
/// @throws Refused  also if reached code has a fault
void leave_out_unreached(Assembly& assembly);

}  // namespace coursework::confine
