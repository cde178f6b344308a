#pragma once

/// @file
/// Runs a program in a pseudo terminal: sends keys and reads the screen.

#include <sys/types.h>
#include <termios.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

/// Supports only the sequences that `watch` sends.
class PseudoTerminal {
 public:
  PseudoTerminal(const std::vector<std::string>& command, const std::string& directory, int columns,
                 int rows, const std::map<std::string, std::string>& environment);
  ~PseudoTerminal();  ///< kills the program
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(const std::string& keys);
  void resize(int columns, int rows);
  void send(int signal);

  /// Waits, with a generous limit, until the screen shows the text; returns whether it did.
  bool shows(const std::string& text);
  /// Waits until the screen no longer shows the text; returns whether that happened.
  bool shows_no_more(const std::string& text);
  /// Waits until the program is stopped; returns whether it was.
  bool sleeps();
  /// Returns the exit status of the program after it has ended, as in a shell; -1 if it does not
  /// end.
  int end();

  /// Returns the rows with line ends, without trailing blanks.
  std::string screen() const;
  /// Returns all bytes received.
  const std::string& bytes() const { return bytes_; }
  /// Returns whether the terminal is restored: line mode, echo, a visible cursor, the main screen.
  bool is_given_back() const;
  /// Returns sequences received that are not supported here.
  const std::string& unknown() const { return unknown_; }

 private:
  bool wait_until(const std::function<bool()>& holds);
  bool read_some(int milliseconds);
  void put(const std::string& text);
  std::size_t take_sequence(std::size_t at);

  int master_ = -1;
  pid_t program_ = -1;
  int status_ = -1;
  std::string bytes_;
  std::size_t taken_ = 0;  // how many of bytes_ were processed
  std::vector<std::vector<std::string>> cells_;
  std::size_t row_ = 0, column_ = 0;
  bool other_screen_ = false, cursor_hidden_ = false;
  std::string unknown_;
};
