/// @file
/// Interface of the formats of the checks' findings.
#pragma once

#include <string>
#include <vector>

#include "emulator/check.h"

namespace emu {

class FindingsPrinter {
 public:
  virtual ~FindingsPrinter() = default;
  /// Returns the text for stderr when a finding is made; may be empty.
  virtual std::string as_found(const Finding& finding) = 0;
  /// Returns the text for the end of the program, on stderr or in the report's file.
  virtual std::string at_end(const std::vector<Finding>& findings) = 0;
};

/// Returns "error" or "warning".
const char* name_of(Severity severity);

}  // namespace emu
