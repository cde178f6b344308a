#include "tools/coursework/grade/sandboxed_runner.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "tools/coursework/grade/limits.hpp"
#include "tools/coursework/grade/workshop.hpp"
#include "tools/coursework/runner/messages.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

/// Time for the keeper to end a program that closed its channel, and to report why.
constexpr std::chrono::seconds kLastWord{120};

Policy run_policy(const fs::path& program, const fs::path& own, int channel,
                  std::chrono::milliseconds time_limit) {
  Policy policy;
  policy.profile = Profile::run;
  policy.readable = {program};
  policy.executable = system_libraries();
  policy.executable.push_back(program);
  policy.writable = own;
  policy.environment = {{"LC_ALL", "C"}};
  policy.descriptors = {{kChannel, channel}};
  policy.limits.cpu = time_limit;
  policy.limits.wall = time_limit * (kPatience + 1);  // the judge's own time limit is shorter
  policy.limits.memory_bytes = kRunMemory;
  policy.limits.folder_bytes = std::uint64_t{1} << 20;
  policy.limits.output_bytes = std::uint64_t{64} << 10;
  return policy;
}

class SandboxedRunner : public RunnerProcess {
 public:
  SandboxedRunner(const fs::path& program, const fs::path& own,
                  std::chrono::milliseconds time_limit)
      : ends_(make_ends()),
        process_({program.string()}, run_policy(program, own, ends_[1], time_limit)) {
    close(ends_[1]);
  }
  ~SandboxedRunner() override { close(ends_[0]); }

  int channel() const override { return ends_[0]; }

  std::string stop() override {
    process_.kill();
    return process_.wait().err;
  }

  std::string how_it_ended() override {
    const auto result = process_.wait_until(steady_clock::now() + kLastWord);
    if (!result) return {};
    switch (result->end) {
      case End::cpu_limit:
      case End::memory_limit:
        return name_of(result->end);
      case End::wall_limit:
        return "time limit";
      case End::exited:
        return "status " + std::to_string(result->status);
      case End::signalled:
        if (result->status != SIGKILL) return std::string("signal ") + strsignal(result->status);
        throw GraderFault("somebody has killed the submission's process");
      case End::could_not_start:
        throw GraderFault("the sandbox could not start: " + result->message);
      default:
        return name_of(result->end);
    }
  }

 private:
  static std::array<int, 2> make_ends() {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw GraderFault(std::string("no channel to the runner: ") + std::strerror(errno));
    return ends;
  }

  std::array<int, 2> ends_;
  Sandboxed process_;
};

}  // namespace

std::unique_ptr<RunnerProcess> start_sandboxed(const fs::path& program, const fs::path& own,
                                               std::chrono::milliseconds time_limit) {
  return std::make_unique<SandboxedRunner>(program, own, time_limit);
}

}  // namespace coursework
