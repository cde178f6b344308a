/// @file
/// From a type in the words of CUDA's libraries to the one of C++.
#pragma once

#include <complex>

#include "library_types.h"

namespace emu {

/// Calls `work(T())` with the C++ type of numbers of 32 or 64 bits, real or complex. Returns false,
/// and calls nothing, if `type` is another one.
template <class Work>
bool with_number_type(cudaDataType type, const Work& work) {
  switch (type) {
    case CUDA_R_32F:
      work(float());
      return true;
    case CUDA_R_64F:
      work(double());
      return true;
    case CUDA_C_32F:
      work(std::complex<float>());
      return true;
    case CUDA_C_64F:
      work(std::complex<double>());
      return true;
    default:
      return false;
  }
}

}  // namespace emu
