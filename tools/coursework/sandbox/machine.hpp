/// Which walls this machine lets us build, found out by building them in processes of their own.

#pragma once

#include <sys/types.h>

#include <string>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// What can be had here; tried once in a process.
const Machine& this_machine();

/// The same, less what `without` names.
Machine machine_without(const std::vector<Protection>& without);

/// A user that owns nothing on this machine, another one for each keeper.
uid_t user_for(pid_t keeper);
/// Whether it really is another one for each.
bool has_many_users();

/// The two lines that map this process's user and group into a user namespace of its own.
std::string user_map_line();
std::string group_map_line();

// --- system calls that the trials and the command's process share; safe after a fork
// --------------

/// fork() into new namespaces.
pid_t fork_into(unsigned long namespaces);
/// Writes the maps of the user namespace that this process has just come into.
bool map_user(const char* user_line, const char* group_line);
/// Gives up root for `user`, which is its own group, too.
bool become_user(uid_t user);
/// Puts an empty tmpfs into the place of the root; the old root is then at /.old.
bool enter_empty_root(const char* tmpfs_options);
/// Mounts a /proc that shows the processes of this process namespace.
bool mount_fresh_proc(const char* where);

}  // namespace coursework::inner
