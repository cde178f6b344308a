/// Runs another program and keeps what it said.
///
/// Boost.Process 1.74 (Debian 12) is left out: a machine with a GPU has no such package, and the
/// tools are built there too. A wrapper of 26 lines does what run_command() does, but a program
/// that leaves its input unread ends the caller with SIGPIPE, 200 MB of output cost 418 ms of CPU
/// instead of 309 (starting programs costs the same), and compiling takes 6.9 s instead of 1.0.

#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace tools {

/// What a finished program left behind.
struct CommandResult {
  int status = 0;  // exit status, or 128 + the signal that ended it, as a shell counts
  std::string out;
  std::string err;
};

/// Where and how a program runs; by default as this process would itself.
struct CommandOptions {
  std::filesystem::path directory;                 // empty: the current one
  std::map<std::string, std::string> environment;  // added to, or replacing, this process's own
  std::vector<std::string> unset;                  // variables that the program does not see
  std::string input;                               // its standard input
  std::chrono::seconds time_limit{120};            // then it is killed, with its process group
  std::stop_token stop;                            // the same when somebody asks for it
};

/// Past a program's time limit.
class TooSlow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Nobody waits for the result any more.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// Runs `command[0]` (looked up in this process's PATH) with the rest as arguments, no shell.
///
/// @throws std::system_error if it cannot be started, TooSlow past the time limit,
///         Cancelled where `stop` was asked for
CommandResult run_command(const std::vector<std::string>& command,
                          const CommandOptions& options = {});

/// The lines of `text`, without their line ends.
std::vector<std::string> lines_of(const std::string& text);

/// A folder of its own that is gone, with everything in it, at the end of the scope.
class TemporaryFolder {
 public:
  /// @param name  last part of the folder's path; may hold spaces
  explicit TemporaryFolder(const std::string& name = "course test");
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file below the folder, its parents included, and gives its path.
  std::filesystem::path write(const std::filesystem::path& relative, const std::string& text) const;

  /// The same for a program: the file may be executed.
  std::filesystem::path write_program(const std::filesystem::path& relative,
                                      const std::string& text) const;

 private:
  std::filesystem::path parent_;
  std::filesystem::path path_;
};

/// A whole file as a string.
std::string read_file(const std::filesystem::path& file);

}  // namespace tools
