#include "bulk_steps.hpp"

#include "steps/11_tma.cuh"
#include "steps/12_swizzle.cuh"
#include "steps/13_large_tile.cuh"

std::vector<Step> bulk_steps() {
  const auto step = [](const char* name, const char* help,
                       void (*launch)(const Sgemm&, cudaStream_t)) {
    return Step{name, help, launch, pipeline::workspace_floats, lack_for_bulk_steps};
  };
  return {step("tma", "TMA fills a ring of stages", tma::launch),
          step("swizzle", "the same without bank conflicts", swizzle::launch),
          step("large_tile", "8 x 16 elements a thread, 128 x 256 a block", large_tile::launch)};
}
