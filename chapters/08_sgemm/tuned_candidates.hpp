#pragma once

/// @file
/// What --tune tries.

#include <vector>

#include "steps/problem.cuh"

/// The tuned step with one choice of its parameters.
struct Candidate {
  int tile_m, tile_n, tile_k;
  int thread_m, thread_n;
  void (*launch)(const Sgemm&, cudaStream_t);
};

std::vector<Candidate> tuned_candidates();
