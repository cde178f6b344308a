#pragma once

/// @file
/// The last step without one of its ideas: what is each of them worth?

#include <cstddef>
#include <string>
#include <vector>

#include "steps/problem.cuh"

/// The last step without one idea.
struct Ablation {
  std::string without;
  void (*launch)(const Sgemm&, cudaStream_t);
  std::size_t (*workspace_floats)(const Sgemm&);  ///< zero before the first launch
};

/// The first is the last step as it is.
std::vector<Ablation> ablations();

/// The same source without -Xptxas -O1: compiled apart, see chapters/CMakeLists.txt.
Ablation ablation_of_options();
