/// What happens between the keeper's fork and the command: the walls are built from inside.

#pragma once

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// Forks into the plan's namespaces; the new process becomes the command, or the first process of
/// its process namespace with the command below it. The new process does not return.
///
/// @return the new process, or -1
pid_t start_inside(Plan& plan, int out, int err);

/// Closes all descriptors but those given, which it sorts; -1 stands for none.
void close_all_but(int* kept, std::size_t count);

/// Notes which step failed, with errno. The first note stays.
void note_failure(KeeperReport& report, const char* step);

}  // namespace coursework::inner
