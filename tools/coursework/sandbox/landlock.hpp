/// Landlock: the kernel's list of files that a process may open.
///
/// Debian 12's header has version 2; later constants are defined here.

#pragma once

#include <cstdint>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

constexpr std::uint64_t kMayRead = 1;       // read files and list folders
constexpr std::uint64_t kMayExecute = 2;    // also execute
constexpr std::uint64_t kMayWrite = 4;      // also create, change and remove
constexpr std::uint64_t kMayUseDevice = 8;  // read and write existing files

/// Returns the version that the kernel offers; 0: none.
int landlock_version();

/// Returns whether Landlock works, by confining this process.
bool landlock_works(int version);

/// Restricts this process to the files of the rules. Makes only system calls.
bool confine_by_landlock(const Plan& plan);

}  // namespace coursework::inner
