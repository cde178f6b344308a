/// @file
/// The arguments of a launch, whichever way a program hands them over.
#pragma once

#include <vector>

#include "module.hpp"
#include "runtime/launch.hpp"

namespace emu::driver {

class Arguments {
 public:
  /// Finds them: at the addresses in `parameters`, or in the buffer that `extra` names.
  CUresult read(const CUfunc_st& function, void** parameters, void** extra);

  void** addresses() const { return addresses_; }

 private:
  std::vector<void*> in_buffer_;
  void** addresses_ = nullptr;
};

}  // namespace emu::driver
