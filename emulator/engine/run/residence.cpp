#include "engine/run/residence.hpp"

#include <algorithm>

#include "emulator/memory.h"
#include "engine/engine.hpp"

namespace emu {

std::uint64_t resident_blocks(const Launch& launch) {
  const cudaDeviceProp& device = device_properties();
  const auto limit = [](auto value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  std::uint64_t shared = launch.dynamic_shared_bytes + limit(device.reservedSharedMemPerBlock);
  for (const SharedVariable& variable : *launch.shared_variables) shared += variable.bytes;
  const std::uint64_t each = std::min({limit(device.maxThreadsPerMultiProcessor) / threads,
                                       limit(device.sharedMemPerMultiprocessor) / shared,
                                       limit(device.maxBlocksPerMultiProcessor)});
  return std::max<std::uint64_t>(each, 1) * limit(device.multiProcessorCount);
}

}  // namespace emu
