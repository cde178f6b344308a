#pragma once

/// @file
/// Checks exercises whenever their answers are saved.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tools/coursework/judging/judge.hpp"
#include "tools/coursework/show/styled.hpp"
#include "tools/coursework/watch/background_check.hpp"
#include "tools/coursework/watch/board.hpp"
#include "tools/coursework/watch/keys.hpp"
#include "tools/coursework/watch/view.hpp"

namespace coursework {

/// The state of `watch` without terminal or event loop: the caller passes in keys, changed files
/// and finished checks, and asks for the picture to draw.
class Watch {
 public:
  Watch(std::vector<Exercise> exercises, Answers answers, JudgeOptions options);

  /// Handles an event; may start or cancel a check.
  void press(Key key, Size size);
  void look_at_files();
  void take_result();

  bool has_ended() const { return ended_; }
  /// @param signs  as lines_of() of a verdict takes it
  Picture picture(bool signs) const;
  const Board& board() const { return board_; }
  int result_descriptor() const { return check_.descriptor(); }

  /// Returns a verdict that arrived since the last call, for output without a terminal.
  std::optional<std::vector<Line>> news(bool signs);

 private:
  void press_on_page(Key key, Size size);
  void press_in_list(Key key);
  bool scroll(Key key, Size size);  // returns whether the key scrolls
  void go_to(std::size_t number);
  void go_on(int step);
  void hint();
  void reset();
  void check_again();
  void check_what_needs_it();
  bool current_needs_check() const;
  std::vector<Line> body(bool signs) const;

  Board board_;
  JudgeOptions options_;
  std::size_t current_ = 0;
  Picture::Page page_ = Picture::Page::verdict;
  std::size_t selected_ = 0;
  std::size_t scrolled_ = 0;
  int hints_ = 0;
  std::string notice_;
  std::string fault_;               // a fault of this machine in the current exercise's last check
  bool machine_is_faulty_ = false;  // if set, checks start only on request
  bool has_news_ = false;
  bool ended_ = false;
  BackgroundCheck check_;  // last, because its destructor must run first
};

}  // namespace coursework
