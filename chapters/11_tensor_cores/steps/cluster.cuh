#pragma once

/// @file
/// What the blocks of a cluster do for each other, as inline PTX.

#include <cstdint>

namespace in_cluster {

/// Arrives at the barrier that lies at the same place in another block of the cluster. Its order
/// is that of a block: with that of a cluster, the instruction waits for all stores of its thread
/// to reach the L2 cache.
__device__ inline void arrive(std::uint64_t* barrier, std::uint32_t rank) {
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}"
      :
      : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(barrier))), "r"(rank)
      : "memory");
}

}  // namespace in_cluster
