/// @file
/// The barrier of a cooperative launch, where all threads of the grid meet.
#pragma once

#include "engine/run/worker.hpp"

namespace emu {

/// Waits until all threads of the grid have arrived, for the running lane.
void meet_grid(Worker& worker, const void* call_site);

}  // namespace emu
