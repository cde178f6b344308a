#pragma once

extern __device__ int table[3];
__device__ int sum_of_table(int more);
