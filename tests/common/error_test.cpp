#include "course/error.hpp"

#include <doctest/doctest.h>

#include <string>

#include "common/device_for_test.hpp"

TEST_CASE("success is silent") { CHECK_NOTHROW(course::check(cudaSuccess)); }

TEST_CASE("an error says where, its name and what it means") {
  int line = 0;
  try {
    line = __LINE__ + 1;
    course::check(cudaErrorMemoryAllocation);
    FAIL("nothing was thrown");
  } catch (const course::CudaError& error) {
    CHECK(error.code() == cudaErrorMemoryAllocation);
    CHECK(std::string(error.what()) ==
          "error_test.cpp:" + std::to_string(line) + ": cudaErrorMemoryAllocation: out of memory");
  }
}

TEST_CASE("check() answers the error, so that the next launch is not blamed") {
  REQUIRE_DEVICE();
  void* pointer = nullptr;
  CHECK_THROWS_AS(course::check(cudaMalloc(&pointer, std::size_t{1} << 50)), course::CudaError);
  CHECK_NOTHROW(course::check_launch());
}

TEST_CASE("check_launch() reports what was left behind, once") {
  REQUIRE_DEVICE();
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, std::size_t{1} << 50) == cudaErrorMemoryAllocation);
  CHECK_THROWS_AS(course::check_launch(), course::CudaError);
  CHECK_NOTHROW(course::check_launch());
}

TEST_CASE("a refused launch is told from a failed kernel") {
  REQUIRE_DEVICE();
  int on_the_host = 0;
  CHECK(cudaFree(&on_the_host) == cudaErrorInvalidValue);  // the same error as for a bad grid
  CHECK_THROWS_AS(course::check_launch(), course::LaunchRefused);
  CHECK_NOTHROW(course::check_launch());
}
