#include "tools/coursework/sandbox/filter.hpp"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

namespace coursework::inner {
namespace {

/// Calls that affect only the process itself and files that it has open or may open.
constexpr auto kAllowed = std::to_array<const char*>({
    // memory
    "brk",
    "madvise",
    "membarrier",
    "mincore",
    "mmap",
    "mprotect",
    "mremap",
    "msync",
    "munmap",
    // open files
    "close",
    "close_range",
    "copy_file_range",
    "dup",
    "dup2",
    "dup3",
    "fadvise64",
    "fallocate",
    "fchdir",
    "fchmod",
    "fdatasync",
    "flock",
    "fstat",
    "fstatfs",
    "fsync",
    "ftruncate",
    "getdents",
    "getdents64",
    "lseek",
    "pread64",
    "preadv",
    "preadv2",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "read",
    "readahead",
    "readv",
    "sendfile",
    "sync_file_range",
    "write",
    "writev",
    // files by name; other protections decide which
    "access",
    "chdir",
    "chmod",
    "creat",
    "faccessat",
    "faccessat2",
    "fchmodat",
    "getcwd",
    "lstat",
    "mkdir",
    "mkdirat",
    "newfstatat",
    "open",
    "openat",
    "openat2",
    "readlink",
    "readlinkat",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "stat",
    "statfs",
    "statx",
    "truncate",
    "umask",
    "unlink",
    "unlinkat",
    "utime",
    "utimensat",
    "utimes",
    // waiting
    "clock_nanosleep",
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_pwait",
    "epoll_wait",
    "eventfd",
    "eventfd2",
    "futex",
    "futex_waitv",
    "nanosleep",
    "pause",
    "pipe",
    "pipe2",
    "poll",
    "ppoll",
    "pselect6",
    "restart_syscall",
    "sched_yield",
    "select",
    // signals to itself
    "alarm",
    "getitimer",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "setitimer",
    "sigaltstack",
    // identity and time
    "clock_getres",
    "clock_gettime",
    "getcpu",
    "getegid",
    "geteuid",
    "getgid",
    "getgroups",
    "getpgid",
    "getpgrp",
    "getpid",
    "getppid",
    "getpriority",
    "getrandom",
    "getresgid",
    "getresuid",
    "getrlimit",
    "getrusage",
    "getsid",
    "gettid",
    "gettimeofday",
    "getuid",
    "sched_getaffinity",
    "sched_getparam",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "sched_getscheduler",
    "sysinfo",
    "time",
    "times",
    "uname",
    // its own threads, exit, further filters
    "arch_prctl",
    "execve",
    "execveat",
    "exit",
    "exit_group",
    "get_robust_list",
    "rseq",
    "seccomp",
    "set_robust_list",
    "setrlimit",
    "set_tid_address",
    "wait4",
    "waitid",
});

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release) {
    if (!context_) throw std::runtime_error("libseccomp cannot make a filter");
    // A search tree: the cost of a call does not grow with the length of the list.
    check(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2), "optimise");
  }

  void allow(const char* name) { add(SCMP_ACT_ALLOW, name, {}); }
  void allow(const char* name, scmp_arg_cmp argument) { add(SCMP_ACT_ALLOW, name, {argument}); }
  void refuse(const char* name, int error) {
    add(SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error)), name, {});
  }

  std::vector<sock_filter> program() const {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "pipe2");
    }
    // A pipe holds 64 KiB, eight times the size of this filter.
    const int exported = seccomp_export_bpf(context_.get(), ends[1]);
    close(ends[1]);
    std::vector<sock_filter> instructions(BPF_MAXINSNS);
    const ssize_t bytes = read(ends[0], instructions.data(), BPF_MAXINSNS * sizeof(sock_filter));
    close(ends[0]);
    check(exported, "export");
    if (bytes <= 0) throw std::runtime_error("libseccomp made an empty filter");
    instructions.resize(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    return instructions;
  }

 private:
  static void check(int result, const char* what) {
    if (result == 0) return;
    throw std::system_error(-result, std::generic_category(), std::string("libseccomp: ") + what);
  }

  void add(std::uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> arguments) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number < 0) return;  // unknown to this architecture, or to an older library
    check(seccomp_rule_add_array(context_.get(), action, number,
                                 static_cast<unsigned>(arguments.size()), arguments.begin()),
          name);
  }

  std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

/// Allows some calls with certain arguments only; with others they would affect other processes.
void allow_in_part(Filter& filter) {
  for (const unsigned command : {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK,
                                 F_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ}) {
    filter.allow("fcntl", SCMP_A1_32(SCMP_CMP_EQ, command));
  }
  for (const unsigned request : {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX, FIONBIO}) {
    filter.allow("ioctl", SCMP_A1_32(SCMP_CMP_EQ, request));
  }
  constexpr unsigned kSetVma = 0x53564d41;  // names a mapping; glibc does for threads' stacks
  for (const unsigned option : {unsigned{PR_SET_NAME}, unsigned{PR_GET_NAME}, kSetVma,
                                unsigned{PR_SET_NO_NEW_PRIVS}, unsigned{PR_SET_SECCOMP}}) {
    filter.allow("prctl", SCMP_A0_32(SCMP_CMP_EQ, option));
  }
  filter.allow("prlimit64", SCMP_A0_32(SCMP_CMP_EQ, 0));
  filter.allow("tgkill", SCMP_A0_32(SCMP_CMP_EQ, kOwnProcess));
  filter.allow("kill", SCMP_A0_32(SCMP_CMP_EQ, kOwnProcess));
}

/// Allows new threads and processes. clone3 keeps its flags in memory, where no filter can read
/// them; if clone3 is refused, glibc falls back to clone.
void allow_cloning(Filter& filter, Profile profile) {
  constexpr std::uint64_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                           CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                           CLONE_NEWNET;
  constexpr std::uint64_t kRefused = kNewNamespaces | CLONE_PARENT | CLONE_PTRACE;
  filter.refuse("clone3", ENOSYS);
  if (profile == Profile::compile) {
    filter.allow("fork");
    filter.allow("vfork");
    filter.allow("clone", SCMP_A0_64(SCMP_CMP_MASKED_EQ, kRefused, 0));
  } else {
    constexpr std::uint64_t kThread = CLONE_THREAD;
    filter.allow("clone", SCMP_A0_64(SCMP_CMP_MASKED_EQ, kRefused | kThread, kThread));
  }
}

}  // namespace

std::vector<sock_filter> system_call_filter(Profile profile) {
  Filter filter;
  for (const char* name : kAllowed) filter.allow(name);
  allow_in_part(filter);
  allow_cloning(filter, profile);
  return filter.program();
}

}  // namespace coursework::inner
