#pragma once

/// @file
/// How far a long piece of work is: a bar on a terminal, a line now and then elsewhere.

#include <chrono>
#include <cstddef>
#include <string>

namespace coursework {

/// "40 s", "12 min", "3 h 20 min"
std::string duration_in_words(double seconds);

/// How long the rest will take, in seconds: as long as what is done took, but no less than what is
/// under way has taken already. One that runs into its limit is slower than all others.
///
/// @param elapsed  since the beginning
/// @param quiet    since the last one was done
/// @pre done > 0
double seconds_left(double elapsed, double quiet, std::size_t done, std::size_t total);

/// Says on standard error how much is done, and how long the rest will take.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done_one();
  /// Draws the bar anew, if it is time; where there is no terminal, says now and then that it goes
  /// on.
  void tick();
  /// Takes the bar away, so that a line can be printed.
  void clear();

 private:
  std::string rest() const;
  void draw();
  void print_progress();

  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t done_said_ = 0;  // when a line was last printed
  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point begin_, drawn_, last_done_, said_;
};

}  // namespace coursework
