/// Runs other programs to their ends, with the driver's messages and exit statuses.
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
