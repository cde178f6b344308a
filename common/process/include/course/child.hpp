/// @file
/// Starts another program, without a shell, and waits for its end.
///
/// Boost.Process 1.74 (Debian 12) is not used: machines with a GPU do not have the package, and it
/// neither forwards a signal to the program that it waits for nor replaces the process. It would
/// also add 6 s to the time that compiling a source takes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace course {

/// A file descriptor that is closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close();

 private:
  int number_;
};

/// The two ends of a pipe. A child has none of them but as one of its standard streams.
struct Pipe {
  Descriptor read_end, write_end;
};

/// @throws std::system_error  if there are too many open files
Pipe make_pipe();

/// Waits for bytes, and appends them to the text; closes the descriptor at the end of the stream.
/// @throws std::system_error  if it cannot be read
void read_some(Descriptor& from, std::string& text);

/// How a child starts. By default it inherits this process's streams, folder and environment.
struct ChildOptions {
  int in = -1, out = -1, err = -1;                      ///< descriptors of its standard streams
  std::filesystem::path directory{};                    ///< empty: the current folder
  std::filesystem::path program{};                      ///< empty: command[0], searched in PATH
  const std::vector<std::string>* variables = nullptr;  ///< its environment, as NAME=value
  /// Whether it has a process group of its own. A sandbox that refuses groups keeps it in this one.
  bool leads_group = false;
};

/// Starts a program, and hands it the words of the command.
/// @return  the id of the child
/// @throws std::system_error  with the reason why it cannot be started
pid_t start_child(const std::vector<std::string>& command, const ChildOptions& options = {});

/// Waits for a child's end.
/// @return  its exit status, or 128 + the signal that ended it, as in a shell
/// @throws std::system_error  if there is no such child, or the system does not keep its status
int wait_for_child(pid_t child);

/// Replaces this process by `command[0]`, searched in PATH, with the other words as arguments.
/// @return  the error number, if the command cannot be started
int replace_process(const std::vector<std::string>& command);

}  // namespace course
