#include "tools/coursework/sandbox/inside.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "tools/coursework/sandbox/filter.hpp"
#include "tools/coursework/sandbox/folder.hpp"
#include "tools/coursework/sandbox/landlock.hpp"
#include "tools/coursework/sandbox/machine.hpp"

namespace coursework::inner {
namespace {

constexpr char kOldRoot[] = "/.old";

/// Exits unless a step has succeeded.
void require(bool succeeded, const Plan& plan, const char* step) {
  if (succeeded) return;
  note_failure(*plan.report, step);
  _exit(1);
}

// --- files -------------------------------------------------------------------------------------

/// Returns the flags of the mount at `path` that this user may not clear: a remount must repeat
/// them.
unsigned long kept_flags(const char* path) {
  struct statvfs about {};
  if (statvfs(path, &about) != 0) return 0;
  unsigned long flags = 0;
  if (about.f_flag & ST_NOEXEC) flags |= MS_NOEXEC;
  if (about.f_flag & ST_NOATIME) flags |= MS_NOATIME;
  if (about.f_flag & ST_NODIRATIME) flags |= MS_NODIRATIME;
  if (about.f_flag & ST_RELATIME) flags |= MS_RELATIME;
  return flags;
}

/// Mounts `from` at `path`, with everything mounted below it. Mounts below get the same flags if
/// the kernel can set flags on a whole tree (5.12).
bool bind(const char* from, const char* path, unsigned long flags) {
  if (mount(from, path, nullptr, MS_BIND | MS_REC, nullptr) != 0) return false;
  struct {
    std::uint64_t set, clear, propagation, user_namespace;
  } const attributes{MS_NOSUID | flags, 0, 0, 0};  // the first four flags have the same values
  constexpr long kMountSetattr = 442;
  if (syscall(kMountSetattr, AT_FDCWD, path, AT_RECURSIVE, &attributes, sizeof(attributes)) == 0) {
    return true;
  }
  return mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_NOSUID | flags | kept_flags(path),
               nullptr) == 0;
}

bool do_step(const MountStep& step) {
  using Kind = MountStep::Kind;
  const char* const path = step.path.c_str();
  switch (step.kind) {
    case Kind::folder:
      return mkdir(path, 0755) == 0 || errno == EEXIST;
    case Kind::link:
      return symlink(step.target.c_str(), path) == 0 || errno == EEXIST;
    case Kind::file: {
      const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      return fd >= 0 && close(fd) == 0;
    }
    case Kind::bind_read:
      return bind(step.target.c_str(), path, MS_RDONLY | MS_NODEV | MS_NOEXEC);
    case Kind::bind_execute:
      return bind(step.target.c_str(), path, MS_RDONLY | MS_NODEV);
    case Kind::bind_write:
      return bind(step.target.c_str(), path, MS_NODEV | MS_NOEXEC);
    case Kind::memory: {
      constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
      return mount("tmpfs", path, "tmpfs", kFlags, step.target.c_str()) == 0;
    }
    case Kind::bind_device:
      return bind(step.target.c_str(), path, MS_NOEXEC);
  }
  return false;
}

void build_root(const Plan& plan) {
  require(enter_empty_root(plan.tmpfs_options.c_str()), plan, "an empty root");
  for (const MountStep& step : plan.mounts) require(do_step(step), plan, step.path.c_str());
  if (plan.machine.fresh_proc) require(mount_fresh_proc("/proc"), plan, "/proc");
  require(umount2(kOldRoot, MNT_DETACH) == 0 && rmdir(kOldRoot) == 0, plan, "leaving the old root");
  const unsigned long read_only = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV;
  require(mount(nullptr, "/", nullptr, read_only, nullptr) == 0, plan, "a read-only root");
}

// --- the command's own process -----------------------------------------------------------------

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool limit(__rlimit_resource_t what, std::uint64_t most) {
  rlimit current{};
  if (getrlimit(what, &current) != 0) return false;
  const rlim_t value = std::min<rlim_t>(most, current.rlim_max);
  const rlimit both{value, value};
  return setrlimit(what, &both) == 0;
}

/// Sets limits as a second line of defence: the keeper watches CPU, memory and processes, and
/// reports why it ends a command.
bool set_limits(const Plan& plan) {
  const Limits& limits = plan.limits;
  constexpr std::int64_t kMillisecondsASecond = 1000;
  constexpr std::uint64_t kRoomForStacks = std::uint64_t{1} << 30;
  const auto seconds = static_cast<std::uint64_t>(limits.cpu.count() / kMillisecondsASecond) + 2;
  return limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, seconds) &&
         limit(RLIMIT_FSIZE, limits.file_bytes) && limit(RLIMIT_MEMLOCK, 0) &&
         limit(RLIMIT_MSGQUEUE, 0) && limit(RLIMIT_SIGPENDING, 1024) &&
         limit(RLIMIT_DATA, 2 * limits.memory_bytes + kRoomForStacks) &&
         limit(RLIMIT_NOFILE, static_cast<std::uint64_t>(limits.open_files)) &&
         (plan.most_processes == 0 ||
          limit(RLIMIT_NPROC, static_cast<std::uint64_t>(plan.most_processes)));
}

/// Descriptors that stay open until exec tell the keeper that the command has not started yet.
void close_on_exec_from(int first) {
  constexpr unsigned kCloseOnExec = 1U << 2;
  if (syscall(SYS_close_range, first, ~0U, kCloseOnExec) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);
  for (int fd = first; fd < most; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// Moves the plan's descriptors to their numbers; exec closes all others.
bool arrange_descriptors(Plan& plan) {
  constexpr int kAside = kMostHandedOn;
  int highest = 2;
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
    plan.moved[i] = fcntl(plan.descriptors[i].second, F_DUPFD_CLOEXEC, kAside);
    if (plan.moved[i] < 0) return false;
    highest = std::max(highest, plan.descriptors[i].first);
  }
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i) {
    if (dup2(plan.moved[i], plan.descriptors[i].first) < 0) return false;
  }
  for (int fd = 0; fd <= highest; ++fd) {
    const auto is_it = [fd](const auto& pair) { return pair.first == fd; };
    if (std::none_of(plan.descriptors.begin(), plan.descriptors.end(), is_it)) {
      fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
  }
  close_on_exec_from(highest + 1);
  return true;
}

/// Drops all capabilities, for every program executed from now on.
void drop_capabilities() {
  int capability = 0;
  while (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0) {
    prctl(PR_CAPBSET_DROP, capability++, 0, 0, 0);
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

bool drop_held_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  return syscall(SYS_capset, &header, none) == 0;
}

bool install_filter(Plan& plan) {
  const auto own = static_cast<std::uint32_t>(getpid());
  for (sock_filter& instruction : plan.filter) {
    if (instruction.k == kOwnProcess) instruction.k = own;
  }
  const sock_fprog program{static_cast<unsigned short>(plan.filter.size()), plan.filter.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

[[noreturn]] void become_command(Plan& plan, int out, int err) {
  setsid();
  reset_signals();
  umask(022);
  for (auto& [number, descriptor] : plan.descriptors) {
    if (descriptor == kOutput) descriptor = out;
    if (descriptor == kErrors) descriptor = err;
  }
  require(arrange_descriptors(plan), plan, "handing on descriptors");
  require(set_limits(plan), plan, "setting limits");
  drop_capabilities();
  if (plan.machine.other_user) require(become_user(plan.user), plan, "becoming another user");
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  // changing the user cleared the setting
  require(chdir(plan.writable.c_str()) == 0, plan, "entering the writable folder");
  require(drop_held_capabilities(), plan, "giving up capabilities");
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, plan, "no new privileges");
  if (plan.machine.landlock > 0) require(confine_by_landlock(plan), plan, "Landlock");
  plan.report->started = true;
  if (plan.machine.system_calls) require(install_filter(plan), plan, "the system call filter");
  execve(plan.argv.front(), plan.argv.data(), plan.envp.data());
  plan.report->started = false;
  require(false, plan, plan.argv.front());
  _exit(1);
}

/// Copies the files out. Every other process has ended, so nothing changes them meanwhile.
void bring_out(const Plan& plan, int folder) {
  constexpr uid_t kNoOwner = -1;
  kill(-1, SIGKILL);
  while (wait4(-1, nullptr, 0, nullptr) > 0 || errno == EINTR) continue;
  copy_folder(folder, plan.folder, plan.limits.folder_bytes, kNoOwner);
}

/// Fills the folder in memory from the caller's folder.
int bring_in(const Plan& plan) {
  constexpr uid_t kNoOwner = -1;
  const int folder = open(plan.writable.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  require(folder >= 0, plan, "the writable folder");
  const uid_t owner = plan.machine.other_user ? plan.user : kNoOwner;
  copy_folder(plan.folder, folder, plan.limits.folder_bytes, owner);
  if (plan.machine.other_user) {
    require(fchown(folder, owner, owner) == 0, plan, "giving the writable folder away");
  }
  return folder;
}

/// Runs as the first process of a process namespace: waits for ended processes, and exits when the
/// command has ended. The kernel then ends all other processes of the namespace.
///
/// @param folder  the writable folder in memory, or -1
[[noreturn]] void be_first_process(Plan& plan, pid_t command, int folder) {
  std::array own{plan.folder, folder};
  close_all_but(own.data(), own.size());
  for (;;) {
    int status = 0;
    rusage usage{};
    const pid_t ended = wait4(-1, &status, 0, &usage);
    if (ended == command) {
      plan.report->wait_status = status;
      plan.report->usage = usage;
      plan.report->ended = true;
      if (folder >= 0) bring_out(plan, folder);
      _exit(0);
    }
    if (ended < 0 && errno != EINTR) _exit(1);
  }
}

}  // namespace

void note_failure(KeeperReport& report, const char* step) {
  if (report.failed_error != 0) return;
  report.failed_error = errno == 0 ? EINVAL : errno;
  std::strncpy(report.failed_step.data(), step, report.failed_step.size() - 1);
}

namespace {

void close_between(int first, int last) {
  const auto highest = static_cast<unsigned>(last);
  if (syscall(SYS_close_range, first, highest, 0) == 0) return;
  const int most = static_cast<int>(std::min<long>(last, sysconf(_SC_OPEN_MAX)));
  for (int fd = first; fd <= most; ++fd) close(fd);
}

}  // namespace

void close_all_but(int* kept, std::size_t count) {
  std::sort(kept, kept + count);
  int next = 0;
  for (const int* fd = kept; fd != kept + count; ++fd) {
    if (*fd > next) close_between(next, *fd - 1);
    next = std::max(next, *fd + 1);
  }
  close_between(next, INT_MAX);
}

pid_t start_inside(Plan& plan, int out, int err) {
  const pid_t child = fork_into(plan.namespaces);
  if (child != 0) return child;

  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (plan.machine.user_namespace) {
    require(map_user(plan.user_map.c_str(), plan.group_map.c_str()), plan, "a user namespace");
  }
  if (plan.machine.mount_namespace) build_root(plan);
  const int folder = plan.folder_in_memory ? bring_in(plan) : -1;
  if (plan.machine.process_namespace) {
    // vfork, because the memory need not be copied: this process waits until exec.
    const pid_t command = vfork();
    require(command >= 0, plan, "fork");
    if (command != 0) be_first_process(plan, command, folder);
  }
  become_command(plan, out, err);
}

}  // namespace coursework::inner
