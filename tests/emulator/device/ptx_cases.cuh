/// @file
/// Pairs of kernels, one with inline PTX and one in plain CUDA C++, which also run on a GPU. Both
/// write the same words, and on the emulator both have the same counts.
#pragma once

#include <cuda_runtime.h>

#include <vector>

namespace ptx_cases {

constexpr int kThreads = 64;
constexpr int kWords = 1024;  // of the input and of the output

using Kernel = void (*)(const unsigned* in, unsigned* out);

/// Kernels run with kThreads threads and 4 KiB of dynamic shared memory; `out` is initially 0.
struct Case {
  const char* name;
  Kernel ptx, plain;
  int blocks = 1;
  bool waits = false;  // polls memory a number of times that varies
};

std::vector<Case> memory_cases();
std::vector<Case> warp_cases();
std::vector<Case> copy_cases();
std::vector<Case> number_cases();
std::vector<Case> word_cases();

constexpr unsigned kDynamicBytes = 4096;

/// Returns numbers without a pattern; none is NaN or infinite as a float.
inline unsigned input(unsigned i) { return (i * 2654435761u ^ i << 7) & 0xbfffffffu; }

#ifdef __CUDACC__

/// Returns the 32-bit address of an object in shared memory.
__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

#endif

}  // namespace ptx_cases
