/// @file
/// The plugin's passes, which change device functions.
#pragma once

#include "gcc_headers.hpp"

/// Gives conversions, shifts and divisions a device's results; to run behind the pass `ssa`.
opt_pass* device_arithmetic(gcc::context* context);

/// Replaces library functions that behave differently on a device; to run behind the pass `ssa`.
opt_pass* device_calls(gcc::context* context);

/// Warns of host code that reads or writes a device variable; to run behind the pass `ssa`.
opt_pass* host_accesses(gcc::context* context);

/// Reports code that nvcc refuses in kernels; to run behind the pass `ssa`.
opt_pass* kernel_refusals(gcc::context* context);

/// Reports accesses with a known misaligned address; to run where addresses are known, at the
/// latest before the pass `tsan`.
opt_pass* misaligned_accesses(gcc::context* context);

/// Gives the read of a struct that is an argument the line of the call; to run before the pass
/// `tsan`.
opt_pass* argument_lines(gcc::context* context);

/// Tells the engine which bytes of small structs are padding; to run behind the pass `tsan`.
opt_pass* padded_structs(gcc::context* context);

/// Makes a second form of all functions that `run_lanes_quick` calls, without instrumentation and
/// with all optimisations; to run before the pass `opt_local_passes`.
simple_ipa_opt_pass* quick_forms(gcc::context* context);

/// Makes loops over threads in functions that run a block; to run when everything is inlined.
opt_pass* lane_loops(gcc::context* context);

/// Drops marks for `quick_checks` that are known to be aligned; to run before the pass `esra`.
opt_pass* right_structs(gcc::context* context);

/// Adds to quick forms checks of alignment, and yields where lanes may wait for each other; to run
/// before the pass `tsan`.
opt_pass* quick_checks(gcc::context* context);

/// Runs inner loops that all threads of a row run alike for many threads at a time; to run among
/// the passes for loops, before the vectoriser.
opt_pass* row_sums(gcc::context* context);

/// Excludes sums from the pass `vect` that g++ would vectorise wrongly; to run before that pass.
opt_pass* right_reductions(gcc::context* context);
