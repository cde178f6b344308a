/// @file
/// Work that all lanes of a warp request and that is done once.
#pragma once

#include <array>
#include <string>

#include "driver_types.h"

namespace emu {

/// The reason why work of a warp cannot be done.
struct WarpRefusal {
  cudaError_t error;
  std::string message;            ///< empty: the lanes do not request the same
  const void* address = nullptr;  ///< the address that must not be read; null: none
};

/// Does the work; gets what each lane has brought.
/// @return null if it is done; else the reason, which lives until the worker's next work
using WorkOfWarp = const WarpRefusal* (*)(const std::array<void*, 32>& lanes);

inline const WarpRefusal kLanesDiffer = {cudaErrorIllegalInstruction, {}, nullptr};

/// Waits until all 32 lanes of the warp request the same work, and then has it done. It is an error
/// of the kernel if a lane has exited or requests something else.
/// @param mine what this lane brings; must live until the function returns
/// @param name of the work, for messages
void warp_together(WorkOfWarp work, void* mine, const char* name, const void* call_site);

}  // namespace emu
