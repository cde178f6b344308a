/// @file
/// How a call of the driver API begins and ends.
#pragma once

#include <cstdint>
#include <new>

#include "context.hpp"
#include "cuda.h"
#include "cuda_runtime_api.h"
#include "emulator/device.h"
#include "runtime/runtime.hpp"

namespace emu::driver {

/// What must exist before a call looks at its arguments.
enum class Needs : std::uint8_t { nothing, driver, context };

/// Returns the driver's error for one of the runtime's; some have other numbers.
CUresult result_of(cudaError_t error) noexcept;
inline CUresult result_of(CUresult result) noexcept { return result; }

/// Returns the error of a call for which something that it needs is missing.
CUresult refusal(Needs needs) noexcept;

/// Makes one call of the driver API: runs `body`, which returns an error of either API. The
/// runtime's last error stays as it was. Always inlined, so that the return address leads to the
/// program.
template <Needs needs = Needs::context, class F>
[[gnu::always_inline]] inline CUresult call(F&& body, const char* name = __builtin_FUNCTION()) {
  if (in_kernel()) unsupported("a call inside a kernel");
  runtime::CallReport report;
  report.begin(name, __builtin_return_address(0));
  CUresult result = refusal(needs);
  if (result == CUDA_SUCCESS) {
    const cudaError_t before = runtime::exchange_last_error(cudaSuccess);
    try {
      result = result_of(body());
    } catch (const std::bad_alloc&) {
      result = CUDA_ERROR_OUT_OF_MEMORY;
    }
    runtime::exchange_last_error(before);
  }
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
    report.failed(name, static_cast<cudaError_t>(result));
  return result;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }
inline CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace emu::driver
