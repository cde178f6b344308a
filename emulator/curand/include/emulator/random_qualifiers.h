/// @file
/// What stands before each of cuRAND's device functions. As with CUDA's headers, a program may
/// define `QUALIFIERS` otherwise, to call them on the host for example.
#pragma once

#include "host_defines.h"

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif
