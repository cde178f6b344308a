/// @file
/// Work that all lanes of a warp ask for and that is done once.
#pragma once

#include <array>
#include <string>

#include "driver_types.h"

namespace emu {

/// Why work of a warp cannot be done.
struct WarpRefusal {
  cudaError_t error;
  std::string message;            ///< empty: the lanes do not want the same
  const void* address = nullptr;  ///< what it would read, though it may not
};

/// Takes what each lane brought, by lane.
/// @return null: it is done; else it lives until the worker's next work
using WorkOfWarp = const WarpRefusal* (*)(const std::array<void*, 32>& lanes);

inline const WarpRefusal kLanesDiffer = {cudaErrorIllegalInstruction, {}, nullptr};

/// Waits until all 32 lanes of the warp ask for the same work, then has it done. A lane that has
/// exited, or wants something else, is an error of the kernel.
/// @param mine  what this lane brings: lives until the function returns
/// @param name  in messages
void warp_together(WorkOfWarp work, void* mine, const char* name, const void* call_site);

}  // namespace emu
