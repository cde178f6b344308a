#include "submission.hpp"

#include "submission.cuh"

Submission submission() {
  return {.describe_threads = describe_threads, .sums_and_maxima = sums_and_maxima};
}
