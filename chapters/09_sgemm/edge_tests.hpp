#pragma once

/// @file
/// Steps with other ways to find out what lies outside their matrices: what does it cost to take
/// any size?

#include <string>
#include <vector>

#include "step.hpp"

/// A step that tests for the edges of its matrices in one way.
struct EdgeTest {
  std::string step;
  std::string tests;  ///< once per tile, at every access, or never
  void (*launch)(const Sgemm&, cudaStream_t);
  int whole_m = 1, whole_n = 1, whole_k = 1;  ///< the sizes that it takes: multiples of these
};

/// Steps warp_tiles and double_buffer, each in all three ways; the first is the step itself.
std::vector<EdgeTest> edge_tests();
