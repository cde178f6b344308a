#pragma once

/// @file
/// The microkernels, run and counted apart from the tests of their counters.

#include <string>
#include <utility>
#include <vector>

#include "emulator/counters.h"

/// Runs every microkernel once: its name, and what it cost.
/// @throws std::runtime_error, naming the microkernel, if a call fails
std::vector<std::pair<std::string, emu::Counters>> microkernel_counts();
