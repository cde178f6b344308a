#include "tools/coursework/sandbox/machine.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "tools/coursework/sandbox/landlock.hpp"

namespace coursework::inner {
namespace {

constexpr const char* kTinyTmpfs = "size=64k,mode=755";
constexpr uid_t kNobody = 65534;
constexpr uid_t kFirstUser = 2'000'000'000;  // far above the users of any machine known to us

bool write_text(const char* file, const char* text) {
  const int fd = open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto bytes = static_cast<ssize_t>(std::strlen(text));
  const bool written = write(fd, text, static_cast<std::size_t>(bytes)) == bytes;
  close(fd);
  return written;
}

/// Returns whether `step` succeeds in a child process inside new namespaces.
template <class Step>
bool works(unsigned long namespaces, Step step) {
  const std::string user = user_map_line();
  const std::string group = group_map_line();
  const pid_t child = fork_into(namespaces);
  if (child < 0) return false;
  if (child == 0) {
    const bool mapped = (namespaces & CLONE_NEWUSER) == 0 || map_user(user.c_str(), group.c_str());
    _exit(mapped && step() ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool always() { return true; }

bool can_filter() {
  sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog program{1, &allow};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Returns whether RLIMIT_NPROC counts only a user namespace's processes. If it counted the user's
/// other processes, a limit of two would leave no room for a fork.
bool can_fork_under_a_small_limit() {
  const rlimit two{2, 2};
  if (setrlimit(RLIMIT_NPROC, &two) != 0) return false;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0 && waitpid(child, nullptr, 0) == child;
}

void try_namespaces(Machine& machine, unsigned long user) {
  machine.mount_namespace = works(user | CLONE_NEWNS, [] { return enter_empty_root(kTinyTmpfs); });
  machine.process_namespace = works(user | CLONE_NEWPID, always);
  machine.network_namespace = works(user | CLONE_NEWNET, always);
  machine.fresh_proc = machine.mount_namespace && machine.process_namespace &&
                       works(user | CLONE_NEWNS | CLONE_NEWPID, [] {
                         return enter_empty_root(kTinyTmpfs) && mkdir("/proc", 0755) == 0 &&
                                mount_fresh_proc("/proc");
                       });
  machine.user_namespace = user != 0 && (machine.mount_namespace || machine.process_namespace ||
                                         machine.network_namespace);
}

Machine try_everything() {
  Machine machine;
  // Root that can switch to another user needs no user namespace. Root of a container often cannot;
  // a user namespace is then the better protection, and running without either the last resort.
  machine.other_user = geteuid() == 0 && works(0, [] { return become_user(user_for(getpid())); });
  if (machine.other_user) try_namespaces(machine, 0);
  if (!machine.mount_namespace && !machine.process_namespace) {
    try_namespaces(machine, CLONE_NEWUSER);
  }
  if (!machine.mount_namespace && !machine.process_namespace) try_namespaces(machine, 0);
  machine.other_user = machine.other_user && !machine.user_namespace;
  machine.counts_apart =
      machine.user_namespace && works(CLONE_NEWUSER, can_fork_under_a_small_limit);
  machine.system_calls = works(0, can_filter);
  const int version = landlock_version();
  if (works(0, [&] { return landlock_works(version); })) machine.landlock = version;
  return machine;
}

}  // namespace

pid_t fork_into(unsigned long namespaces) {
  if (namespaces == 0) return fork();
  return static_cast<pid_t>(syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, 0));
}

bool map_user(const char* user_line, const char* group_line) {
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // otherwise the files below would belong to root
  const bool mapped = write_text("/proc/self/setgroups", "deny") &&
                      write_text("/proc/self/uid_map", user_line) &&
                      write_text("/proc/self/gid_map", group_line);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return mapped;
}

bool become_user(uid_t user) {
  return setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 &&
         setresuid(user, user, user) == 0;
}

bool enter_empty_root(const char* tmpfs_options) {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV;
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("tmpfs", "/tmp", "tmpfs", kFlags, tmpfs_options) == 0 && chdir("/tmp") == 0 &&
         mkdir(".old", 0700) == 0 && syscall(SYS_pivot_root, ".", ".old") == 0 && chdir("/") == 0;
}

bool mount_fresh_proc(const char* where) {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
  return mount("proc", where, "proc", kFlags, nullptr) == 0;
}

bool has_many_users() {
  static const bool has_many = works(0, [] { return become_user(kFirstUser); });
  return has_many;
}

uid_t user_for(pid_t keeper) {
  return has_many_users() ? kFirstUser + static_cast<uid_t>(keeper) : kNobody;
}

std::string user_map_line() {
  const uid_t inside = geteuid() == 0 ? kNobody : geteuid();
  return std::to_string(inside) + " " + std::to_string(geteuid()) + " 1\n";
}

std::string group_map_line() {
  const gid_t inside = getegid() == 0 ? kNobody : getegid();
  return std::to_string(inside) + " " + std::to_string(getegid()) + " 1\n";
}

const Machine& this_machine() {
  static const Machine machine = try_everything();
  return machine;
}

Machine machine_without(const std::vector<Protection>& without) {
  Machine machine = this_machine();
  for (const Protection protection : without) {
    switch (protection) {
      case Protection::mount_namespace:
        machine.mount_namespace = false;
        break;
      case Protection::process_namespace:
        machine.process_namespace = false;
        break;
      case Protection::network_namespace:
        machine.network_namespace = false;
        break;
      case Protection::landlock:
        machine.landlock = 0;
        break;
      case Protection::system_calls:
        machine.system_calls = false;
        break;
      case Protection::other_user:
        machine.other_user = false;
        break;
    }
  }
  machine.fresh_proc = machine.fresh_proc && machine.mount_namespace && machine.process_namespace;
  machine.user_namespace =
      machine.user_namespace &&
      (machine.mount_namespace || machine.process_namespace || machine.network_namespace);
  machine.counts_apart = machine.counts_apart && machine.user_namespace;
  return machine;
}

}  // namespace coursework::inner
