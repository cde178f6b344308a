/// @file
/// Which functions of a source run on the device.
#pragma once

#include "gcc_headers.hpp"

/// Takes all functions for the device's, whatever the source says.
void all_run_on_device();

/// Whether the rewriter has kept a record of the function (places.hpp).
bool runs_on_device(tree function);
