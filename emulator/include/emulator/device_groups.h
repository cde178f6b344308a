/// @file
/// Blocks that work together: clusters, named barriers, and kinds of addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/device.h"
#include "emulator/groups.h"
#include "host_defines.h"
#include "vector_types.h"

// -------------------------------------------------------------------------------- named barriers

// Barrier 0 is that of __syncthreads().
__forceinline__ void __barrier_sync(unsigned id) {
  if (id == 0) return emu::block_sync();
  emu::named_barrier_sync(id, 0);
}
__forceinline__ void __barrier_sync_count(unsigned id, unsigned threads) {
  emu::named_barrier_sync(id, threads);
}

// -------------------------------------------------------------------------------------- clusters

__forceinline__ unsigned __clusterDimIsSpecified() { return emu::has_clusters() ? 1 : 0; }
__forceinline__ dim3 __clusterDim() { return emu::cluster_dimensions(); }
__forceinline__ unsigned __clusterSizeInBlocks() {
  const uint3 size = emu::cluster_dimensions();
  return size.x * size.y * size.z;
}
__forceinline__ unsigned __clusterRelativeBlockRank() { return emu::cluster_rank(); }
__forceinline__ dim3 __clusterRelativeBlockIdx() {
  const uint3 size = emu::cluster_dimensions();
  return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
__forceinline__ dim3 __clusterIdx() {
  const uint3 size = emu::cluster_dimensions();
  return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
__forceinline__ dim3 __clusterGridDimInClusters() {
  const uint3 size = emu::cluster_dimensions();
  return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}

__forceinline__ void __cluster_barrier_arrive() { emu::cluster_arrive(); }
// Which orders no memory; the hazard checker takes it for one that does.
__forceinline__ void __cluster_barrier_arrive_relaxed() { emu::cluster_arrive(); }
__forceinline__ void __cluster_barrier_wait() { emu::cluster_wait(); }
__forceinline__ void __threadfence_cluster() { emu::fence(true); }

__forceinline__ void* __cluster_map_shared_rank(const void* shared, unsigned rank) {
  return emu::cluster_map(shared, rank);
}
__forceinline__ unsigned __cluster_query_shared_rank(const void* shared) {
  return emu::cluster_rank_of(shared);
}

// ----------------------------------------------------------------------------- kinds of addresses

__forceinline__ unsigned __isShared(const void* address) { return emu::is_shared(address) ? 1 : 0; }
__forceinline__ unsigned __isCtaShared(const void* address) { return __isShared(address); }
__forceinline__ unsigned __isClusterShared(const void* address) {
  return emu::is_cluster_shared(address) ? 1 : 0;
}
__forceinline__ unsigned __isLocal(const void* address) { return emu::is_local(address) ? 1 : 0; }
__forceinline__ unsigned __isConstant(const void* address) {
  return emu::is_constant(address) ? 1 : 0;
}
__forceinline__ unsigned __isGlobal(const void* address) {
  return emu::is_cluster_shared(address) || emu::is_local(address) || emu::is_constant(address) ? 0
                                                                                                : 1;
}

__forceinline__ std::size_t __cvta_generic_to_shared(const void* address) {
  return emu::shared_address(address);
}
__forceinline__ void* __cvta_shared_to_generic(std::size_t address) {
  return emu::shared_pointer(static_cast<std::uint32_t>(address));
}

// Other memory has one kind of address.
__forceinline__ std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
__forceinline__ std::size_t __cvta_generic_to_constant(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
__forceinline__ std::size_t __cvta_generic_to_local(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
__forceinline__ void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
__forceinline__ void* __cvta_constant_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
__forceinline__ void* __cvta_local_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
