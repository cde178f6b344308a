// Computes how many blocks and clusters the device holds at the same time.
#include "emulator/occupancy.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "cuda_runtime_api.h"
#include "emulator/launch.h"
#include "engine/run/extents.hpp"
#include "lane_call.hpp"
#include "runtime.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

using namespace emu;
using runtime::api_call;
using runtime::check_kernel;
using runtime::kRegistersPerThread;
using runtime::query_anywhere;

namespace {

constexpr int kRegisterUnit = 256;  ///< allocation unit of registers, per warp
constexpr int kWarpLanes = 32;
constexpr std::size_t kSharedUnit = 128;  ///< allocation unit of shared memory, per block, in bytes

/// Sizes of the groups of multiprocessors that can share a cluster: 132 in all.
///
/// From one H200. These groups and the next constant explain all of its 36 recorded answers: for
/// clusters of 1 to 8 and of 16 blocks, and four kinds of blocks. Another GPU of that name may have
/// other groups, because other multiprocessors are disabled. Other work on the device is not
/// modelled.
constexpr std::array kMultiprocessorGroups = {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};

/// Most blocks of clusters on one multiprocessor. For blocks of 128 threads without other limits,
/// the H200 answered 8 and not 16. Smaller blocks were not tried.
constexpr int kMostClusteredBlocks = 8;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Returns how many blocks of `threads` threads and `dynamic_shared` bytes a multiprocessor holds
/// at a time.
int blocks_per_multiprocessor(const void* kernel, int threads, std::size_t dynamic_shared) {
  const cudaDeviceProp& device = device_properties();
  if (threads > device.maxThreadsPerBlock || dynamic_shared > allowed_dynamic_shared(kernel)) {
    return 0;
  }
  const int warps = (threads + kWarpLanes - 1) / kWarpLanes;
  const int by_threads = device.maxThreadsPerMultiProcessor / kWarpLanes / warps;
  const int registers_per_warp =
      static_cast<int>(round_up(kRegistersPerThread * kWarpLanes, kRegisterUnit));
  const int by_registers = device.regsPerMultiprocessor / registers_per_warp / warps;
  const std::size_t shared = round_up(static_shared_bytes(kernel) + dynamic_shared, kSharedUnit) +
                             device.reservedSharedMemPerBlock;
  const int by_shared = static_cast<int>(device.sharedMemPerMultiprocessor / shared);
  return std::min({by_threads, by_registers, by_shared, device.maxBlocksPerMultiProcessor});
}

/// Returns the threads of a block; for an invalid block, more than the limit.
int threads_of(const dim3& block) {
  return static_cast<int>(std::min<std::uint64_t>(volume(block), 1u << 30));
}

/// Returns the error in the arguments of a query about clusters.
cudaError_t check_cluster_question(const int* answer, const void* kernel,
                                   const cudaLaunchConfig_t* config, Configuration& asked) {
  if (answer == nullptr || config == nullptr || threads_of(config->blockDim) == 0)
    return cudaErrorInvalidValue;
  if (const cudaError_t error = check_kernel(kernel); error != cudaSuccess) return error;
  return runtime::read_launch(*config, asked);
}

cudaError_t occupancy(int* blocks, const void* kernel, int threads, std::size_t dynamic_shared,
                      unsigned flags) {
  if (blocks == nullptr || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) {
    return cudaErrorInvalidValue;
  }
  if (const cudaError_t error = check_kernel(kernel); error != cudaSuccess) return error;
  *blocks = blocks_per_multiprocessor(kernel, threads, dynamic_shared);
  return cudaSuccess;
}

}  // namespace

unsigned emu::blocks_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared) {
  const int blocks = blocks_per_multiprocessor(kernel, static_cast<int>(threads), dynamic_shared);
  return static_cast<unsigned>(blocks * device_properties().multiProcessorCount);
}

// A group holds clusters of at most as many blocks as it has multiprocessors, although two blocks
// of a cluster may share one.
unsigned emu::clusters_at_once(const void* kernel, unsigned threads, std::size_t dynamic_shared,
                               unsigned cluster_blocks) {
  const int size = static_cast<int>(cluster_blocks);
  const int blocks =
      std::min(kMostClusteredBlocks,
               blocks_per_multiprocessor(kernel, static_cast<int>(threads), dynamic_shared));
  int sum = 0;
  for (const int group : kMultiprocessorGroups)
    if (group >= size) sum += group * blocks / size;
  return static_cast<unsigned>(sum);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int blockSize,
                                                          size_t dynamicSharedBytes) {
  return query_anywhere([&] {
    return occupancy(blocks, function, blockSize, dynamicSharedBytes, cudaOccupancyDefault);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int blockSize,
                                                                   size_t dynamicSharedBytes,
                                                                   unsigned int flags) {
  return query_anywhere(
      [&] { return occupancy(blocks, function, blockSize, dynamicSharedBytes, flags); });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int blockSize) {
  return api_call([&] {
    if (bytes == nullptr || blocks <= 0 || blockSize <= 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = check_kernel(function); error != cudaSuccess) return error;
    if (blocks > blocks_per_multiprocessor(function, blockSize, 0)) return cudaErrorInvalidValue;
    const std::size_t share =
        device_properties().sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
    const std::size_t fixed = static_shared_bytes(function);
    *bytes = std::min(share - std::min(share, fixed), allowed_dynamic_shared(function));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
  return api_call([&] {
    Configuration asked;
    if (const cudaError_t error = check_cluster_question(clusters, function, config, asked);
        error != cudaSuccess)
      return error;
    const uint3 required = required_cluster(function, bounds_of(function).cluster);
    const uint3 cluster = asked.cluster.x != 0 ? asked.cluster : required;
    const std::uint64_t blocks = volume(cluster);
    const bool fits = required.x == 0 || same(required, cluster);
    if (blocks == 0 || blocks > most_blocks_of_cluster(function) || !fits)
      return cudaErrorInvalidClusterSize;
    *clusters = static_cast<int>(
        clusters_at_once(function, static_cast<unsigned>(threads_of(config->blockDim)),
                         config->dynamicSmemBytes, static_cast<unsigned>(blocks)));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
  return api_call([&] {
    Configuration asked;
    if (const cudaError_t error = check_cluster_question(size, function, config, asked);
        error != cudaSuccess)
      return error;
    const uint3 required = required_cluster(function, bounds_of(function).cluster);
    auto blocks = static_cast<unsigned>(volume(required));
    if (blocks == 0) {
      const auto threads = static_cast<unsigned>(threads_of(config->blockDim));
      blocks = most_blocks_of_cluster(function);
      while (blocks > 0 &&
             clusters_at_once(function, threads, config->dynamicSmemBytes, blocks) == 0)
        --blocks;
    }
    *size = static_cast<int>(blocks);
    return cudaSuccess;
  });
}
