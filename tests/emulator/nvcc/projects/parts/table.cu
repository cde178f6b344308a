#include "table.cuh"

__device__ int table[3] = {4, 5, 6};

__device__ int sum_of_table(int more) { return table[0] + table[1] + table[2] + more; }
