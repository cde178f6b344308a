/// @file
/// Copies that a program describes in a structure.
#pragma once

#include "cuda.h"
#include "cuda_runtime_api.h"

namespace emu::driver {

/// Converts the description of a copy into the runtime's form.
CUresult read_copy(const CUDA_MEMCPY3D* copy, cudaMemcpy3DParms& result);
CUresult read_copy(const CUDA_MEMCPY2D* copy, cudaMemcpy3DParms& result);

}  // namespace emu::driver
