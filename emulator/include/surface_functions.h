/// Functions of device code for surfaces, which cuda_runtime.h brings in.
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif  // __SURFACE_FUNCTIONS_H__
