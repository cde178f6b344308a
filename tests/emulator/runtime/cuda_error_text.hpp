/// Lets doctest print a runtime error by its name.

#pragma once

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

inline doctest::String toString(cudaError_t error) { return cudaGetErrorName(error); }
