#pragma once

/// @file
/// The steps, compiled apart: nvcc must know that they are for compute capability 9.0 alone.

#include <string>
#include <vector>

#include "../09_sgemm/step.hpp"

/// Steps 01 to 11.
std::vector<Step> tensor_steps();

/// Step 11 where tensor cores are faster, chapter 09's FFMA where they are.
Step any_size_step();

/// Whether that step multiplies with tensor cores, rather than with FFMA.
bool takes_tensor_cores(const Sgemm& s);

/// Step 09 with clusters of two blocks.
Step clusters_of_two();

/// Why the device in use cannot run wgmma, in a line; empty if it can.
std::string lack_of_wgmma();
