/// @file
/// What device code has of the runtime API, beside functions that the host has, too: the streams of
/// a grid. Part of cuda_runtime.h.
#pragma once

#include "driver_types.h"

/// Kernels in this stream of a grid begin when the grid and all its other work are complete, one
/// after the other.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
/// Kernels in this stream of a grid wait for nothing.
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
