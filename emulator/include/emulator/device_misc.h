/// @file
/// Clocks, traps, conditions of graphs, and promises to the compiler.
#pragma once

#include <time.h>  // clock(), which counts like clock64() in kernels (engine/run/clocks.cpp)

#include "driver_types.h"
#include "emulator/condition.h"
#include "emulator/device.h"
#include "host_defines.h"

/// Returns cycles of cudaDevAttrClockRate. They measure the emulator's time, not a GPU's.
__forceinline__ long long clock64() { return static_cast<long long>(emu::clock_cycles()); }

/// Lets the other lanes run, without waiting.
__forceinline__ void __nanosleep(unsigned) { emu::yield(); }

// Kernels run one after the other: the previous one has ended, and the next one waits anyway.
__forceinline__ void cudaGridDependencySynchronize() {}
__forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {}

__forceinline__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                             unsigned int value) {
  emu::set_condition(handle, value);
}

__forceinline__ void __trap() { emu::device_trap("__trap()"); }
__forceinline__ void __brkpt() { emu::device_trap("__brkpt()"); }
__forceinline__ void __prof_trigger(int) {}

#if !__has_builtin(__builtin_assume)
__forceinline__ constexpr void __builtin_assume(bool condition) {
  if (!condition) __builtin_unreachable();
}
#endif
__forceinline__ constexpr void __assume(bool condition) { __builtin_assume(condition); }
