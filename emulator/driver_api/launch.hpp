/// @file
/// The arguments of a launch, given as addresses or in one buffer.
#pragma once

#include <vector>

#include "module.hpp"
#include "runtime/launch.hpp"

namespace emu::driver {

class Arguments {
 public:
  /// Finds the arguments at the addresses in `parameters`, or in the buffer that `extra` names.
  CUresult read(const CUfunc_st& function, void** parameters, void** extra);

  void** addresses() const { return addresses_; }

 private:
  std::vector<void*> in_buffer_;
  void** addresses_ = nullptr;
};

}  // namespace emu::driver
