/// @file
/// Host memory that a kernel is given.
///
/// A quick form of a kernel does not look at addresses: the processor refuses those of no memory,
/// but not those of the host's. So a launch whose arguments may be the host's addresses runs in the
/// form that looks at each.
#pragma once

#include <cstddef>

namespace emu {

/// Whether there may be an address of host memory among the arguments, or at the beginning of
/// device memory that an argument leads to. A number that looks like one is taken for one.
bool may_lead_to_host_memory(const void* arguments, std::size_t bytes);

}  // namespace emu
