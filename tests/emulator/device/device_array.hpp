/// @file
/// Memory for host and device, for tests with few threads.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstddef>

/// An array of `count` elements. All bytes are first 0xff, so that skipped elements are found.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    REQUIRE(cudaMallocManaged(&data_, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemset(data_, 0xff, count * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// Requires that a launch was accepted and has succeeded.
inline void require_finished() {
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}
