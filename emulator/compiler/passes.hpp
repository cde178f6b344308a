/// @file
/// What the plugin does to the functions of the device.
#pragma once

#include "gcc_headers.hpp"

/// Conversions and shifts; to run behind the pass `ssa`.
opt_pass* device_arithmetic(gcc::context* context);

/// Functions of the library that mean something else on a device; to run behind the pass `ssa`.
opt_pass* device_calls(gcc::context* context);

/// Warns of host code that reads or writes a variable of the device; to run behind the pass `ssa`.
opt_pass* host_accesses(gcc::context* context);

/// What nvcc refuses in kernels; to run behind the pass `ssa`.
opt_pass* kernel_refusals(gcc::context* context);

/// Accesses whose address is known, and wrong; to run where addresses are known,
/// at the latest before the pass `tsan`.
opt_pass* misaligned_accesses(gcc::context* context);

/// Gives the read of a struct that is an argument the line of the call; to run before the pass
/// `tsan`.
opt_pass* argument_lines(gcc::context* context);

/// Tells the engine which bytes of small structs hold nothing; to run behind the pass `tsan`.
opt_pass* padded_structs(gcc::context* context);

/// A second form of all that `run_lanes_quick` calls, without instrumentation and with all
/// optimisations; to run before the pass `opt_local_passes`.
simple_ipa_opt_pass* quick_forms(gcc::context* context);

/// What makes a loop over threads of a function that runs a block; to run when all is inlined.
opt_pass* lane_loops(gcc::context* context);

/// Of what `quick_checks` is to look at, drops what needs no look; to run before the pass `esra`.
opt_pass* right_structs(gcc::context* context);

/// What the quick form has in the place of instrumentation: a look at addresses that may be
/// misaligned, and patience where lanes may wait for each other; to run before the pass `tsan`.
opt_pass* quick_checks(gcc::context* context);

/// Inner loops that all threads of a row run alike, for many threads at a time; to run among the
/// passes for loops, before the one that makes vectors.
opt_pass* row_sums(gcc::context* context);

/// Sums that g++ would make wrong vectors of stay as they are; to run before the pass `vect`.
opt_pass* right_reductions(gcc::context* context);
