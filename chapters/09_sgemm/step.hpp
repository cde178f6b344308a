#pragma once

/// @file
/// A step of the ladder as the program runs it.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>

#include "steps/problem.cuh"

/// How a step that can choose goes about a problem.
struct Plan {
  int tile_m, tile_n, blocks;
  double predicted_us;  ///< on an H200
};

/// Something that multiplies matrices.
struct Step {
  std::string name;
  std::string help;
  std::function<void(const Sgemm&, cudaStream_t)> launch;
  /// How much workspace a problem needs, zero before the first launch; none: none.
  std::function<std::size_t(const Sgemm&)> workspace_floats = {};
  /// Why the device in use cannot run it, in a line; empty if it can. None: any device can.
  std::string (*lack)() = nullptr;
  /// What it chooses; none: it has no choice.
  std::function<Plan(const Sgemm&)> plan = {};
  int tensor_products = 0;        ///< of 16 bits, which tensor cores make for each product; 0: FFMA
  double tolerance_factor = 1.0;  ///< times fp32's tolerance
};
