/// @file
/// Interface of the formats of the report at exit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/counters.h"

namespace emu {

/// The counters of all launches of one kernel.
struct KernelTotal {
  std::string kernel;
  std::uint64_t launches = 0;
  Counters counters;
};

class ExitReportPrinter {
 public:
  virtual ~ExitReportPrinter() = default;
  /// Returns the whole report. Kernels come in the order of their first launch.
  virtual std::string print(const std::vector<KernelTotal>& kernels) = 0;
};

}  // namespace emu
