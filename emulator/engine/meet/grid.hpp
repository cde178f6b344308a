/// @file
/// The barrier of a cooperative launch, where all threads of the grid meet.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// The running lane waits until all of the grid are here.
void meet_grid(Worker& worker, const void* call_site);

}  // namespace emu
