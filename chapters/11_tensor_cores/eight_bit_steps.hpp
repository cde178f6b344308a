#pragma once

/// @file
/// The steps that multiply matrices of 8-bit floats.

#include <string>
#include <vector>

#include "steps/eight_bit_problem.cuh"

/// Something that multiplies matrices of 8-bit floats.
struct EightBitStep {
  std::string name;
  std::string help;
  void (*launch)(const EightBitGemm&, cudaStream_t);
  bool has_block_scales;  ///< a scale for each block, not one for each matrix
  std::string (*lack)();  ///< why the device in use cannot run it, in a line; empty if it can
};

/// All steps of the ladder.
std::vector<EightBitStep> eight_bit_steps();
