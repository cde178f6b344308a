/// @file
/// For the engine's launches: how many blocks and clusters the device holds, and a kernel's
/// settings by cudaFuncSetAttribute. Not part of CUDA.
#pragma once

#include <cstddef>

#include "vector_types.h"

namespace emu {

/// Largest cluster with cudaFuncAttributeNonPortableClusterSizeAllowed; without it, half as many.
inline constexpr unsigned kMostBlocksOfCluster = 16;
inline constexpr unsigned kMostBlocksOfPortableCluster = 8;

/// Returns the cluster size, in blocks, that every launch of the kernel must use: that of its
/// definition or of cudaFuncSetAttribute; {0, 0, 0} if any size is allowed.
uint3 required_cluster(const void* kernel, uint3 of_definition);

unsigned most_blocks_of_cluster(const void* kernel);

/// Returns how many blocks of `threads` threads and `dynamic_shared` bytes the device holds at a
/// time.
unsigned blocks_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared);
/// Returns how many clusters of `cluster_blocks` such blocks the device holds at a time, at least
/// 1.
unsigned clusters_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared,
                          unsigned cluster_blocks);

}  // namespace emu
