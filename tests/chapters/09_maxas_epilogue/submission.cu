#include "submission.hpp"

#include "submission.cuh"

Submission submission() { return {.sgemm_with_epilogue = sgemm_with_epilogue}; }
