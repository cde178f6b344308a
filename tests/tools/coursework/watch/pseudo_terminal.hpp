#pragma once

/// @file
/// A program in a terminal that is not there: keys go in, the screen can be read.

#include <sys/types.h>
#include <termios.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

/// Understands the few sequences that `watch` sends, and fails on others.
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

  /// Waits, with a generous limit, until the screen shows the text; whether it did.
  bool shows(const std::string& text);
  /// The same until it does not.
  bool shows_no_more(const std::string& text);
  /// Waits until the program has been stopped; whether it was.
  bool sleeps();
  /// The exit status of the program once it has ended, as a shell counts; -1 if it does not.
  int end();

  /// The rows, with line ends, without blanks behind them.
  std::string screen() const;
  /// Everything that has come, as it came.
  const std::string& bytes() const { return bytes_; }
  /// As it is for programs outside: line by line, echoed, the cursor seen, the first screen.
  bool is_given_back() const;
  /// What came that is none of the sequences known here.
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
  std::size_t taken_ = 0;  // of bytes_
  std::vector<std::vector<std::string>> cells_;
  std::size_t row_ = 0, column_ = 0;
  bool other_screen_ = false, cursor_hidden_ = false;
  std::string unknown_;
};
