#pragma once

/// @file
/// Pointers to the launch functions of the chapter's steps, one of which a mutant can replace.

#include "steps/problem.cuh"

using Launch = void(const Sgemm& s, cudaStream_t stream);

struct Kernels {
  Launch* naive;
  Launch* coalesced;
  Launch* shared_tile;
  Launch* thread_tile_1d;
  Launch* thread_tile_2d;
  Launch* vectorised;
  Launch* conflict_free;
  Launch* tuned;
  Launch* warp_tiles;
  Launch* double_buffer;
  Launch* tma;
  Launch* swizzle;
  Launch* large_tile;
  Launch* register_order;
  Launch* slices;
  Launch* even_shares;
  Launch* any_shape;
  Launch* on_demand;
};

/// Returns launch() of the steps in chapters/09_sgemm/steps and of on_demand.cuh.
Kernels real_kernels();

/// Returns real_kernels(); in a test of mutants, one kernel is replaced.
Kernels kernels_under_test();
