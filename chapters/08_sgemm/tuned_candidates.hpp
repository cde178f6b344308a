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

/// steps/tuned_parameters.hpp with this candidate, the fastest at size x size x size on the device
/// in use.
std::string header_of(const Candidate& candidate, int size);
