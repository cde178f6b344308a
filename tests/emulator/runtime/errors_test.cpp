// Tests error codes and the last error of a thread, as with CUDA 13.0 on an H100. Uses only the
// runtime API, and passes on a device, too.
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "cuda_error_text.hpp"

TEST_CASE("an error's name is its enumerator") {
  CHECK(std::string(cudaGetErrorName(cudaSuccess)) == "cudaSuccess");
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
  CHECK(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation");
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorName(cudaErrorApiFailureBase)) == "cudaErrorApiFailureBase");
}

TEST_CASE("descriptions are the words that users search for") {
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidConfiguration)) ==
        "invalid configuration argument");
  CHECK(std::string(cudaGetErrorString(cudaErrorIllegalAddress)) ==
        "an illegal memory access was encountered");
  CHECK(std::string(cudaGetErrorString(cudaErrorLaunchFailure)) == "unspecified launch failure");
}

TEST_CASE("every code of CUDA 13.0 has a name and a description, and no other number has") {
  constexpr int kLargestCode = 10000;
  constexpr int kCodes = 134;
  int named = 0;
  for (int code = -1; code <= kLargestCode + 1; ++code) {
    CAPTURE(code);
    const auto error = static_cast<cudaError_t>(code);
    const std::string name = cudaGetErrorName(error);
    const std::string description = cudaGetErrorString(error);
    const bool known = name != "unrecognized error code";
    CHECK(known == (description != "unrecognized error code"));
    if (known) {
      CHECK((code == 0 ? name == "cudaSuccess" : name.starts_with("cudaError")));
      ++named;
    }
  }
  CHECK(named == kCodes);
}

TEST_CASE("the last error stays until it is asked for") {
  cudaGetLastError();
  void* pointer = nullptr;
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  REQUIRE(cudaMalloc(&pointer, 4) == cudaSuccess);  // a call that succeeds changes nothing
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  CHECK(cudaFree(pointer) == cudaSuccess);
}

TEST_CASE("the latest of two errors counts") {
  cudaGetLastError();
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("each host thread has a last error of its own") {
  cudaGetLastError();
  CHECK(cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  std::thread([] {
    CHECK(cudaPeekAtLastError() == cudaSuccess);
    CHECK(cudaSetDevice(99) == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  }).join();
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}
