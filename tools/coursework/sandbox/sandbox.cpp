#include "tools/coursework/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "tools/coursework/sandbox/keeper.hpp"
#include "tools/coursework/sandbox/policy.hpp"

namespace coursework {
namespace {

using Clock = std::chrono::steady_clock;

/// Time for the keeper to end all processes after the limit of wall time.
constexpr std::chrono::seconds kLongestEnding{30};

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A file descriptor that is closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  void set(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

void make_pipe(Descriptor& read_end, Descriptor& write_end) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_errno("pipe2");
  read_end.set(ends[0]);
  write_end.set(ends[1]);
}

/// Memory that the keeper writes and the caller reads.
class Shared {
 public:
  explicit Shared(std::uint64_t output_bytes)
      : output_bytes_(output_bytes), bytes_(kTextsBegin + 2 * output_bytes) {
    constexpr int kFlags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (memory_ == MAP_FAILED) throw_errno("memory for a command's output");
  }
  ~Shared() { munmap(memory_, bytes_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  inner::KeeperReport& report() const { return *static_cast<inner::KeeperReport*>(memory_); }
  char* out() const { return static_cast<char*>(memory_) + kTextsBegin; }
  char* err() const { return out() + output_bytes_; }

 private:
  static constexpr std::size_t kTextsBegin = 4096;
  static_assert(sizeof(inner::KeeperReport) <= kTextsBegin);

  std::uint64_t output_bytes_;
  std::size_t bytes_;
  void* memory_;
};

/// Protects the calling process from effects of the command.
void protect_this_process() {
  struct sigaction current {};
  if (sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) {
    signal(SIGPIPE, SIG_IGN);
  }
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  constexpr std::int64_t kAnHour = 3'600'000;
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, kAnHour));
}

/// Returns true when the other end is closed, false at the deadline.
bool wait_for_end(int fd, Clock::time_point deadline) {
  for (;;) {
    pollfd watched{fd, POLLIN, 0};
    const int ready = poll(&watched, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready == 0 && Clock::now() >= deadline) return false;
    if (ready < 0 && errno != EINTR) throw_errno("poll");
  }
}

Result could_not_start(std::string message) {
  Result result;
  result.message = std::move(message);
  return result;
}

Result result_of(const Shared& shared) {
  const inner::KeeperReport& report = shared.report();
  if (!report.finished) return could_not_start("the sandbox's keeper was ended from outside");
  Result result;
  result.end = report.end;
  if (report.end == End::exited) result.status = WEXITSTATUS(report.wait_status);
  if (report.end == End::signalled) result.status = WTERMSIG(report.wait_status);
  if (report.end == End::could_not_start) {
    result.message = "the sandbox could not be built: " + std::string(report.failed_step.data()) +
                     ": " + std::generic_category().message(report.failed_error);
  }
  result.out.assign(shared.out(), report.out_bytes);
  result.err.assign(shared.err(), report.err_bytes);
  result.output_cut = report.output_cut;
  result.cpu = std::chrono::duration<double>(report.cpu_seconds);
  result.wall = std::chrono::duration<double>(report.wall_seconds);
  result.peak_memory_bytes = report.peak_memory_bytes;
  return result;
}

}  // namespace

struct Sandboxed::State {
  State(const std::vector<std::string>& command, const Policy& policy)
      : shared(policy.limits.output_bytes), wall(policy.limits.wall) {
    const std::unique_ptr<inner::Plan> plan = inner::make_plan(command, policy);
    plan->report = &shared.report();
    plan->report->end = End::could_not_start;
    plan->out_text = shared.out();
    plan->err_text = shared.err();
    Descriptor control_read, done_write, nothing;
    make_pipe(control_read, control);
    make_pipe(done, done_write);
    give_empty_input(*plan, nothing);
    plan->control = control_read.get();
    plan->done = done_write.get();

    protect_this_process();
    keeper = fork();
    if (keeper < 0) throw_errno("fork");
    if (keeper == 0) inner::keep(*plan);
  }
  ~State() {
    control.close();
    if (!result && !wait_for_end(done.get(), Clock::now() + kLongestEnding)) {
      ::kill(keeper, SIGKILL);
    }
    reap();
  }

  static void give_empty_input(inner::Plan& plan, Descriptor& nothing) {
    const auto is_input = [](const auto& pair) { return pair.first == STDIN_FILENO; };
    if (std::any_of(plan.descriptors.begin(), plan.descriptors.end(), is_input)) return;
    nothing.set(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing.get() < 0) throw_errno("/dev/null");
    plan.descriptors.emplace_back(STDIN_FILENO, nothing.get());
  }

  void reap() {
    if (std::exchange(reaped, true)) return;
    while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  Shared shared;
  std::chrono::milliseconds wall;
  Clock::time_point start = Clock::now();
  Descriptor control;  // closing it makes the keeper end the command
  Descriptor done;     // the other end is closed when the keeper has exited
  pid_t keeper = -1;
  bool reaped = false;
  std::optional<Result> result;
};

Sandboxed::Sandboxed(const std::vector<std::string>& command, const Policy& policy)
    : state_(std::make_unique<State>(command, policy)) {}
Sandboxed::~Sandboxed() = default;
Sandboxed::Sandboxed(Sandboxed&&) noexcept = default;
Sandboxed& Sandboxed::operator=(Sandboxed&&) noexcept = default;

std::optional<Result> Sandboxed::wait_until(Clock::time_point deadline) {
  if (state_->result) return state_->result;
  if (!wait_for_end(state_->done.get(), deadline)) return std::nullopt;
  state_->reap();
  state_->result = result_of(state_->shared);
  return state_->result;
}

Result Sandboxed::wait() {
  const auto latest = state_->start + state_->wall + kLongestEnding;
  if (const auto result = wait_until(latest)) return *result;
  ::kill(state_->keeper, SIGKILL);
  state_->reap();
  state_->result = could_not_start("the sandbox's keeper did not answer and was ended");
  return *state_->result;
}

void Sandboxed::kill() noexcept { state_->control.close(); }

Result run_sandboxed(const std::vector<std::string>& command, const Policy& policy) {
  return Sandboxed(command, policy).wait();
}

std::string name_of(End end) {
  switch (end) {
    case End::exited:
      return "exited";
    case End::signalled:
      return "ended by a signal";
    case End::cpu_limit:
      return "CPU limit";
    case End::wall_limit:
      return "time limit";
    case End::memory_limit:
      return "memory limit";
    case End::process_limit:
      return "process limit";
    case End::folder_limit:
      return "limit of files written";
    case End::killed:
      return "ended by the caller";
    case End::could_not_start:
      return "could not start";
  }
  return "unknown";
}

}  // namespace coursework
