#pragma once

/// @file
/// Kernels with or without an idea: what is each of them worth?

#include <cstddef>
#include <string>
#include <vector>

#include "steps/problem.cuh"

/// A step in another form.
struct Variant {
  std::string idea;
  void (*launch)(const Sgemm&, cudaStream_t);
  std::size_t (*workspace_floats)(const Sgemm&);  ///< zero before the first launch
};

/// The last step for squares without one idea each. The first is the step as it is.
std::vector<Variant> ablations();

/// The same source without -Xptxas -O1: compiled apart, see chapters/CMakeLists.txt.
Variant ablation_of_options();

/// What lies between step 13 and step 14, one idea after the other; the two that step 14 has
/// besides, its order and -Xptxas -O1, each without the other.
std::vector<Variant> build_up();

/// Those of build_up() that are compiled without -Xptxas -O1.
std::vector<Variant> build_up_as_usual();
