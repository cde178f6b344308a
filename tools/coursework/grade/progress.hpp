#pragma once

/// @file
/// Shows the progress of a long run: a bar on a terminal, otherwise a line now and then.

#include <chrono>
#include <cstddef>
#include <string>

namespace coursework {

/// Returns a duration in words: "40 s", "12 min", "3 h 20 min".
std::string duration_in_words(double seconds);

/// Estimates the remaining time in seconds from the mean time of finished submissions, but at least
/// the time that the current ones have already taken: a submission that runs into its limit is
/// slower than all others.
///
/// @param elapsed  since the start
/// @param quiet    since the last submission was finished
/// @pre done > 0
double seconds_left(double elapsed, double quiet, std::size_t done, std::size_t total);

/// Prints progress and remaining time to stderr.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done_one();
  /// Redraws the bar if it is time; without a terminal, prints a line now and then.
  void tick();
  /// Removes the bar, so that a line can be printed.
  void clear();

 private:
  std::string rest() const;
  void draw();
  void print_progress();

  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t done_printed_ = 0;  // value of `done` at the last printed line
  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point begin_, drawn_, last_done_, printed_;
};

}  // namespace coursework
