/// The processes below one process: found, measured and ended through /proc.
///
/// Makes only system calls and uses only the arrays given: runs in a fork of a threaded process.

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

/// Resources that the descendants use now.
struct Use {
  std::size_t processes = 0;
  std::size_t threads = 0;
  std::uint64_t resident_bytes = 0;
  double cpu_seconds = 0;  // of living descendants and of the children that they have waited for
};

/// Returns whether /proc shows processes.
bool can_watch();

/// Lists all descendants of `ancestor`, without `ancestor` itself.
void list_descendants(pid_t ancestor, Descendants& found);

/// Returns the resources that the listed processes use.
Use measure(const Descendants& found);

}  // namespace coursework::inner
