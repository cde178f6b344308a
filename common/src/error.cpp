#include "course/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace course {
namespace {

/// Returns the file name without its folders, so that messages are equal on every machine.
std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string describe(cudaError_t code, const std::source_location& where) {
  return fmt::format("{}:{}: {}: {}", base_name(where.file_name()), where.line(),
                     cudaGetErrorName(code), cudaGetErrorString(code));
}

/// Returns whether the error means that the launch was refused, rather than that an earlier kernel
/// failed.
bool refuses_launch(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorLaunchOutOfResources:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return true;
    default:
      return false;
  }
}

}  // namespace

CudaError::CudaError(cudaError_t code, const std::source_location& where)
    : std::runtime_error(describe(code, where)), code_(code) {}

void check(cudaError_t code, std::source_location where) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // reported here, so that a later check_launch() does not report it again
  throw CudaError(code, where);
}

void check_launch(std::source_location where) {
  const cudaError_t code = cudaGetLastError();
  if (code == cudaSuccess) return;
  if (refuses_launch(code)) throw LaunchRefused(code, where);
  throw CudaError(code, where);
}

}  // namespace course
