/// @file
/// Collects what the checks find, tells it on stderr or as JSON, and makes the exit status 1.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/check.h"

namespace emu {

/// Adds `times` occurrences of a finding that has been described before under `key`; false if it
/// has not: then describe it, with add_finding.
bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes);

/// Adds a finding, or to one of the same kind, kernel and lines. `key` is what count_finding will
/// ask for: cheaper to make than a description.
void add_finding(const std::string& key, Finding finding);

/// Prints the findings that have not been printed yet, if they are to be.
void print_new_findings() noexcept;

/// Prints all there is to say and ends the process with status 1: for a program that cannot go on.
[[noreturn]] void end_with_findings() noexcept;

}  // namespace emu
