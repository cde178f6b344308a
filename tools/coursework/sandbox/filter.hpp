/// Builds the filter of system calls for a command, as a program for the kernel.

#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework::inner {

/// Placeholder in the filter for the process id of the filtered process.
constexpr std::uint32_t kOwnProcess = 0x5AFE'0001;

/// Builds a profile's filter with libseccomp. Calls that are not listed fail with EPERM.
std::vector<sock_filter> system_call_filter(Profile profile);

}  // namespace coursework::inner
