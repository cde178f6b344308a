/// How the driver stops: a message, and the exit status that goes with it.
#pragma once

#include <stdexcept>
#include <string>

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

[[noreturn]] inline void unsupported_option(const std::string& what) {
  throw Failure(kUnsupportedStatus, "emulator-nvcc: the emulator does not support " + what);
}

}  // namespace emulator_nvcc
