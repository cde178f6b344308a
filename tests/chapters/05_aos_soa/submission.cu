#include "submission.hpp"

#include "submission.cuh"

Submission submission() {
  return {.place = place,
          .floats_for = floats_for,
          .move_particles = move_particles,
          .split_particles = split_particles};
}
