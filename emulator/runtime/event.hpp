/// @file
/// Events, for the nodes of graphs that record them or wait for them.
#pragma once

#include "driver_types.h"
#include "engine/run/queue.hpp"

namespace emu::runtime {

bool is_event(cudaEvent_t event);

/// Records an event behind what is in the stream now; false if there is no such event.
bool record_event(cudaEvent_t event, const StreamKey& stream);

/// The newest record of an event; 0 if there is none.
Ticket newest_record(cudaEvent_t event);

}  // namespace emu::runtime
