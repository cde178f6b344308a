#pragma once

/// @file
/// A step of the ladder as the program runs it.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>

#include "steps/problem.cuh"

/// Something that multiplies matrices.
struct Step {
  std::string name;
  std::string help;
  std::function<void(const Sgemm&, cudaStream_t)> launch;
  /// How much workspace a problem needs, zero before the first launch; none: none.
  std::function<std::size_t(const Sgemm&)> workspace_floats = {};
  /// TMA loads the matrices: see lack_for_bulk_steps().
  bool by_tma = false;
};
