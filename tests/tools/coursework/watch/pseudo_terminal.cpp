#include "tools/coursework/watch/pseudo_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace {

using std::chrono::steady_clock;
constexpr std::chrono::seconds kLimit{90};  // long enough for a busy machine

winsize size_of(int columns, int rows) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  return size;
}

std::size_t bytes_of_sign(unsigned char lead) {
  return lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

}  // namespace

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& command,
                               const std::string& directory, int columns, int rows,
                               const std::map<std::string, std::string>& environment)
    : cells_(rows, std::vector<std::string>(columns)) {
  const winsize size = size_of(columns, rows);
  program_ = forkpty(&master_, nullptr, nullptr, &size);
  if (program_ < 0) throw std::runtime_error("forkpty");
  if (program_ == 0) {
    if (chdir(directory.c_str()) != 0) _exit(127);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  fcntl(master_, F_SETFD, FD_CLOEXEC);
}

PseudoTerminal::~PseudoTerminal() {
  if (status_ < 0) {
    kill(program_, SIGKILL);
    waitpid(program_, nullptr, 0);
  }
  close(master_);
}

void PseudoTerminal::type(const std::string& keys) {
  if (write(master_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size()))
    throw std::runtime_error("the program takes no keys");
}

void PseudoTerminal::resize(int columns, int rows) {
  cells_.assign(rows, std::vector<std::string>(columns));
  row_ = column_ = 0;
  const winsize size = size_of(columns, rows);
  ioctl(master_, TIOCSWINSZ, &size);
}

void PseudoTerminal::send(int signal) { kill(program_, signal); }

bool PseudoTerminal::shows(const std::string& text) {
  return wait_until([&] { return screen().find(text) != std::string::npos; });
}

bool PseudoTerminal::shows_no_more(const std::string& text) {
  return wait_until([&] { return screen().find(text) == std::string::npos; });
}

bool PseudoTerminal::sleeps() {
  return wait_until([&] {
    int status = 0;
    return waitpid(program_, &status, WNOHANG | WUNTRACED) == program_ && WIFSTOPPED(status);
  });
}

int PseudoTerminal::end() {
  constexpr int kSignalBase = 128;
  wait_until([&] {
    int status = 0;
    if (status_ < 0 && waitpid(program_, &status, WNOHANG) == program_)
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
    return status_ >= 0;
  });
  while (read_some(0)) {
  }
  return status_;
}

std::string PseudoTerminal::screen() const {
  std::string text;
  for (const auto& row : cells_) {
    std::string line;
    for (const std::string& cell : row) line += cell.empty() ? " " : cell;
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

bool PseudoTerminal::is_given_back() const {
  termios state{};
  if (tcgetattr(master_, &state) != 0) return false;
  const tcflag_t wanted = ICANON | ECHO | ISIG;
  return (state.c_lflag & wanted) == wanted && !other_screen_ && !cursor_hidden_;
}

bool PseudoTerminal::wait_until(const std::function<bool()>& holds) {
  const auto until = steady_clock::now() + kLimit;
  while (!holds()) {
    if (steady_clock::now() > until) return false;
    read_some(20);
  }
  return true;
}

bool PseudoTerminal::read_some(int milliseconds) {
  pollfd one{master_, POLLIN, 0};
  if (poll(&one, 1, milliseconds) != 1 || (one.revents & POLLIN) == 0) return false;
  std::array<char, 1 << 14> buffer{};
  const ssize_t count = read(master_, buffer.data(), buffer.size());
  if (count <= 0) return false;
  bytes_.append(buffer.data(), static_cast<std::size_t>(count));
  while (taken_ < bytes_.size()) {
    const std::size_t next = take_sequence(taken_);
    if (next == taken_) break;
    taken_ = next;
  }
  return true;
}

void PseudoTerminal::put(const std::string& sign) {
  // Text after the last column is invisible: lines are not wrapped.
  if (row_ < cells_.size() && column_ < cells_[row_].size()) cells_[row_][column_] = sign;
  ++column_;
}

/// Returns the position after the sequence that begins at `at`; `at` itself if it is incomplete.
std::size_t PseudoTerminal::take_sequence(std::size_t at) {
  const char first = bytes_[at];
  if (first == '\r') {
    column_ = 0;
    return at + 1;
  }
  if (first == '\n') {
    if (row_ + 1 < cells_.size()) {
      ++row_;
    } else {
      cells_.erase(cells_.begin());
      cells_.emplace_back(cells_.empty() ? 80 : cells_[0].size());
    }
    return at + 1;
  }
  if (first != '\033') {
    const std::size_t length = bytes_of_sign(static_cast<unsigned char>(first));
    if (at + length > bytes_.size()) return at;
    put(bytes_.substr(at, length));
    return at + length;
  }
  std::size_t last = at + 2;
  while (last < bytes_.size() && (bytes_[last] < '@' || bytes_[last] > '~')) ++last;
  if (last >= bytes_.size()) return at;
  const std::string sequence = bytes_.substr(at + 1, last - at);
  if (sequence == "[H") {
    row_ = column_ = 0;
  } else if (sequence == "[K") {
    for (std::size_t i = column_; row_ < cells_.size() && i < cells_[row_].size(); ++i)
      cells_[row_][i].clear();
  } else if (sequence == "[?1049h" || sequence == "[?1049l") {
    other_screen_ = sequence.back() == 'h';
    for (auto& row : cells_) row.assign(row.size(), "");
    row_ = column_ = 0;
  } else if (sequence == "[?25l" || sequence == "[?25h") {
    cursor_hidden_ = sequence.back() == 'l';
  } else if (sequence.back() != 'm' && sequence != "[?7l" && sequence != "[?7h") {
    unknown_ += sequence;
  }
  return last + 1;
}
