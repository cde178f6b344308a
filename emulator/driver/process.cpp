#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "failure.hpp"

extern char** environ;

namespace emulator_nvcc {
namespace {

constexpr int kCannotStartStatus = 2;
constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received_signal = 0;
volatile pid_t child = 0;

void pass_on(int signal) {
  received_signal = signal;
  if (child > 0) kill(child, signal);
}

/// During its lifetime, signals that would end this program are sent to the child first.
class SignalGuard {
 public:
  SignalGuard() {
    struct sigaction action {};
    action.sa_handler = pass_on;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
      sigaction(kEndingSignals[i], &action, &before_[i]);
    }
  }
  ~SignalGuard() {
    for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
      sigaction(kEndingSignals[i], &before_[i], nullptr);
    }
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  std::array<struct sigaction, kEndingSignals.size()> before_{};
};

std::vector<char*> pointers(const Command& command) {
  std::vector<char*> result;
  for (const std::string& word : command) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void cannot_start(const Command& command, int error) {
  throw Failure(kCannotStartStatus,
                "emulator-nvcc: cannot run " + command.front() + ": " + std::strerror(error));
}

void read_all(int descriptor, std::string& text) {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t n = read(descriptor, buffer.data(), buffer.size());
    if (n > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      return;
    }
  }
}

}  // namespace

void append(Command& command, const Command& more) {
  command.insert(command.end(), more.begin(), more.end());
}

int run(const Command& command, std::string* errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  std::array<int, 2> pipe_ends = {-1, -1};
  if (errors) {
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) cannot_start(command, errno);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  }

  const SignalGuard guard;
  received_signal = 0;
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, command.front().c_str(), &actions, nullptr,
                                  pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (errors) close(pipe_ends[1]);
  if (failed != 0) {
    if (errors) close(pipe_ends[0]);
    cannot_start(command, failed);
  }
  child = pid;
  if (errors) {
    read_all(pipe_ends[0], *errors);
    close(pipe_ends[0]);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  if (received_signal != 0) throw Failure(128 + received_signal, "");
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void replace_process(const Command& command) {
  execvp(command.front().c_str(), pointers(command).data());
  cannot_start(command, errno);
}

std::string quoted(const Command& command) {
  static constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace emulator_nvcc
