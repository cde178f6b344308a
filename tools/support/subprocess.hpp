/// Runs another program and returns its output.
///
/// Boost.Process 1.74 (Debian 12) is not used, as `course/child.hpp` says. A wrapper of 26 lines
/// would do what run_command() does, but a program that does not read its input would end the
/// caller by SIGPIPE, and 200 MB of output would cost 418 ms of CPU instead of 309.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "course/temporary_folder.hpp"

namespace tools {

/// The result of a finished program.
struct CommandResult {
  int status = 0;  // exit status, or 128 + signal number, as in a shell
  std::string out;
  std::string err;
};

/// How a program runs. By default it inherits this process's folder and environment.
struct CommandOptions {
  std::filesystem::path directory;                 // empty: the current folder
  std::map<std::string, std::string> environment;  // added to or replacing this process's variables
  std::vector<std::string> unset;                  // variables to remove
  std::string input;                               // standard input
  std::chrono::seconds time_limit{120};            // after it, the process group is killed
  std::stop_token stop;                            // a request kills the process group, too
};

/// The program exceeded its time limit.
class TooSlow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked to stop.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// Runs `command[0]` (searched in this process's PATH) with the other words as arguments; uses no
/// shell.
///
/// @throws std::system_error if the program cannot be started, TooSlow after the time limit,
///         Cancelled if `stop` was requested
CommandResult run_command(const std::vector<std::string>& command,
                          const CommandOptions& options = {});

/// Splits `text` into lines without line ends.
std::vector<std::string> lines_of(const std::string& text);

/// A temporary folder that is deleted with its contents at the end of the scope.
class TemporaryFolder {
 public:
  /// @param name  last part of the folder's path; may contain spaces
  explicit TemporaryFolder(const std::string& name = "course test");

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file below the folder, creates parent folders, and returns the file's path.
  std::filesystem::path write(const std::filesystem::path& relative, const std::string& text) const;

  /// Writes an executable file, as write() does.
  std::filesystem::path write_program(const std::filesystem::path& relative,
                                      const std::string& text) const;

 private:
  course::TemporaryFolder parent_;
  std::filesystem::path path_;
};

/// Reads a whole file.
std::string read_file(const std::filesystem::path& file);

}  // namespace tools
