// Decides which launches a device would refuse, with the errors of an H200. The order of the checks
// matters only where two of them fail.
#include "engine/run/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "emulator/memory.h"
#include "emulator/occupancy.h"
#include "engine/run/extents.hpp"

namespace emu {

namespace {

std::string in_parentheses(const dim3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

bool is_given(const uint3& cluster) { return (cluster.x | cluster.y | cluster.z) != 0; }

/// Returns what is wrong with the shape of grid or block; empty if it is valid.
std::string wrong_shape(const dim3& grid, const dim3& block, unsigned max_threads) {
  const cudaDeviceProp& device = device_properties();
  const auto within = [](const dim3& size, const int* most) {
    return size.x <= static_cast<unsigned>(most[0]) && size.y <= static_cast<unsigned>(most[1]) &&
           size.z <= static_cast<unsigned>(most[2]);
  };
  const auto most_threads =
      std::min(static_cast<std::uint64_t>(device.maxThreadsPerBlock), std::uint64_t{max_threads});
  if (volume(grid) == 0 || volume(block) == 0)
    return fmt::format("there is nothing to run: a grid of {} blocks of {} threads",
                       in_parentheses(grid), in_parentheses(block));
  if (volume(block) > most_threads)
    return fmt::format("{} threads in a block, and there may be {} at most", volume(block),
                       most_threads);
  if (!within(block, device.maxThreadsDim))
    return fmt::format("a block of {} threads, and there may be (1024, 1024, 64) at most",
                       in_parentheses(block));
  if (!within(grid, device.maxGridSize))
    return fmt::format("a grid of {} blocks, and there may be (2147483647, 65535, 65535) at most",
                       in_parentheses(grid));
  return {};
}

/// Returns what is wrong with the launch's shared memory; empty if a block may have as much.
std::string wrong_memory(std::size_t dynamic_bytes, const LaunchedKernel& kernel) {
  if (dynamic_bytes > allowed_dynamic_shared(kernel.address))
    return fmt::format(
        "{} bytes of dynamic shared memory, and {} are allowed; cudaFuncSetAttribute allows more",
        dynamic_bytes, allowed_dynamic_shared(kernel.address));
  const std::size_t bytes = dynamic_bytes + kernel.static_shared_bytes;
  if (bytes > device_properties().sharedMemPerBlockOptin)
    return fmt::format("{} bytes of shared memory, and a block may have {}", bytes,
                       device_properties().sharedMemPerBlockOptin);
  return {};
}

/// Returns what is wrong with the clusters: the kernel or the device cannot have them, or the grid
/// does not divide into them; empty if nothing is.
std::string wrong_cluster(const Configuration& configuration, const LaunchedKernel& kernel) {
  const uint3 required = required_cluster(kernel.address, kernel.bounds.cluster);
  const uint3 cluster = cluster_of(configuration, kernel);
  if (!is_given(cluster)) return {};
  if (is_given(required) && !same(cluster, required))
    return fmt::format("clusters of {} blocks, and the kernel wants clusters of {}",
                       in_parentheses(cluster), in_parentheses(required));
  if (volume(cluster) == 0)
    return fmt::format("clusters of {} blocks, in which there are none", in_parentheses(cluster));
  const unsigned most = most_blocks_of_cluster(kernel.address);
  if (volume(cluster) > most)
    return fmt::format(
        "clusters of {} blocks, and there may be {} at most{}", volume(cluster), most,
        most < kMostBlocksOfCluster ? "; cudaFuncAttributeNonPortableClusterSizeAllowed allows more"
                                    : "");
  const dim3& grid = configuration.grid;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
    return fmt::format("a grid of {} blocks, which do not divide into clusters of {}",
                       in_parentheses(grid), in_parentheses(cluster));
  return {};
}

/// Returns why a device cannot hold the whole grid of a cooperative launch at once; empty if it
/// can.
std::string wrong_grid(const Configuration& configuration, const LaunchedKernel& kernel) {
  const auto threads = static_cast<unsigned>(volume(configuration.block));
  const std::size_t bytes = configuration.dynamic_shared_bytes;
  const std::uint64_t blocks = volume(cluster_of(configuration, kernel));
  const std::uint64_t most = blocks == 0 ? blocks_at_once(kernel.address, threads, bytes)
                                         : blocks * clusters_at_once(kernel.address, threads, bytes,
                                                                     static_cast<unsigned>(blocks));
  if (volume(configuration.grid) <= most) return {};
  return fmt::format(
      "{} blocks that shall run at the same time, and the device has room for {} of them",
      volume(configuration.grid), most);
}

}  // namespace

uint3 cluster_of(const Configuration& configuration, const LaunchedKernel& kernel) {
  return is_given(configuration.cluster) ? configuration.cluster
                                         : required_cluster(kernel.address, kernel.bounds.cluster);
}

std::optional<Refusal> refusal_of(const Configuration& configuration,
                                  const LaunchedKernel& kernel) {
  const bool cooperative = configuration.cooperative;
  if (std::string why =
          wrong_shape(configuration.grid, configuration.block, kernel.bounds.max_threads);
      !why.empty())
    return Refusal{cudaErrorInvalidValue, std::move(why)};
  if (std::string why = wrong_memory(configuration.dynamic_shared_bytes, kernel); !why.empty())
    return Refusal{cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidValue,
                   std::move(why)};
  if (std::string why = wrong_cluster(configuration, kernel); !why.empty())
    return Refusal{cudaErrorInvalidClusterSize, std::move(why)};
  if (!cooperative) return {};
  if (std::string why = wrong_grid(configuration, kernel); !why.empty())
    return Refusal{cudaErrorCooperativeLaunchTooLarge, std::move(why)};
  return {};
}

}  // namespace emu
