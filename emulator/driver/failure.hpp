/// Errors that end the driver with a message and an exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "unsupported.hpp"

namespace emulator_nvcc {

constexpr int kUsageStatus = 1;        // as in nvcc
constexpr int kUnsupportedStatus = 2;  // valid CUDA that the emulator does not support

/// Ends the driver. `message` is the complete line for stderr; empty if everything was printed.
struct Failure : std::runtime_error {
  Failure(int exit_status, const std::string& message)
      : std::runtime_error(message), status(exit_status) {}
  int status;
};

/// Refuses a command line in nvcc's words.
[[noreturn]] inline void fatal(const std::string& what) {
  throw Failure(kUsageStatus, "nvcc fatal   : " + what);
}

/// Fails if `name` belongs to an unsupported feature.
inline void refuse_unsupported(emu::Sign sign, std::string_view name, std::string_view shown = {}) {
  const std::string feature = emu::unsupported_message(sign, name, shown);
  if (feature.empty()) return;
  throw Failure(kUnsupportedStatus, "emulator-nvcc: the emulator does not support " + feature);
}

}  // namespace emulator_nvcc
