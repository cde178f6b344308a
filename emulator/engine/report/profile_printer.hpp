/// @file
/// What every form of a profile has in common: its parts, and their order.
#pragma once

#include <string>
#include <vector>

#include "engine/report/profile.hpp"

namespace emu {

/// Prints one profile, part by part, and is then done with.
class ProfilePrinter {
 public:
  virtual ~ProfilePrinter() = default;

  /// The whole report. Calls what stands below from the first kernel's first line to the last
  /// kernel's last.
  std::string print(const std::vector<KernelProfile>& kernels);

 protected:
  virtual void begin() {}
  virtual void begin_kernel(const KernelProfile& kernel) = 0;
  /// `index` is the source's place in `kernel.sources`.
  virtual void begin_source(const KernelProfile& kernel, std::size_t index) = 0;
  /// Between two lines that are not neighbours.
  virtual void gap() {}
  /// `worst` are the marks on this line: none, or one for each kind of waste.
  virtual void line(const LineProfile& line, const std::vector<WorstLine>& worst) = 0;
  virtual void end_source() {}
  virtual void end_kernel() {}
  /// The finished text; `kernels` is how many there were.
  virtual std::string end(std::size_t kernels) = 0;
};

}  // namespace emu
