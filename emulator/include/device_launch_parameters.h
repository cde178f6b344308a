/// The built-in variables threadIdx, blockIdx, blockDim, gridDim and warpSize.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "emulator/device.h"

#endif  // __DEVICE_LAUNCH_PARAMETERS_H__
