/// Runs other programs, without a shell.
///
/// Boost.Process 1.74 (Debian 12) is not used: it neither forwards a signal to the program that it
/// waits for nor replaces the process, which are the difficult parts. It would also add 6 s to the
/// 0.4 s that compiling process.cpp takes.
#pragma once

#include <string>
#include <vector>

namespace emulator_nvcc {

using Command = std::vector<std::string>;

/// Appends the words of `more` to `command`.
void append(Command& command, const Command& more);

/// Runs `command` (searched in PATH) to its end.
///
/// A signal that would end this program ends the command first. Then Failure is thrown, with status
/// 128 + the signal, so that temporary files are removed.
/// @param errors  if given, receives the command's stderr, which is then not shown
/// @return        the exit status, or 128 + the signal that ended the command
/// @throws Failure  if the command cannot be started
int run(const Command& command, std::string* errors = nullptr);

/// Replaces this process by `command`. @throws Failure if it cannot be started
[[noreturn]] void replace_process(const Command& command);

/// Returns the command as a line for a shell.
std::string quoted(const Command& command);

}  // namespace emulator_nvcc
