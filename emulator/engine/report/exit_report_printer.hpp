/// @file
/// What every form of the report at exit has in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/counters.h"

namespace emu {

/// All launches of one kernel.
struct KernelTotal {
  std::string kernel;
  std::uint64_t launches = 0;
  Counters counters;
};

class ExitReportPrinter {
 public:
  virtual ~ExitReportPrinter() = default;
  /// The whole report; the kernels stand in the order of their first launch.
  virtual std::string print(const std::vector<KernelTotal>& kernels) = 0;
};

}  // namespace emu
