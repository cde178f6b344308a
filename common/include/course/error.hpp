#pragma once

/// @file
/// Checks of CUDA calls. An error says where it happened and what to do about it.

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace course {

/// Exit statuses of every chapter executable.
inline constexpr int kExitVerified = 0;  ///< every result was verified
inline constexpr int kExitWrong = 1;     ///< a result was wrong
inline constexpr int kExitUsage = 2;     ///< bad usage, no usable device, not enough memory

/// A request that cannot be satisfied. The message is one line that says what to do; the exit
/// status is 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The failure of a CUDA call or a kernel; what() is "FILE:LINE: cudaErrorName: description".
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& where);

  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

/// A launch that the device refuses: grid, block or shared memory exceed its limits, or its code is
/// missing.
class LaunchRefused : public CudaError {
 public:
  using CudaError::CudaError;
};

/// Throws CudaError unless `code` is cudaSuccess.
void check(cudaError_t code, std::source_location where = std::source_location::current());

/// Throws LaunchRefused if the last launch was refused (bad grid, too much shared memory), and
/// CudaError if an earlier kernel failed.
///
/// Does not wait: an error inside the kernel appears at the next synchronising call. Where that
/// matters, call `check(cudaDeviceSynchronize())` as well.
void check_launch(std::source_location where = std::source_location::current());

}  // namespace course
