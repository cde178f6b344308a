#pragma once

/// @file
/// The steps that multiply matrices of bfloat16.

#include <string>
#include <vector>

#include "steps/gemm_problem.cuh"

/// Something that multiplies matrices of bfloat16.
struct GemmStep {
  std::string name;
  std::string help;
  void (*launch)(const Gemm&, cudaStream_t);
  std::string (*lack)();  ///< why the device in use cannot run it, in a line; empty if it can
};

/// All steps of the ladder.
std::vector<GemmStep> gemm_steps();

/// An experiment beside them: clusters of two blocks.
GemmStep clusters_of_bf16();
