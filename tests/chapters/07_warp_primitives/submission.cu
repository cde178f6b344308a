#include "submission.hpp"

#include "submission.cuh"

Submission submission() { return {.block_sums = block_sums}; }
