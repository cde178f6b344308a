#include "tools/coursework/check/signals.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace coursework {
namespace {

std::array<int, 2> ends{-1, -1};  // a pipe: a handler may only write

void write_down(int signal) {
  const int error = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const ssize_t ignored = write(ends[1], &byte, 1);
  errno = error;
}

}  // namespace

Signals::Signals(std::vector<int> signals) : signals_(std::move(signals)) {
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe2");
  struct sigaction action {};
  action.sa_handler = write_down;
  action.sa_flags = SA_RESTART;
  for (const int one : signals_) sigaction(one, &action, nullptr);
}

Signals::~Signals() {
  for (const int one : signals_) ::signal(one, SIG_DFL);
  for (int& end : ends) close(std::exchange(end, -1));
}

int Signals::descriptor() const { return ends[0]; }

std::vector<int> Signals::take() {
  std::vector<int> come;
  unsigned char byte = 0;
  while (read(ends[0], &byte, 1) == 1) come.push_back(byte);
  return come;
}

}  // namespace coursework
