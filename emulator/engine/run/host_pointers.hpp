/// @file
/// Detects pointers among a kernel's arguments that the kernel cannot use: to host memory, and to
/// memory that belongs to the thread which launches it.
///
/// A quick form of a kernel does not check addresses. The processor refuses unmapped ones, but not
/// those of host memory. So a launch whose arguments may hold host addresses runs in the
/// instrumented form, which checks each access.
#pragma once

#include <cstddef>

#include "engine/engine.hpp"

namespace emu {

class Worker;

/// Returns whether a host address may be among the arguments, or in the first KiB of device memory
/// behind a pointer among them. Any number that looks like a host address counts.
bool may_lead_to_host_memory(const void* arguments, std::size_t bytes);

/// Returns what a pointer among the arguments leads to, if a lane of this worker launches a kernel
/// with them and the kernel cannot reach it. Any number that looks like such an address counts.
OwnMemory own_memory_among(const void* arguments, std::size_t bytes, const Worker& worker);

}  // namespace emu
