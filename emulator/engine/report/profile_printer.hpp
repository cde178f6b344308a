/// @file
/// Interface of the formats of a profile: its parts, and their order.
#pragma once

#include <string>
#include <vector>

#include "engine/report/profile.hpp"

namespace emu {

/// Prints one profile, part by part. Can be used only once.
class ProfilePrinter {
 public:
  virtual ~ProfilePrinter() = default;

  /// Returns the whole report. Calls the functions below for each part, in order.
  std::string print(const std::vector<KernelProfile>& kernels);

 protected:
  virtual void begin() {}
  virtual void begin_kernel(const KernelProfile& kernel) = 0;
  /// Begins the source `kernel.sources[index]`.
  virtual void begin_source(const KernelProfile& kernel, std::size_t index) = 0;
  /// Called between two lines that are not adjacent.
  virtual void gap() {}
  /// Adds a line. `worst` has its marks: none, or one for each kind of waste.
  virtual void line(const LineProfile& line, const std::vector<WorstLine>& worst) = 0;
  virtual void end_source() {}
  virtual void end_kernel() {}
  /// Returns the finished text; `kernels` is the number of kernels.
  virtual std::string end(std::size_t kernels) = 0;
};

}  // namespace emu
