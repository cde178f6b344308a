/// @file
/// What a handle stands for.
#pragma once

#include "cublas_v2.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int sm_count = 0;
};

namespace emu::cublas {

/// Whether `handle` was created and not destroyed.
bool is_alive(cublasHandle_t handle);

}  // namespace emu::cublas
