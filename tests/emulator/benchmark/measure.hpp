/// @file
/// What both tables of the benchmark need.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

constexpr int kRuns = 7;

/// From the call to the end of what it asks the device for.
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

/// The median of kRuns.
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

/// Counted and checked, against plain C++ on one core.
void measure_counting();

/// Neither counted nor checked, against OpenMP on all cores.
/// @return the number of kernels whose results are not those of OpenMP
int measure_quick();
