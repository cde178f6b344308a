#include "tools/coursework/watch/terminal.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace coursework {
namespace {

constexpr std::string_view kEnter =
    "\033[?1049h\033[?25l\033[?7l";  // other screen, no cursor, no wrap
constexpr std::string_view kLeave = "\033[?7h\033[?25h\033[0m\033[?1049l";
constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// Global, for the signal handler.
termios before;
volatile sig_atomic_t is_taken = 0;

bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void give_back() {
  if (is_taken == 0) return;
  is_taken = 0;
  write_all(kLeave);
  tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void give_back_and_die(int signal) {
  give_back();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void take_over() {
  if (tcgetattr(STDIN_FILENO, &before) != 0)
    throw std::system_error(errno, std::generic_category(), "the terminal");
  termios raw = before;
  // Ctrl-C and Ctrl-Z still send signals.
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  is_taken = 1;
  write_all(kEnter);
}

}  // namespace

Terminal::Terminal() {
  take_over();
  for (const int one : kCrashes) signal(one, give_back_and_die);
}

Terminal::~Terminal() {
  give_back();
  for (const int one : kCrashes) signal(one, SIG_DFL);
}

bool Terminal::is_there() {
  const char* name = std::getenv("TERM");
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && name != nullptr &&
         *name != '\0' && std::string_view(name) != "dumb";
}

Size Terminal::size() const {
  winsize now{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 || now.ws_col == 0 || now.ws_row == 0) return {};
  return {now.ws_col, now.ws_row};
}

void Terminal::draw(const std::vector<Line>& rows, const Look& look) {
  // Write each picture at once to avoid flicker. Clear a row before writing it: a full row leaves
  // the cursor on its last column. Write no newline after the last row; it would scroll.
  std::string text = "\033[H";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += (i == 0 ? "\033[K" : "\r\n\033[K") + render(rows[i], look);
  if (!write_all(text)) throw std::system_error(errno, std::generic_category(), "the terminal");
}

void Terminal::sleep() {
  give_back();
  raise(SIGSTOP);
  take_over();
}

}  // namespace coursework
