/// Finds out which protections this machine offers, by trying them in child processes.

#pragma once

#include <sys/types.h>

#include <string>

#include "tools/coursework/sandbox/plan.hpp"

namespace coursework::inner {

/// Returns the available protections; tries them once per process.
const Machine& this_machine();

/// Returns the available protections except those in `without`.
Machine machine_without(const std::vector<Protection>& without);

/// Returns a user id that owns nothing on this machine; each keeper gets another one.
uid_t user_for(pid_t keeper);
/// Returns whether each keeper really gets another user id.
bool has_many_users();

/// Returns the two lines that map this process's user and group into its own user namespace.
std::string user_map_line();
std::string group_map_line();

// --- system calls that the trials and the command's process share; safe after a fork -----------

/// Forks into new namespaces.
pid_t fork_into(unsigned long namespaces);
/// Writes the id maps of the user namespace that this process has just entered.
bool map_user(const char* user_line, const char* group_line);
/// Switches from root to `user`, whose group has the same id.
bool become_user(uid_t user);
/// Replaces the root by an empty tmpfs; the old root is then at /.old.
bool enter_empty_root(const char* tmpfs_options);
/// Mounts a /proc that shows the processes of this process namespace.
bool mount_fresh_proc(const char* where);

}  // namespace coursework::inner
