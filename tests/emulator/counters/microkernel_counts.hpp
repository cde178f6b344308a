#pragma once

/// @file
/// Runs and counts the microkernels, in a source apart from the tests of their counters.

#include <string>
#include <utility>
#include <vector>

#include "emulator/counters.h"

/// Runs every microkernel once; returns names and counters.
/// @throws std::runtime_error, naming the microkernel, if a call fails
std::vector<std::pair<std::string, emu::Counters>> microkernel_counts();
