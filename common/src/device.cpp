#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "course/backend.hpp"
#include "course/error.hpp"

namespace course {
namespace {

constexpr double kHertzPerKilohertz = 1e3;

/// Returns a device attribute; 0 if it is unknown.
int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  cudaGetLastError();  // answered here
  return 0;
}

}  // namespace

Device current_device() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    cudaGetLastError();  // answered here
    throw UsageError(
        fmt::format("no usable GPU ({}); to run without one: ./course run --backend emulator",
                    found == cudaSuccess ? "none is visible" : cudaGetErrorString(found)));
  }
  int index = 0;
  check(cudaGetDevice(&index));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index));
  const auto hertz = [&](cudaDeviceAttr which) {
    return kHertzPerKilohertz * attribute(which, index);
  };
  return {.name = properties.name,
          .multiprocessors = properties.multiProcessorCount,
          .compute_major = properties.major,
          .compute_minor = properties.minor,
          .memory_bytes = properties.totalGlobalMem,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .clock_hz = hertz(cudaDevAttrClockRate),
          .memory_clock_hz = hertz(cudaDevAttrMemoryClockRate),
          .memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, index)};
}

void synchronize(std::source_location where) { check(cudaDeviceSynchronize(), where); }

}  // namespace course
