#include "submission.hpp"

#include "submission.cuh"

Submission submission() { return {.sgemm_thread_tile = sgemm_thread_tile}; }
