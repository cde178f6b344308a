#include "submission.hpp"

#include "submission.cuh"

Submission submission() { return {.filter_columns = filter_columns}; }
