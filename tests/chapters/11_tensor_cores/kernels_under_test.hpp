#pragma once

/// @file
/// Pointers to the launch functions of the chapter's steps, one of which a mutant can replace.

#include "../../../chapters/09_sgemm/steps/problem.cuh"
#include "../../../chapters/11_tensor_cores/steps/eight_bit_problem.cuh"
#include "../../../chapters/11_tensor_cores/steps/gemm_problem.cuh"

using Launch = void(const Sgemm& s, cudaStream_t stream);
using GemmLaunch = void(const Gemm& g, cudaStream_t stream);
using EightBitLaunch = void(const EightBitGemm& g, cudaStream_t stream);

struct Kernels {
  Launch* one_product;
  Launch* three_products;
  Launch* wgmma;
  Launch* large_tile;
  Launch* promotion;
  Launch* producer;
  Launch* registers;
  Launch* longer_pieces;
  Launch* persistent;
  Launch* fitting_tiles;
  Launch* any_input;
  GemmLaunch* warp_products;
  GemmLaunch* group_products;
  GemmLaunch* ring;
  GemmLaunch* wide_tile;
  GemmLaunch* tile_order;
  GemmLaunch* resident_blocks;
  GemmLaunch* bulk_store;
  GemmLaunch* tile_sizes;
  EightBitLaunch* short_sums;
  EightBitLaunch* promoted_sums;
  EightBitLaunch* block_scales;
  Launch* clusters;
  GemmLaunch* bf16_clusters;
  Launch* any_size;
};

/// Returns launch() of the steps in chapters/11_tensor_cores/steps, any_size.cuh, clusters.cuh and
/// bf16_clusters.cuh.
Kernels real_kernels();

/// Returns real_kernels(); in a test of mutants, one kernel is replaced.
Kernels kernels_under_test();
