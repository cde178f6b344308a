/// How the driver stops: a message, and the exit status that goes with it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "unsupported.hpp"

namespace emulator_nvcc {

constexpr int kUsageStatus = 1;        // as nvcc's own
constexpr int kUnsupportedStatus = 2;  // valid CUDA, but not on the emulator

/// `message` is the whole line that stderr gets; empty if all has been said.
struct Failure : std::runtime_error {
  Failure(int exit_status, const std::string& message)
      : std::runtime_error(message), status(exit_status) {}
  int status;
};

/// nvcc's way of refusing a command line.
[[noreturn]] inline void fatal(const std::string& what) {
  throw Failure(kUsageStatus, "nvcc fatal   : " + what);
}

/// Stops if `name` gives away what the emulator does not support.
inline void refuse_unsupported(emu::Sign sign, std::string_view name, std::string_view shown = {}) {
  const std::string feature = emu::unsupported_message(sign, name, shown);
  if (feature.empty()) return;
  throw Failure(kUnsupportedStatus, "emulator-nvcc: the emulator does not support " + feature);
}

}  // namespace emulator_nvcc
