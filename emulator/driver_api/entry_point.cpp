// Addresses of the driver's functions by their names: cuGetProcAddress and its relatives.
#include <cstring>
#include <string_view>

#include "call.hpp"

using namespace emu;
using namespace emu::driver;

namespace {

/// A function, in the form that it has had since a version of the driver.
struct EntryPoint {
  const char* name;
  int version;
  void* function;
};

const EntryPoint kEntryPoints[] = {
#include "entry_points.inc"
};

constexpr cuuint64_t kMostFlags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

/// Finds the newest form of a function that a version of the driver has.
CUdriverProcAddressQueryResult find(const char* name, int version, void** function) {
  bool is_known = false;
  const EntryPoint* found = nullptr;
  for (const EntryPoint& one : kEntryPoints) {
    if (std::strcmp(one.name, name) != 0) continue;
    is_known = true;
    if (one.version <= version && (!found || one.version > found->version)) found = &one;
  }
  *function = found ? found->function : nullptr;
  if (found) return CU_GET_PROC_ADDRESS_SUCCESS;
  return is_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                  : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
}

cudaError_t find_for_runtime(const char* name, void** function, unsigned version,
                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  if (name == nullptr || function == nullptr || *name == '\0' || flags > kMostFlags)
    return cudaErrorInvalidValue;
  const auto result = find(name, static_cast<int>(version), function);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(result);
  const bool is_lost = result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && status == nullptr;
  return is_lost ? cudaErrorSymbolNotFound : cudaSuccess;
}

}  // namespace

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return call<Needs::nothing>([&] {
    if (symbol == nullptr || function == nullptr || flags > kMostFlags)
      return CUDA_ERROR_INVALID_VALUE;
    const CUdriverProcAddressQueryResult result = find(symbol, version, function);
    if (status != nullptr) *status = result;
    // With a status, the call succeeds, and the status says that the function is missing.
    const bool is_told = result == CU_GET_PROC_ADDRESS_SUCCESS || status != nullptr;
    return is_told ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return runtime::api_call(
      [&] { return find_for_runtime(symbol, function, CUDA_VERSION, flags, status); });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return runtime::api_call(
      [&] { return find_for_runtime(symbol, function, version, flags, status); });
}
