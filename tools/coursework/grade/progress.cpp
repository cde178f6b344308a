#include "tools/coursework/grade/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace coursework {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kRedraw{500};
// Number of lines printed without a terminal: few for a fast class, one now and then for a slow
// one.
constexpr std::size_t kLines = 20;
constexpr std::chrono::seconds kFewestBetween{10}, kMostBetween{60};

double seconds(steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

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
      is_terminal_(isatty(STDERR_FILENO) == 1),
      begin_(steady_clock::now()),
      last_done_(begin_),
      printed_(begin_) {}

Progress::~Progress() { clear(); }

double seconds_left(double elapsed, double quiet, std::size_t done, std::size_t total) {
  const auto rest = static_cast<double>(total - done);
  return std::max(elapsed / static_cast<double>(done) * rest, quiet);
}

std::string Progress::rest() const {
  if (done_ == 0) return "";
  const auto now = steady_clock::now();
  return "about " +
         duration_in_words(
             seconds_left(seconds(now - begin_), seconds(now - last_done_), done_, total_)) +
         " left";
}

void Progress::done_one() {
  ++done_;
  last_done_ = steady_clock::now();
  if (is_terminal_) {
    tick();
  } else if (done_ == total_ || (steady_clock::now() - printed_ >= kFewestBetween &&
                                 done_ - done_printed_ >= total_ / kLines)) {
    print_progress();
  }
}

void Progress::tick() {
  const auto now = steady_clock::now();
  if (!is_terminal_) {
    if (done_ < total_ && now - printed_ >= kMostBetween) print_progress();
    return;
  }
  if (is_drawn_ && now - drawn_ < kRedraw) return;
  drawn_ = now;
  draw();
}

void Progress::print_progress() {
  printed_ = steady_clock::now();
  done_printed_ = done_;
  const std::string left = done_ < total_ ? rest() : "";
  std::cerr << "course: " << what_ << ' ' << done_ << " of " << total_
            << (left.empty() ? "" : ", " + left) << '\n';
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
