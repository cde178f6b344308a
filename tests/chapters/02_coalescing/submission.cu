#include "submission.hpp"

#include "submission.cuh"

Submission submission() {
  return {.sgemm_from_a_line = sgemm_from_a_line, .sgemm_transposed_a = sgemm_transposed_a};
}
