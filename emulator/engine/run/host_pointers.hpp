/// @file
/// Detects host pointers among a kernel's arguments.
///
/// A quick form of a kernel does not check addresses. The processor refuses unmapped ones, but not
/// those of host memory. So a launch whose arguments may hold host addresses runs in the
/// instrumented form, which checks each access.
#pragma once

#include <cstddef>

namespace emu {

/// Returns whether a host address may be among the arguments, or in the first KiB of device memory
/// behind a pointer among them. Any number that looks like a host address counts.
bool may_lead_to_host_memory(const void* arguments, std::size_t bytes);

}  // namespace emu
