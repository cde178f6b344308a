#include "tools/coursework/watch/loop.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <optional>

#include "tools/coursework/check/signals.hpp"
#include "tools/coursework/show/verdict_lines.hpp"
#include "tools/coursework/watch/file_events.hpp"
#include "tools/coursework/watch/keys.hpp"
#include "tools/coursework/watch/terminal.hpp"
#include "tools/coursework/watch/watch.hpp"

namespace coursework {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Pause after which a file counts as saved; some editors write in several steps.
constexpr milliseconds kSettle{20};
/// Longest wait for that pause.
constexpr milliseconds kMostSettle{200};
/// Interval for reading files without events: they may be on another machine or behind a link.
constexpr milliseconds kLookAnyway{1000};
/// Pause after which an escape counts as the Escape key; the rest of a sequence arrives sooner.
constexpr milliseconds kEscapeAlone{100};

/// Decides when the files are read next.
class Settling {
 public:
  void note_change(steady_clock::time_point now) {
    if (!first_) first_ = now;
    look_at_ = std::min(now + kSettle, *first_ + kMostSettle);
  }
  bool is_due(steady_clock::time_point now) {
    if (now < look_at_) return false;
    first_.reset();
    look_at_ = now + kLookAnyway;
    return true;
  }
  milliseconds left(steady_clock::time_point now) const {
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(look_at_ - now));
  }

 private:
  std::optional<steady_clock::time_point> first_;
  steady_clock::time_point look_at_ = steady_clock::now() + kLookAnyway;
};

/// Waits for events and handles them, with or without a terminal.
class Loop {
 public:
  Loop(Watch& watch, const Answers& answers)
      : watch_(watch),
        events_(answers.folder()),
        signals_({SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT}) {}

  /// Returns the signal that ended the loop, or 0.
  int run() {
    if (Terminal::is_there()) terminal_.emplace();
    look_ = look_of_output();
    while (!watch_.has_ended() && signal_ == 0) {
      show();
      wait();
    }
    return signal_;
  }

 private:
  void show() {
    if (terminal_) {
      const Size size = terminal_->size();
      terminal_->draw(view(watch_.picture(look_.signs), size, look_.signs), look_);
    } else if (const auto news = watch_.news(look_.signs)) {
      std::cout << render(*news, look_) << std::flush;
      if (!std::cout) signal_ = SIGPIPE;
    }
  }

  void wait() {
    enum { kKeys, kSignals, kFiles, kResult, kCount };
    std::array<pollfd, kCount> all{};
    all[kKeys] = {terminal_ ? STDIN_FILENO : -1, POLLIN, 0};
    all[kSignals] = {signals_.descriptor(), POLLIN, 0};
    all[kFiles] = {events_.descriptor(), POLLIN, 0};
    all[kResult] = {watch_.result_descriptor(), POLLIN, 0};
    auto most = settling_.left(steady_clock::now());
    if (keys_.is_waiting()) most = std::min(most, kEscapeAlone);
    const int ready = poll(all.data(), all.size(), static_cast<int>(most.count()));
    if (ready < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "poll");

    if (all[kSignals].revents != 0) take_signals();
    if (all[kKeys].revents != 0) take_keys();
    if (ready == 0 && keys_.is_waiting()) press(keys_.settle());
    if (events_.take()) settling_.note_change(steady_clock::now());
    if (settling_.is_due(steady_clock::now())) watch_.look_at_files();
    if (all[kResult].revents != 0) watch_.take_result();
  }

  void take_signals() {
    for (const int signal : signals_.take()) {
      if (signal == SIGTSTP && terminal_) terminal_->sleep();
      if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) signal_ = signal;
    }
  }

  void take_keys() {
    std::array<char, 256> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count > 0) {
      press(keys_.take({bytes.data(), static_cast<std::size_t>(count)}));
    } else if (count == 0 || errno != EINTR) {
      signal_ = SIGHUP;  // the terminal was closed
    }
  }

  void press(const std::vector<Key>& keys) {
    for (const Key key : keys)
      if (!watch_.has_ended()) watch_.press(key, terminal_->size());
  }

  Watch& watch_;
  FileEvents events_;
  Signals signals_;
  KeyDecoder keys_;
  Settling settling_;
  Look look_;
  int signal_ = 0;
  std::optional<Terminal> terminal_;
};

}  // namespace

int watch(std::vector<Exercise> exercises, const Answers& answers, const JudgeOptions& options) {
  int signal = 0;
  std::string farewell;
  {
    Watch watch(std::move(exercises), answers, options);
    signal = Loop(watch, answers).run();
    farewell = "Right: " + std::to_string(watch.board().count_right()) + " of " +
               counted(static_cast<int>(watch.board().size()), "exercise") + ".";
  }
  if (signal == 0 || signal == SIGINT) std::cout << farewell << std::endl;
  if (signal != 0) raise(signal);
  return 0;
}

}  // namespace coursework
