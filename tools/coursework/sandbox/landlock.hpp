/// Landlock: the kernel's own list of the files that a process may open.
///
/// Debian 12's header knows version 2 of it; what came later stands here.

#pragma once

#include <cstdint>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

constexpr std::uint64_t kMayRead = 1;       // files and lists of folders
constexpr std::uint64_t kMayExecute = 2;    // and execute
constexpr std::uint64_t kMayWrite = 4;      // and create, change, remove
constexpr std::uint64_t kMayUseDevice = 8;  // read and write what is there already

/// The version that the kernel offers; 0: none.
int landlock_version();

/// Whether this process can be confined; it is afterwards.
bool landlock_works(int version);

/// Allows this process the files of the rules and nothing else. Only system calls.
bool confine_by_landlock(const Plan& plan);

}  // namespace coursework::inner
