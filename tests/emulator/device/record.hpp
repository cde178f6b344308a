/// @file
/// What the programs share that record what a GPU returns, and the tests that compare.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace record {

/// Ends the program where a call of the runtime has failed.
inline void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

/// A number that two different lists of bits hardly share (FNV-1a).
inline std::uint64_t digest(const std::vector<std::uint64_t>& bits) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t word : bits)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
  return hash;
}

}  // namespace record
