/// @file
/// What the plugin does to the functions of the device.
#pragma once

#include "gcc_headers.hpp"

/// Conversions and shifts; to run behind the pass `ssa`.
opt_pass* device_arithmetic(gcc::context* context);

/// Accesses whose address is known, and wrong; to run where addresses are known,
/// at the latest before the pass `tsan`.
opt_pass* misaligned_accesses(gcc::context* context);
