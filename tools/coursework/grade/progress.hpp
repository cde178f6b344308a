#pragma once

/// @file
/// How far a long piece of work is: a bar on a terminal, a line now and then elsewhere.

#include <chrono>
#include <cstddef>
#include <string>

namespace coursework {

/// "40 s", "12 min", "3 h 20 min"
std::string duration_in_words(double seconds);

/// Says on standard error how much is done, and how long the rest will take.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done_one();
  /// Draws the bar anew, if it is time.
  void tick();
  /// Takes the bar away, so that a line can be printed.
  void clear();

 private:
  std::string rest() const;
  void draw();

  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::size_t next_line_;
  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point begin_, drawn_;
};

}  // namespace coursework
