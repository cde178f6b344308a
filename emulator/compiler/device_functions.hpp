/// @file
/// Finds the functions of a source that run on the device.
#pragma once

#include "gcc_headers.hpp"

/// Makes all functions count as the device's, whatever the source says.
void all_run_on_device();

/// Returns whether the rewriter has written a record of the function (places.hpp).
bool runs_on_device(tree function);
