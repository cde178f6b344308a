#pragma once

/// @file
/// How the chapter's steps are started, as pointers, so that a mutant can stand in for one of them.

#include "../../../chapters/10_maxas_epilogue/steps/problem.cuh"

using ProductLaunch = void(const Product& p, int tile, cudaStream_t stream);
using LayerLaunch = void(const Layer& layer, cudaStream_t stream);

struct Kernels {
  ProductLaunch* direct;
  ProductLaunch* wide;
  ProductLaunch* staged;
  ProductLaunch* unsynchronised;
  LayerLaunch* matrices;
  LayerLaunch* bulk;
  LayerLaunch* two_kernels;
  LayerLaunch* fused;
};

/// launch() of the steps in chapters/10_maxas_epilogue/steps.
Kernels real_kernels();

/// The same; where mutants are tested, with one replaced.
Kernels kernels_under_test();
