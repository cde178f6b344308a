/// @file
/// Helpers for the programs that record a GPU's results and for the tests that compare them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace record {

/// Exits if a call of the runtime has failed.
inline void require(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

/// Returns a hash of the bits (FNV-1a).
inline std::uint64_t digest(const std::vector<std::uint64_t>& bits) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t word : bits)
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3u;
  return hash;
}

}  // namespace record
