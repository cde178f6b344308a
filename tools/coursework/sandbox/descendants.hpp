/// The processes below one process: found, measured and ended through /proc.
///
/// Only system calls and the arrays given: it runs in a fork of a process that may have threads.

#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace coursework::inner {

constexpr std::size_t kMostDescendants = 8192;

struct Descendants {
  std::array<pid_t, kMostDescendants> processes;
  std::size_t count = 0;
};

/// What the descendants have at this moment.
struct Use {
  std::size_t processes = 0;
  std::size_t threads = 0;
  std::uint64_t resident_bytes = 0;
  double cpu_seconds = 0;  // of those alive and of those that they have waited for
};

/// Whether /proc tells of processes at all.
bool can_watch();

/// Lists all processes below `ancestor`, which is not among them.
void list_descendants(pid_t ancestor, Descendants& found);

/// What the processes of the list use.
Use measure(const Descendants& found);

}  // namespace coursework::inner
