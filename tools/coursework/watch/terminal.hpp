#pragma once

/// @file
/// The terminal, taken over and given back.

#include <termios.h>

#include <string>
#include <vector>

#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// While it lives, the terminal sends each key at once and shows nothing but what is drawn. It is
/// given back at the end of the scope, and when the program crashes. There is one at a time.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Whether there is a terminal at both ends that can do what drawing takes.
  static bool is_there();

  Size size() const;
  /// Shows these rows, as many as there are in size().
  /// @throws std::system_error where the terminal is gone
  void draw(const std::vector<Line>& rows, const Look& look);
  /// Gives the terminal back for as long as the program sleeps: Ctrl-Z.
  void sleep();
};

}  // namespace coursework
