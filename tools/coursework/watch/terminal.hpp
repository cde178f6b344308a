#pragma once

/// @file
/// Takes over the terminal and restores it.

#include <termios.h>

#include <string>
#include <vector>

#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// During its lifetime, the terminal sends each key at once and shows only what is drawn. The
/// destructor restores the terminal; so does a crash. At most one object may exist.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Returns whether stdin and stdout are a terminal that supports drawing.
  static bool is_there();

  Size size() const;
  /// Shows these rows; there are as many as in size().
  /// @throws std::system_error if the terminal was closed
  void draw(const std::vector<Line>& rows, const Look& look);
  /// Restores the terminal while the program is suspended by Ctrl-Z.
  void sleep();
};

}  // namespace coursework
