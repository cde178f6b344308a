#pragma once

/// @file
/// What --tune tries.

#include <string>
#include <vector>

#include "steps/problem.cuh"

/// The tuned step with one choice of its parameters.
struct Candidate {
  int tile_m, tile_n, tile_k;
  int thread_m, thread_n;
  void (*launch)(const Sgemm&, cudaStream_t);
};

std::vector<Candidate> tuned_candidates();

/// The type that stands for a candidate in the step: "Shape<64, 64, 16, 4, 4>".
std::string shape_of(const Candidate& candidate);

/// steps/tuned_parameters.hpp with this shape, the fastest on the device in use for squares of
/// these sizes, in geometric mean.
std::string header_of(const std::string& shape, const std::vector<int>& sizes);
