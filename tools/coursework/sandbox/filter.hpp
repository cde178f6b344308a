/// The list of system calls that a command may make, as a program for the kernel.

#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework::inner {

/// Stands in the filter where the number of the filtered process is to stand.
constexpr std::uint32_t kOwnProcess = 0x5AFE'0001;

/// The filter of a profile, made by libseccomp. Whatever it does not list fails with EPERM.
std::vector<sock_filter> system_call_filter(Profile profile);

}  // namespace coursework::inner
