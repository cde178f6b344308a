// Tries one thing that a sandbox must prevent: hostile_program ATTACK [ARGUMENTS].
//
// Exit status: 42 if the attack succeeded; 0 if it was refused. Some attacks never end by
// themselves.
#include <fcntl.h>
#include <grp.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tools/coursework/sandbox/seal.hpp"

namespace {

constexpr int kBreach = 42;
constexpr int kRefused = 0;
constexpr std::size_t kMiB = std::size_t{1} << 20;

using Arguments = std::vector<std::string>;

int verdict(bool breach) { return breach ? kBreach : kRefused; }

bool can_open(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags, 0644);
  if (fd < 0) return false;
  char byte = 0;
  const bool used = (flags & O_ACCMODE) != O_RDONLY || read(fd, &byte, 1) >= 0;
  close(fd);
  return used;
}

int read_file(const Arguments& a) { return verdict(can_open(a.at(0), O_RDONLY)); }
int write_file(const Arguments& a) { return verdict(can_open(a.at(0), O_WRONLY | O_CREAT)); }

int make_socket(const Arguments&) {
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK}) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
      if (socket(family, type, 0) >= 0) return kBreach;
    }
  }
  int ends[2];
  return verdict(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}

int start_process(const Arguments&) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) return kBreach;
  const long raw = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0);
  if (raw == 0) _exit(0);
  if (raw > 0) return kBreach;
  const pid_t borrowed = vfork();
  if (borrowed == 0) _exit(0);
  return verdict(borrowed > 0);
}

[[noreturn]] void fork_for_ever() {
  for (;;) fork();
}
int fork_bomb(const Arguments&) { fork_for_ever(); }

/// Forks from every thread; ignores SIGCHLD, so that CPU times are not passed to the parent.
int thread_fork_bomb(const Arguments&) {
  signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 4; ++i) {
    std::thread([] {
      for (;;) {
        if (fork() == 0) fork_for_ever();
      }
    }).detach();
  }
  for (;;) pause();
}

/// Leaves a daemon behind that writes into the folder forever, and exits.
int daemon(const Arguments& a) {
  for (const int number : {SIGHUP, SIGTERM, SIGINT}) signal(number, SIG_IGN);
  if (fork() != 0) return kRefused;
  setsid();
  if (fork() != 0) _exit(0);
  for (;;) {
    std::ofstream(a.at(0), std::ios::app) << "alive\n";
    usleep(1000);
  }
}

/// Ignores all signals that can be ignored, and waits.
int ignore_signals(const Arguments&) {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_IGN);
  for (;;) pause();
}

int memory_bomb(const Arguments&) {
  for (;;) {
    void* const memory =
        mmap(nullptr, 16 * kMiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) continue;
    std::memset(memory, 1, 16 * kMiB);
  }
}

int shared_memory_bomb(const Arguments&) {
  for (;;) {
    void* const memory =
        mmap(nullptr, 16 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) continue;
    std::memset(memory, 1, 16 * kMiB);
  }
}

/// Starts several processes that take little memory each.
int many_memory_bombs(const Arguments&) {
  for (int i = 0; i < 7; ++i) {
    if (fork() == 0) break;
  }
  std::vector<char> memory(24 * kMiB, 1);
  // A compiler may remove memory that is never read.
  for (const volatile char* const used = memory.data();;) {
    if (*used == 0) return 1;
    pause();
  }
}

[[noreturn]] void burn() {
  volatile bool on = true;
  while (on) continue;
  _exit(1);
}

int cpu_loop(const Arguments&) {
  signal(SIGXCPU, SIG_IGN);
  burn();
}

int many_cpu_loops(const Arguments&) {
  for (int i = 0; i < 3; ++i) {
    if (fork() == 0) break;
  }
  burn();
}

int sleep_for_ever(const Arguments&) {
  for (;;) pause();
}

int flood_output(const Arguments&) {
  const std::string line(1 << 16, 'x');
  for (int i = 0; i < 1000; ++i) {
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return kRefused;
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return kRefused;
  }
  return kRefused;
}

/// Writes until refused; a breach if a file grows beyond the given number of MiB.
int large_file(const Arguments& a) {
  signal(SIGXFSZ, SIG_IGN);
  const std::size_t most = std::stoul(a.at(1));
  const int fd = open(a.at(0).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const std::string block(kMiB, 'x');
  for (std::size_t written = 0; written <= most; ++written) {
    if (write(fd, block.data(), block.size()) < static_cast<ssize_t>(block.size())) return kRefused;
  }
  return kBreach;
}

/// Fills the folder with files of 1 MiB, half of them deleted while they are open.
int many_files(const Arguments& a) {
  const std::size_t most = std::stoul(a.at(1));
  const std::string block(kMiB, 'x');
  for (std::size_t i = 0; i <= most; ++i) {
    const std::string name = a.at(0) + "/" + std::to_string(i);
    const int fd = open(name.c_str(), O_WRONLY | O_CREAT, 0644);
    if (write(fd, block.data(), block.size()) < static_cast<ssize_t>(block.size())) return kRefused;
    if (i % 2 == 0)
      unlink(name.c_str());
    else
      close(fd);
  }
  return kBreach;
}

/// Signals all processes within reach; being killed by its own signal is not a breach.
int kill_all(const Arguments& a) {
  const pid_t judge = std::stoi(a.at(0));
  bool reached = false;
  for (const pid_t target : {judge, getppid()}) {
    if (target <= 1) continue;
    reached = reached || kill(target, 0) == 0 || syscall(SYS_tkill, target, 0) == 0 ||
              syscall(SYS_tgkill, target, target, 0) == 0;
    const long handle = syscall(SYS_pidfd_open, target, 0);
    reached = reached || (handle >= 0 && syscall(SYS_pidfd_send_signal, handle, 0, 0, 0) == 0);
  }
  if (reached) return kBreach;
  kill(-1, SIGKILL);
  return kRefused;
}

/// Sends SIGIO by setting a pipe's owner.
int signal_by_owner(const Arguments& a) {
  int ends[2];
  if (pipe(ends) != 0) return kRefused;
  return verdict(fcntl(ends[0], F_SETOWN, std::stoi(a.at(0))) == 0);
}

int trace(const Arguments& a) {
  const pid_t judge = std::stoi(a.at(0));
  for (const pid_t target : {judge, getppid()}) {
    if (ptrace(PTRACE_ATTACH, target, nullptr, nullptr) == 0) return kBreach;
    if (ptrace(PTRACE_SEIZE, target, nullptr, nullptr) == 0) return kBreach;
  }
  return kRefused;
}

int read_memory(const Arguments& a) {
  const pid_t judge = std::stoi(a.at(0));
  for (const pid_t target : {judge, getppid(), pid_t{1}}) {
    char byte = 0;
    iovec here{&byte, 1}, there{reinterpret_cast<void*>(std::stoul(a.at(1))), 1};
    if (process_vm_readv(target, &here, 1, &there, 1, 0) > 0) return kBreach;
    const std::string folder = "/proc/" + std::to_string(target);
    for (const char* file : {"/mem", "/environ", "/maps", "/fd/0"}) {
      if (can_open(folder + file, O_RDONLY)) return kBreach;
    }
    if (can_open(folder + "/mem", O_WRONLY)) return kBreach;
  }
  return kRefused;
}

/// Links a name inside the folder to a file outside, which the grader would then read.
int link_out(const Arguments& a) {
  const std::string inside = a.at(1) + "/link";
  if (link(a.at(0).c_str(), inside.c_str()) == 0) return kBreach;
  if (symlink(a.at(0).c_str(), inside.c_str()) == 0) return kBreach;
  return verdict(linkat(AT_FDCWD, a.at(0).c_str(), AT_FDCWD, inside.c_str(), AT_SYMLINK_FOLLOW) ==
                 0);
}

int rename_out(const Arguments& a) {
  const std::string inside = a.at(1) + "/mine";
  std::ofstream(inside) << "mine\n";
  if (rename(a.at(0).c_str(), (a.at(1) + "/stolen").c_str()) == 0) return kBreach;
  return verdict(rename(inside.c_str(), a.at(0).c_str()) == 0);
}

/// Tries to replace its own folder.
int replace_folder(const Arguments& a) {
  return verdict(rename(a.at(0).c_str(), (a.at(0) + ".moved").c_str()) == 0);
}

/// Tries the classic escape from a chroot, and entering new namespaces.
int escape_root(const Arguments& a) {
  mkdir("jail", 0755);
  const bool changed = chroot("jail") == 0;
  for (int i = 0; i < 32; ++i) (void)!chdir("..");
  if (changed) return kBreach;
  if (can_open("." + a.at(0), O_RDONLY) || can_open("/proc/1/root" + a.at(0), O_RDONLY) ||
      can_open("/proc/self/root" + a.at(0), O_RDONLY)) {
    return kBreach;
  }
  return kRefused;
}

int forbidden_calls(const Arguments&) {
  std::string breaches;
  const auto call = [&](const char* name, long result) {
    if (result >= 0 || (errno != EPERM && errno != ENOSYS)) breaches += std::string(" ") + name;
  };
  char buffer[512] = {};
  perf_event_attr counting{};
  counting.size = sizeof(counting);
  call("unshare", unshare(CLONE_NEWUSER));
  call("setns", setns(0, 0));
  call("mount", mount("none", "/", "tmpfs", 0, nullptr));
  call("umount2", umount2("/", MNT_DETACH));
  call("pivot_root", syscall(SYS_pivot_root, ".", "."));
  call("chroot", chroot("."));
  call("ptrace", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
  call("keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
  call("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
  call("bpf", syscall(SYS_bpf, 0, buffer, sizeof(buffer)));
  call("userfaultfd", syscall(SYS_userfaultfd, 0));
  call("io_uring_setup", syscall(SYS_io_uring_setup, 1, buffer));
  call("perf_event_open", syscall(SYS_perf_event_open, &counting, 0, -1, -1, 0));
  call("memfd_create", syscall(SYS_memfd_create, "a", 0));
  call("shmget", syscall(SYS_shmget, 0, 4096, 01600));
  call("msgget", syscall(SYS_msgget, 0, 01600));
  call("mq_open", syscall(SYS_mq_open, "a", O_CREAT | O_RDWR, 0600, nullptr));
  call("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, ".", buffer, buffer, 0));
  call("personality", syscall(SYS_personality, 0x0040000));
  call("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
  call("mknod", mknod("device", S_IFCHR | 0666, 0));
  call("mkfifo", mknod("fifo", S_IFIFO | 0666, 0));
  call("setuid", setuid(0));
  call("setgroups", setgroups(0, nullptr));
  call("setpriority", setpriority(PRIO_USER, 0, 19));
  call("clone3", syscall(SYS_clone3, buffer, 64));
  call("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, 0));
  rlimit limit{1, 1};
  call("prlimit", prlimit(getppid(), RLIMIT_CPU, &limit, nullptr));
  std::cout << breaches;
  return verdict(!breaches.empty());
}

/// Makes system calls by i386 numbers, which mean other calls: 359 is socket there.
int old_call_gate(const Arguments&) {
#ifdef __x86_64__
  long result = -1;
  asm volatile("int $0x80" : "=a"(result) : "a"(359), "b"(AF_UNIX), "c"(SOCK_STREAM), "d"(0));
  return verdict(result >= 0);
#else
  return kRefused;
#endif
}

/// Makes system calls by the numbers for programs with short pointers (x32).
int short_pointers(const Arguments&) {
  constexpr long kX32 = 0x40000000;
  return verdict(syscall(kX32 + SYS_getpid) > 0);
}

int execute(const Arguments& a) {
  execl(a.at(0).c_str(), a.at(0).c_str(), a.size() > 1 ? a.at(1).c_str() : nullptr, nullptr);
  return kRefused;
}

/// Executes a copy of itself from the writable folder.
int execute_written(const Arguments& a) {
  const std::string program = a.at(0) + "/own";
  {
    std::ifstream self(a.at(1), std::ios::binary);
    std::ofstream(program, std::ios::binary) << self.rdbuf();
  }
  chmod(program.c_str(), 0755);
  execl(program.c_str(), program.c_str(), "breach", nullptr);
  return kRefused;
}

int breach(const Arguments&) { return kBreach; }

int is_root(const Arguments&) { return verdict(geteuid() == 0 || getegid() == 0); }

int has_capability(const Arguments&) {
  for (int capability = 0; capability < 41; ++capability) {
    struct {
      unsigned version;
      int process;
    } header{0x20080522, 0};
    unsigned data[6] = {};
    syscall(SYS_capget, &header, data);
    if (data[0] != 0 || data[3] != 0) return kBreach;
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    const bool held = line.rfind("CapPrm:", 0) == 0 || line.rfind("CapEff:", 0) == 0;
    if (held && line.find_first_not_of("0\t", 7) != std::string::npos) return kBreach;
  }
  return kRefused;
}

int close_everything(const Arguments&) {
  for (int fd = 0; fd < 4096; ++fd) close(fd);
  return kRefused;
}

/// Uses descriptors that were not passed on.
int inherited_descriptors(const Arguments& a) {
  const int expected = std::stoi(a.at(0));
  for (int fd = 3; fd < 4096; ++fd) {
    if (fd != expected && fcntl(fd, F_GETFD) >= 0) return kBreach;
  }
  return kRefused;
}

int show_environment(const Arguments&) {
  for (char** entry = environ; *entry != nullptr; ++entry) std::cout << *entry << "\n";
  return kRefused;
}

int crash(const Arguments&) { abort(); }

int dump_core(const Arguments&) {
  rlimit core{};
  getrlimit(RLIMIT_CORE, &core);
  return verdict(core.rlim_max != 0);
}

/// Seals itself, then tries all that it could do before, from an old thread and a new one.
int break_seal(const Arguments& a) {
  std::string breaches;
  const auto attempt = [&](const char* name, bool succeeded) {
    if (succeeded) breaches += std::string(" ") + name;
  };
  const auto attempt_everything = [&] {
    attempt("read", can_open(a.at(0), O_RDONLY));
    attempt("write", can_open("sealed", O_WRONLY | O_CREAT));
    attempt("unlink", unlink("before") == 0);
    attempt("socket", make_socket({}) == kBreach);
    attempt("fork", start_process({}) == kBreach);
    attempt("executable memory", mmap(nullptr, kMiB, PROT_READ | PROT_EXEC,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    attempt("exec", execl("/bin/true", "true", nullptr) == 0);
    attempt("signal", kill(getppid(), 0) == 0);
  };
  std::ofstream("before") << "x";
  if (!can_open(a.at(0), O_RDONLY)) return 3;  // otherwise nothing is sealed
  std::atomic<bool> is_sealed = false;
  std::thread earlier([&] {
    while (!is_sealed) std::this_thread::yield();
    attempt_everything();
  });
  if (!coursework::seal_process()) return 4;
  is_sealed = true;
  earlier.join();
  std::thread(attempt_everything).join();
  std::vector<char> memory(64 * kMiB, 1);
  std::cout << breaches;
  return verdict(!breaches.empty());
}

/// An honest program: uses threads, memory, a file of its own, and a descriptor.
int honest(const Arguments& a) {
  std::vector<std::thread> threads;
  std::vector<int> sums(4, 0);
  for (int& sum : sums) {
    threads.emplace_back([&sum] {
      std::vector<int> values(1 << 20, 1);
      for (const int value : values) sum += value;
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::ofstream(a.at(0) + "/result.txt") << sums[0] + sums[3] << "\n";
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::cout << "out\n";
  std::cerr << "err\n";
  return 7;
}

/// Answers each line on descriptor 3 with the same line on descriptor 4.
int echo(const Arguments&) {
  char byte = 0;
  while (read(3, &byte, 1) == 1) {
    if (write(4, &byte, 1) != 1) return 1;
  }
  return 0;
}

const std::map<std::string, std::function<int(const Arguments&)>> kAttacks = {
    {"read", read_file},
    {"write", write_file},
    {"socket", make_socket},
    {"start_process", start_process},
    {"fork_bomb", fork_bomb},
    {"thread_fork_bomb", thread_fork_bomb},
    {"daemon", daemon},
    {"ignore_signals", ignore_signals},
    {"memory_bomb", memory_bomb},
    {"shared_memory_bomb", shared_memory_bomb},
    {"many_memory_bombs", many_memory_bombs},
    {"cpu_loop", cpu_loop},
    {"many_cpu_loops", many_cpu_loops},
    {"sleep", sleep_for_ever},
    {"flood_output", flood_output},
    {"large_file", large_file},
    {"many_files", many_files},
    {"kill_all", kill_all},
    {"signal_by_owner", signal_by_owner},
    {"trace", trace},
    {"read_memory", read_memory},
    {"link_out", link_out},
    {"rename_out", rename_out},
    {"replace_folder", replace_folder},
    {"escape_root", escape_root},
    {"forbidden_calls", forbidden_calls},
    {"old_call_gate", old_call_gate},
    {"short_pointers", short_pointers},
    {"execute", execute},
    {"execute_written", execute_written},
    {"breach", breach},
    {"is_root", is_root},
    {"has_capability", has_capability},
    {"close_everything", close_everything},
    {"inherited_descriptors", inherited_descriptors},
    {"environment", show_environment},
    {"crash", crash},
    {"dump_core", dump_core},
    {"break_seal", break_seal},
    {"honest", honest},
    {"echo", echo},
};

}  // namespace

int main(int argc, char** argv) {
  const auto attack = kAttacks.find(argc > 1 ? argv[1] : "");
  if (attack == kAttacks.end()) {
    std::cerr << "there is no such attack\n";
    return 2;
  }
  return attack->second(Arguments(argv + 2, argv + argc));
}
