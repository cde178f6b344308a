#include "submission.hpp"

#include "submission.cuh"

Submission submission() {
  return {.scale_from = scale_from, .row_pitch = row_pitch, .scale_rows = scale_rows};
}
