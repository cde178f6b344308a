/// @file
/// Timing helpers of both tables of the benchmark.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

constexpr int kRuns = 7;

/// Returns the time from the call until the device has finished the work.
inline double milliseconds_once(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  cudaDeviceSynchronize();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

inline double median(std::vector<double> runs) {
  std::nth_element(runs.begin(), runs.begin() + static_cast<long>(runs.size() / 2), runs.end());
  return runs[runs.size() / 2];
}

/// Returns the median of kRuns runs.
inline double milliseconds(const std::function<void()>& work) {
  work();  // the first run touches the pages
  std::vector<double> runs;
  for (int run = 0; run < kRuns; ++run) runs.push_back(milliseconds_once(work));
  return median(runs);
}

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* pointer = nullptr;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}

/// Measures kernels counted and checked, against plain C++ on one core.
void measure_counting();

/// Measures kernels neither counted nor checked, against OpenMP on all cores.
/// @return the number of kernels whose results differ from OpenMP's
int measure_quick();
