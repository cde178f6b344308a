#pragma once

/// @file
/// Pointers to the launch functions of the chapter's steps, one of which a mutant can replace.

#include "../../../chapters/10_maxas_epilogue/steps/problem.cuh"

using ProductLaunch = void(const Product& p, int tile, cudaStream_t stream);
using LayerLaunch = void(const Layer& layer, cudaStream_t stream);
using PictureLaunch = void(const Picture& p, cudaStream_t stream);

struct Kernels {
  ProductLaunch* direct;
  ProductLaunch* wide;
  ProductLaunch* staged;
  ProductLaunch* unsynchronised;
  LayerLaunch* matrices;
  LayerLaunch* bulk;
  LayerLaunch* two_kernels;
  LayerLaunch* fused;
  PictureLaunch* picture;
  PictureLaunch* picture_of_four;
  PictureLaunch* picture_outside;
};

/// Returns launch() of the steps in chapters/10_maxas_epilogue/steps.
Kernels real_kernels();

/// Returns real_kernels(); in a test of mutants, one kernel is replaced.
Kernels kernels_under_test();
