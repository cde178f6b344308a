#include "process.hpp"

#include <signal.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <system_error>

#include "course/child.hpp"
#include "failure.hpp"

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

/// During its lifetime, signals that would end this program are sent to the child first, and the
/// system keeps the status of a child, although whoever started this program may ignore SIGCHLD.
class SignalGuard {
 public:
  SignalGuard() {
    for (std::size_t i = 0; i < kEndingSignals.size(); ++i)
      before_[i] = handle(kEndingSignals[i], pass_on);
    before_.back() = handle(SIGCHLD, SIG_DFL);
  }
  ~SignalGuard() {
    for (std::size_t i = 0; i < kEndingSignals.size(); ++i)
      sigaction(kEndingSignals[i], &before_[i], nullptr);
    sigaction(SIGCHLD, &before_.back(), nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static struct sigaction handle(int signal, void (*handler)(int)) {
    struct sigaction action {
    }, before{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, &before);
    return before;
  }

  std::array<struct sigaction, kEndingSignals.size() + 1> before_{};
};

[[noreturn]] void cannot_start(const Command& command, int error) {
  throw Failure(kCannotStartStatus,
                "emulator-nvcc: cannot run " + command.front() + ": " + std::strerror(error));
}

}  // namespace

void append(Command& command, const Command& more) {
  command.insert(command.end(), more.begin(), more.end());
}

int run(const Command& command, std::string* errors) {
  course::Pipe pipe;
  course::ChildOptions options;
  int status = 0;
  try {
    if (errors) pipe = course::make_pipe();
    options.err = pipe.write_end.get();
    const SignalGuard guard;
    received_signal = 0;
    child = course::start_child(command, options);
    pipe.write_end.close();
    while (pipe.read_end.is_open()) course::read_some(pipe.read_end, *errors);
    status = course::wait_for_child(child);
    child = 0;
  } catch (const std::system_error& error) {
    cannot_start(command, error.code().value());
  }
  if (received_signal != 0) throw Failure(128 + received_signal, "");
  return status;
}

void replace_process(const Command& command) {
  cannot_start(command, course::replace_process(command));
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
