/// cuda::std: the simple parts of the standard library, whose host functions also work in device
/// code here. Parts that need more than arithmetic (atomic, barrier, chrono, ...) are missing.
#ifndef EMULATOR_DEVICE_STANDARD_H
#define EMULATOR_DEVICE_STANDARD_H

#include "host_defines.h"

namespace std {}

namespace cuda::std {
using namespace ::std;
}

#endif
