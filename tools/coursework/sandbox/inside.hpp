/// The steps between the keeper's fork and the command, which build the walls from inside.

#pragma once

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// Forks into the plan's namespaces. The new process becomes the command; in a process namespace of
/// its own, it becomes the namespace's first process, with the command as its child. Does not
/// return in the new process.
///
/// @return the new process's id, or -1
pid_t start_inside(Plan& plan, int out, int err);

/// Closes all descriptors except `kept`, which it sorts; -1 stands for none.
void close_all_but(int* kept, std::size_t count);

/// Records the step that failed, and errno. Only the first failure is recorded.
void note_failure(KeeperReport& report, const char* step);

}  // namespace coursework::inner
