#include "tools/coursework/grade/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace coursework {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kLines = 20;  // at most, where there is no terminal
constexpr std::chrono::milliseconds kRedraw{500};

int columns() {
  winsize size{};
  constexpr int kUsual = 80;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace

std::string duration_in_words(double seconds) {
  constexpr long kMinute = 60, kHour = 3600;
  const long whole = std::lround(std::ceil(seconds));
  if (whole < 2 * kMinute) return std::to_string(whole) + " s";
  const long minutes = (whole + kMinute / 2) / kMinute;
  if (whole < 2 * kHour) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      next_line_(std::max<std::size_t>(1, total / kLines)),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      begin_(steady_clock::now()) {}

Progress::~Progress() { clear(); }

std::string Progress::rest() const {
  if (done_ == 0) return "";
  const double elapsed = std::chrono::duration<double>(steady_clock::now() - begin_).count();
  const double left = elapsed / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  return "about " + duration_in_words(left) + " left";
}

void Progress::done_one() {
  ++done_;
  if (is_terminal_) {
    tick();
  } else if (done_ >= next_line_) {
    std::cerr << "course: " << what_ << ' ' << done_ << " of " << total_
              << (done_ < total_ ? ", " + rest() : "") << '\n';
    next_line_ = done_ + std::max<std::size_t>(1, total_ / kLines);
  }
}

void Progress::tick() {
  const auto now = steady_clock::now();
  if (!is_terminal_ || (is_drawn_ && now - drawn_ < kRedraw)) return;
  drawn_ = now;
  draw();
}

void Progress::draw() {
  const std::string numbers =
      " " + std::to_string(done_) + " of " + std::to_string(total_) + "  " + rest();
  const int room = columns() - static_cast<int>(what_.size() + numbers.size()) - 6;
  const int width = std::clamp(room, 0, 40);
  const int filled = total_ == 0 ? 0 : static_cast<int>(width * done_ / total_);
  std::cerr << "\r\033[K" << what_ << " [" << std::string(filled, '#')
            << std::string(width - filled, '.') << ']' << numbers << std::flush;
  is_drawn_ = true;
}

void Progress::clear() {
  if (is_drawn_) std::cerr << "\r\033[K" << std::flush;
  is_drawn_ = false;
}

}  // namespace coursework
