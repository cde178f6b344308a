/// Runs other programs, without a shell.
///
/// Boost.Process 1.74 (Debian 12) is left out: it neither passes a signal on to the program that it
/// waits for nor becomes another program, which are what is hard here. It would also add 6 s to the
/// 0.4 s that process.cpp takes to compile.
#pragma once

#include <string>
#include <vector>

namespace emulator_nvcc {

using Command = std::vector<std::string>;

/// Adds the words of `more` at the end of `command`.
void append(Command& command, const Command& more);

/// Runs `command` (looked up in PATH) to its end.
///
/// A signal that ends this program meanwhile ends the command first: Failure is thrown, so that
/// temporary files go, with 128 + the signal as its status.
/// @param errors  if given, gets what the command writes to stderr, which then is not shown
/// @return        its exit status, 128 + the signal if one ended it
/// @throws Failure  if it cannot be started
int run(const Command& command, std::string* errors = nullptr);

/// Becomes `command`. @throws Failure if it cannot be started
[[noreturn]] void replace_process(const Command& command);

/// The command as a line for a shell.
std::string quoted(const Command& command);

}  // namespace emulator_nvcc
