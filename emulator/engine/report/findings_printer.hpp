/// @file
/// What every form of the checker's findings has in common.
#pragma once

#include <string>
#include <vector>

#include "emulator/check.h"

namespace emu {

class FindingsPrinter {
 public:
  virtual ~FindingsPrinter() = default;
  /// What to say on stderr as soon as there is a finding; may be nothing.
  virtual std::string as_found(const Finding& finding) = 0;
  /// What to say, or to write into the file, when the program ends.
  virtual std::string at_end(const std::vector<Finding>& findings) = 0;
};

/// "error" or "warning".
const char* name_of(Severity severity);

}  // namespace emu
