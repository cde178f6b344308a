/// @file
/// The writable side of the built-in variables, which device code sees as constants (threadIdx:
/// emulator/launch.h).
#pragma once

#include "emulator/launch.h"
#include "vector_types.h"

namespace emu {

extern __thread uint3 block_index __asm__("blockIdx");
extern __thread uint3 block_dimensions __asm__("blockDim");
extern __thread uint3 grid_dimensions __asm__("gridDim");

/// What a call of a kernel's function means.
enum LaunchState : int {
  kIsLane = 0,  ///< the engine calls it to run a lane
  kIsPending,   ///< the program calls it after push_launch(), so the call is a launch
  kIsHost,      ///< the program calls it without push_launch()
};
extern __thread int launch_is_pending __asm__("emu_launch_is_pending");

/// The carry flag of the running lane (CC.CF in PTX).
extern __thread bool carry_flag;

constexpr unsigned kMaxDynamicSharedBytes = 227u << 10;
extern __thread char dynamic_shared_memory[kMaxDynamicSharedBytes] __asm__(
    "emu_dynamic_shared_memory");

}  // namespace emu
