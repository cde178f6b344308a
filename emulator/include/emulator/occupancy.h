/// @file
/// How many blocks and clusters the device holds, and what cudaFuncSetAttribute has said of a
/// kernel: what the engine asks before it runs a launch. Not part of CUDA.
#pragma once

#include <cstddef>

#include "vector_types.h"

namespace emu {

/// With cudaFuncAttributeNonPortableClusterSizeAllowed; without it, half as many.
inline constexpr unsigned kMostBlocksOfCluster = 16;
inline constexpr unsigned kMostBlocksOfPortableCluster = 8;

/// The clusters, in blocks, that every launch of the kernel must have: those of its definition, or
/// those that cudaFuncSetAttribute has asked for; {0, 0, 0} if it may have any.
uint3 required_cluster(const void* kernel, uint3 of_definition);

unsigned most_blocks_of_cluster(const void* kernel);

/// Blocks of `threads` threads and `dynamic_shared` bytes that the device holds at the same time.
unsigned blocks_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared);
/// Clusters of `cluster_blocks` such blocks, at least 1.
unsigned clusters_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared,
                          unsigned cluster_blocks);

}  // namespace emu
