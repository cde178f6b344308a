// Tests the properties of the emulated device that differ from an H100's.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <string>

#include "cuda_error_text.hpp"

TEST_CASE("the emulator names itself and owns up to what it cannot do") {
  cudaDeviceProp device;
  REQUIRE(cudaGetDeviceProperties(&device, 0) == cudaSuccess);
  CHECK(std::string(device.name) == "Warp by Warp emulator (H100-like)");
  CHECK(device.ipcEventSupported == 0);
}
