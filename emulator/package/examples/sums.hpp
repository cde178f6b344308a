// Sums over arrays in device memory. Each call returns CUDA's error.
#pragma once

#include <cuda_runtime.h>

// y = a x + y, of n elements.
cudaError_t add_scaled(int n, float a, const float* x, float* y);

// *sum = x[0] y[0] + ... of n elements; `sum` is in device memory, too.
cudaError_t dot_product(int n, const float* x, const float* y, float* sum);
