/// @file
/// The objects that handles of modules, libraries and kernels point to.
#pragma once

#include <deque>
#include <string>

#include "cuda.h"
#include "shared_object.hpp"

struct CUfunc_st {
  std::string name;
  const void* kernel = nullptr;  ///< the address that the engine knows it by
  const emu::KernelRecord* record = nullptr;
  CUmodule module = nullptr;
};

struct CUmod_st {
  emu::driver::SharedObject object;
  std::deque<CUfunc_st> functions;
};

struct CUkern_st {
  CUfunction function = nullptr;
  CUlibrary library = nullptr;
};

struct CUlib_st {
  CUmodule module = nullptr;
  std::deque<CUkern_st> kernels;
};

namespace emu::driver {

/// Returns the kernel of a handle; null if the handle is not valid. A CUfunction may be a CUkernel.
const CUfunc_st* function_of(CUfunction handle);
const CUfunc_st* function_of(CUkernel handle);

}  // namespace emu::driver
