#include "tools/coursework/sandbox/keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "tools/coursework/sandbox/descendants.hpp"
#include "tools/coursework/sandbox/folder.hpp"
#include "tools/coursework/sandbox/inside.hpp"
#include "tools/coursework/sandbox/machine.hpp"

namespace coursework::inner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{10};
constexpr std::chrono::milliseconds kFolderTick{50};
constexpr std::chrono::seconds kLongestEnding{10};
constexpr int kFirst = -20;  // the highest priority
constexpr std::size_t kMostReadAtOnce = std::size_t{1} << 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One output stream. Keeps the text up to the limit, and discards the rest.
class Stream {
 public:
  Stream(int fd, char* text, std::uint64_t& bytes, std::uint64_t most, bool& cut)
      : fd_(fd), text_(text), bytes_(bytes), most_(most), cut_(cut) {
    fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  int fd() const { return fd_; }

  /// Reads available bytes, a limited number at a time; closes the stream at its end.
  void read_some() {
    static std::array<char, std::size_t{1} << 16> dropped;
    for (std::size_t total = 0; fd_ >= 0 && total < kMostReadAtOnce;) {
      const bool full = bytes_ >= most_;
      const ssize_t count = full ? read(fd_, dropped.data(), dropped.size())
                                 : read(fd_, text_ + bytes_, most_ - bytes_);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) return;
      if (count <= 0) {
        close(fd_);
        fd_ = -1;
        return;
      }
      total += static_cast<std::size_t>(count);
      if (full)
        cut_ = true;
      else
        bytes_ += static_cast<std::uint64_t>(count);
    }
  }

 private:
  int fd_;
  char* text_;
  std::uint64_t& bytes_;
  std::uint64_t most_;
  bool& cut_;
};

struct Pipe {
  int read_end = -1, write_end = -1;
};

Pipe make_pipe(Plan& plan) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    note_failure(*plan.report, "making a pipe");
    plan.report->finished = true;
    _exit(1);
  }
  return {ends[0], ends[1]};
}

class Keeper {
 public:
  explicit Keeper(Plan& plan)
      : plan_(plan),
        report_(*plan.report),
        out_pipe_(make_pipe(plan)),
        err_pipe_(make_pipe(plan)),
        executed_(make_pipe(plan)),
        out_(out_pipe_.read_end, plan.out_text, report_.out_bytes, plan.limits.output_bytes,
             report_.output_cut),
        err_(err_pipe_.read_end, plan.err_text, report_.err_bytes, plan.limits.output_bytes,
             report_.output_cut) {
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    signals_ = signalfd(-1, &children, SFD_NONBLOCK | SFD_CLOEXEC);
  }

  void run() {
    first_ = start_inside(plan_, out_pipe_.write_end, err_pipe_.write_end);
    if (first_ < 0) {
      note_failure(report_, "starting a process");
      return;
    }
    keep_only_own_descriptors();
    while (!first_ended_ && stopped_ == kNotStopped) turn();
    end_everything();
    out_.read_some();
    err_.read_some();
    report_.wall_seconds = seconds_since(start_);
    judge();
  }

 private:
  static constexpr int kNotStopped = -1;

  void keep_only_own_descriptors() {
    std::array own{plan_.control, plan_.done, plan_.folder,      out_.fd(),
                   err_.fd(),     signals_,   executed_.read_end};
    close_all_but(own.data(), own.size());
  }

  /// Waits for an event, at most until resource use is measured next.
  void turn() {
    std::array<pollfd, 5> watched{pollfd{plan_.control, POLLIN, 0}, pollfd{signals_, POLLIN, 0},
                                  pollfd{out_.fd(), POLLIN, 0}, pollfd{err_.fd(), POLLIN, 0},
                                  pollfd{executed_.read_end, POLLIN, 0}};
    poll(watched.data(), watched.size(), static_cast<int>(kTick.count()));
    if (watched[0].revents != 0) stop(End::killed);
    if (watched[2].revents != 0) out_.read_some();
    if (watched[3].revents != 0) err_.read_some();
    if (watched[4].revents != 0) {
      close(executed_.read_end);
      executed_.read_end = -1;
    }
    if (watched[1].revents != 0) {
      signalfd_siginfo about;
      while (read(signals_, &about, sizeof(about)) > 0) continue;
    }
    reap();
    if (first_ended_) return;
    if (Clock::now() - start_ >= plan_.limits.wall) stop(End::wall_limit);
    if (executed_.read_end < 0 && Clock::now() >= next_look_) look();
    if (!plan_.folder_in_memory && Clock::now() >= next_look_at_folder_) look_at_folder();
  }

  /// Compares the command's resource use with the limits.
  void look() {
    next_look_ = Clock::now() + kTick;
    list_descendants(plan_.machine.process_namespace ? first_ : getpid(), descendants_);
    const Use use = measure(descendants_);
    report_.peak_memory_bytes = std::max(report_.peak_memory_bytes, use.resident_bytes);
    const auto processes = static_cast<std::size_t>(plan_.limits.processes);
    const std::size_t counted = plan_.profile == Profile::run ? use.threads : use.processes;
    if (counted > processes) stop(End::process_limit);
    if (use.resident_bytes > plan_.limits.memory_bytes) stop(End::memory_limit);
    report_.cpu_seconds = std::max(report_.cpu_seconds, use.cpu_seconds + waited_for_seconds());
    if (report_.cpu_seconds >= cpu_limit_seconds()) stop(End::cpu_limit);
  }

  /// Measures the folder if it is on disk; a folder in memory has a limit of its own.
  void look_at_folder() {
    next_look_at_folder_ = Clock::now() + kFolderTick;
    if (bytes_in(plan_.folder) > plan_.limits.folder_bytes) stop(End::folder_limit);
  }

  double cpu_limit_seconds() const {
    return std::chrono::duration<double>(plan_.limits.cpu).count();
  }

  /// Returns the CPU time of ended descendants that this process has waited for.
  static double waited_for_seconds() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    constexpr double kMicro = 1e-6;
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * kMicro;
  }

  void stop(End why) {
    if (stopped_ == kNotStopped) stopped_ = static_cast<int>(why);
  }

  /// Waits for ended processes. Without a process namespace, the first process is the command.
  bool reap() {
    for (;;) {
      int status = 0;
      rusage usage{};
      const pid_t ended = wait4(-1, &status, WNOHANG, &usage);
      if (ended < 0 && errno == ECHILD) return false;
      if (ended <= 0) return true;
      if (ended != first_) continue;
      first_ended_ = true;
      if (plan_.machine.process_namespace) continue;
      report_.wait_status = status;
      report_.usage = usage;
      report_.ended = true;
    }
  }

  /// Kills all descendants. Orphans were re-parented to the keeper.
  void end_everything() {
    // Raises the priority, if permitted, above the processes to kill.
    setpriority(PRIO_PROCESS, 0, kFirst);
    const auto give_up = Clock::now() + kLongestEnding;
    while (Clock::now() < give_up) {
      if (first_ > 0 && !first_ended_) kill(first_, SIGKILL);
      if (!plan_.machine.process_namespace) kill_others();
      if (!reap()) return;
      out_.read_some();  // a full pipe must not block a process from ending
      err_.read_some();
      constexpr int kMillisecond = 1;
      poll(nullptr, 0, kMillisecond);
    }
  }

  /// Kills the other processes when there is no process namespace. Stops all of them before killing
  /// any: a stopped process cannot fork, yet still counts against the limit of processes, so no
  /// other process can take its place.
  void kill_others() {
    if (plan_.machine.other_user && plan_.user_is_its_own) {
      kill_user();
      return;
    }
    // A process id might have been reused, but the kernel does not reuse ids so soon.
    constexpr int kMostPasses = 100;
    for (std::size_t pass = 0, stopped = 0; pass < kMostPasses; ++pass) {
      list_descendants(getpid(), descendants_);
      if (descendants_.count == stopped) break;
      stopped = descendants_.count;
      signal_others(SIGSTOP);
    }
    signal_others(SIGKILL);
  }

  void signal_others(int signal) {
    for (std::size_t i = 0; i < descendants_.count; ++i) kill(descendants_.processes[i], signal);
  }

  /// Kills all processes of a user that only this sandbox uses, however fast they fork.
  void kill_user() const {
    const pid_t helper = fork();
    if (helper == 0) {
      if (become_user(plan_.user)) kill(-1, SIGKILL);
      _exit(0);
    }
    if (helper > 0) waitpid(helper, nullptr, 0);
  }

  void judge() {
    // Processes that end with their namespace are not always counted to the keeper.
    report_.cpu_seconds = std::max(report_.cpu_seconds, waited_for_seconds());
    if (report_.peak_memory_bytes == 0) {  // the command ended before the first measurement
      constexpr std::uint64_t kKiB = 1024;
      report_.peak_memory_bytes = static_cast<std::uint64_t>(report_.usage.ru_maxrss) * kKiB;
    }
    if (stopped_ != kNotStopped) {
      report_.end = static_cast<End>(stopped_);
    } else if (!report_.ended || !report_.started || report_.failed_error != 0) {
      errno = ECANCELED;
      note_failure(report_, "building the sandbox");
      report_.end = End::could_not_start;
    } else if (WIFEXITED(report_.wait_status)) {
      report_.end = End::exited;
    } else {
      const int number = WTERMSIG(report_.wait_status);
      const bool spent = report_.cpu_seconds >= cpu_limit_seconds();
      report_.end =
          spent && (number == SIGXCPU || number == SIGKILL) ? End::cpu_limit : End::signalled;
    }
  }

  Plan& plan_;
  KeeperReport& report_;
  Pipe out_pipe_, err_pipe_;
  Pipe executed_;  // closed on exec: end of file says that the command runs
  Stream out_, err_;
  int signals_ = -1;
  pid_t first_ = -1;
  bool first_ended_ = false;
  int stopped_ = kNotStopped;  // or a value of End
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_look_ = start_;
  Clock::time_point next_look_at_folder_ = start_;
  Descendants descendants_;
};

void become_keeper() {
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  // The new session receives no signals to the caller's group; all other signals are blocked.
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, nullptr);
}

}  // namespace

void keep(Plan& plan) {
  become_keeper();
  // Folders of the new root are for another user, whatever the caller's umask is.
  umask(S_IWGRP | S_IWOTH);
  // Static, because the list of descendants is too large for the stack.
  alignas(Keeper) static std::array<std::byte, sizeof(Keeper)> room;
  plan.folder = open(plan.writable.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  fchmod(plan.folder, S_IRWXU);
  if (plan.machine.other_user) plan.user = user_for(getpid());
  const bool lent = plan.machine.other_user && !plan.folder_in_memory;
  if (plan.folder < 0 || (lent && fchown(plan.folder, plan.user, plan.user) != 0)) {
    note_failure(*plan.report, plan.writable.c_str());
  } else {
    (new (room.data()) Keeper(plan))->run();
  }
  if (!plan.folder_in_memory && plan.folder >= 0) open_up(plan.folder);
  if (lent) (void)!fchown(plan.folder, geteuid(), getegid());
  plan.report->finished = true;
  _exit(0);
}

}  // namespace coursework::inner
