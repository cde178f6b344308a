/// cuda::std: the standard library's small parts, whose functions serve a device as they serve the
/// host here. What needs more than arithmetic (atomic, barrier, chrono, ...) has no header.
#ifndef EMULATOR_DEVICE_STANDARD_H
#define EMULATOR_DEVICE_STANDARD_H

#include "host_defines.h"

namespace std {}

namespace cuda::std {
using namespace ::std;
}

#endif
