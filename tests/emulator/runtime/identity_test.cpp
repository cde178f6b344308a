// What the emulated device says of itself where it is not an H100.
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
