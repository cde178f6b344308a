/// @file
/// Runs kernels with inline PTX and their plain twins, on the emulator and on a GPU.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ptx_cases.cuh"

namespace ptx_cases {

inline void require(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

inline std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& family : {memory_cases, warp_cases, copy_cases, number_cases, word_cases})
    for (const Case& one : family()) all.push_back(one);
  return all;
}

/// Returns a kernel's output: [kWords].
inline std::vector<unsigned> results_of(Kernel kernel, int blocks) {
  std::vector<unsigned> in(kWords), out(kWords);
  for (unsigned i = 0; i < kWords; ++i) in[i] = input(i);
  unsigned *device_in = nullptr, *device_out = nullptr;
  constexpr std::size_t kBytes = kWords * sizeof(unsigned);
  require(cudaMalloc(&device_in, kBytes));
  require(cudaMalloc(&device_out, kBytes));
  require(cudaMemcpy(device_in, in.data(), kBytes, cudaMemcpyHostToDevice));
  require(cudaMemset(device_out, 0, kBytes));
  kernel<<<static_cast<unsigned>(blocks), kThreads, kDynamicBytes>>>(device_in, device_out);
  require(cudaGetLastError());
  require(cudaDeviceSynchronize());
  require(cudaMemcpy(out.data(), device_out, kBytes, cudaMemcpyDeviceToHost));
  require(cudaFree(device_in));
  require(cudaFree(device_out));
  return out;
}

/// Returns a digest of a kernel's output (FNV-1a).
inline std::uint64_t digest_of(const std::vector<unsigned>& words) {
  std::uint64_t digest = 1469598103934665603u;
  for (const unsigned word : words) digest = (digest ^ word) * 1099511628211u;
  return digest;
}

}  // namespace ptx_cases
