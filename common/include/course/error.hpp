#pragma once

/// @file
/// Every CUDA call is checked; every error says where it happened and what to do about it.

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace course {

/// Exit statuses of every chapter executable.
inline constexpr int kExitVerified = 0;  ///< every result was verified
inline constexpr int kExitWrong = 1;     ///< a result was wrong
inline constexpr int kExitUsage = 2;     ///< bad usage, no usable device, not enough memory

/// The caller asked for something that cannot be done: one line that says what to do, exit
/// status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A CUDA call or a kernel failed; what() is "FILE:LINE: cudaErrorName: description".
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& where);

  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

/// The device refuses a launch: grid, block or shared memory are more than it has, or its code is
/// missing.
class LaunchRefused : public CudaError {
 public:
  using CudaError::CudaError;
};

/// Throws CudaError unless `code` is cudaSuccess.
void check(cudaError_t code, std::source_location where = std::source_location::current());

/// Throws LaunchRefused if the launch just before was refused (bad grid, too much shared memory),
/// and CudaError for an earlier kernel's failure.
///
/// Does not wait: what goes wrong inside the kernel shows at the next synchronising call, so follow
/// with `check(cudaDeviceSynchronize())` where that matters.
void check_launch(std::source_location where = std::source_location::current());

}  // namespace course
