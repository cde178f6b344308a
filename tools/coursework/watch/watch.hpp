#pragma once

/// @file
/// Exercises that are checked whenever their answers are saved.

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

/// What is watched and shown, apart from where it is shown: its caller hands in keys and the news
/// of files and checks, and asks for pictures.
class Watch {
 public:
  Watch(std::vector<Exercise> exercises, Answers answers, JudgeOptions options);

  /// One thing that has happened. Each may start or cancel a check.
  void press(Key key, Size size);
  void look_at_files();
  void take_result();

  bool has_ended() const { return ended_; }
  /// @param signs  as lines_of() of a verdict takes it
  Picture picture(bool signs) const;
  const Board& board() const { return board_; }
  int result_descriptor() const { return check_.descriptor(); }

  /// The verdict that has come since the last call, for those who print one after the other.
  std::optional<std::vector<Line>> news(bool signs);

 private:
  void press_on_page(Key key, Size size);
  void press_in_list(Key key);
  bool scroll(Key key, Size size);  // whether that is what the key does
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
  std::string fault_;               // of this machine, at the last check of the current exercise
  bool machine_is_faulty_ = false;  // then nothing is checked unasked
  bool has_news_ = false;
  bool ended_ = false;
  BackgroundCheck check_;  // last: it ends before what it reads
};

}  // namespace coursework
