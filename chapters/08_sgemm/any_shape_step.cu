#include "bulk_steps.hpp"
#include "steps/17_any_shape.cuh"

Step any_shape_step() {
  return {"any_shape", "tiles and parts of k that a model of their time chooses", any_shape::launch,
          any_shape::workspace_floats, /*by_tma=*/true};
}
