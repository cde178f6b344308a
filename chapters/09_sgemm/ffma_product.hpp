#pragma once

/// @file
/// What others need of this chapter: the fastest product by FFMA that it has for a shape, and one
/// that the device itself calls for. Both are compiled apart.

#include <cuda_runtime.h>

#include <cstddef>

#include "steps/problem.cuh"

namespace ffma_product {

/// What step 17 expects to need, in microseconds on an H200. @pre C is not empty
double predicted_us(const Sgemm& s);

/// Floats of workspace, zero before the first launch.
std::size_t workspace_floats(const Sgemm& s);

/// Multiplies with step 17.
void launch(const Sgemm& s, cudaStream_t stream);

/// The same, of a product that may turn out to be needed.
std::size_t on_demand_floats(const Sgemm& s);

/// Where in the workspace a kernel says whether it is needed.
int* demand(const Sgemm& s);

/// Multiplies if `demand(s)` then is `wanted`. Otherwise C stays as it is.
void launch_on_demand(const Sgemm& s, int wanted, cudaStream_t stream);

}  // namespace ffma_product
