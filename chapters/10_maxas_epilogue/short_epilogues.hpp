#pragma once

/// @file
/// The epilogues behind a product of bfloat16, compiled apart: see chapters/CMakeLists.txt.

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "steps/problem.cuh"

struct ShortEpilogue {
  std::string name;
  std::string help;
  void (*launch)(const Layer& layer, cudaStream_t stream);
  bool adds_bias = false;  ///< C = max(0, A B + bias), not A B
};

/// Chapter 11's first product of bfloat16, which stores straight from registers; then steps 05 to
/// 08.
std::vector<ShortEpilogue> short_epilogues();

/// Why the device in use cannot run them, in a line; empty if it can.
std::string lack_for_short_epilogues();
