#include "bulk_steps.hpp"

#include "course/error.hpp"
#include "steps/11_bulk_copies.cuh"
#include "steps/12_slices.cuh"
#include "steps/13_even_shares.cuh"
#include "steps/14_any_shape.cuh"

std::vector<Step> bulk_steps() {
  const auto step = [](const char* name, const char* help,
                       void (*launch)(const Sgemm&, cudaStream_t),
                       std::size_t (*workspace_floats)(const Sgemm&)) {
    return Step{name, help, launch, workspace_floats, /*by_tma=*/true};
  };
  return {step("bulk_copies", "TMA fetches the tiles", bulk_copies::launch,
               bulk_copies::workspace_floats),
          step("slices", "warps share a tile along k", slices::launch, slices::workspace_floats),
          step("even_shares", "the last tiles are split evenly", even_shares::launch,
               even_shares::workspace_floats),
          step("any_shape", "tiles and parts of k that a model of their time chooses",
               any_shape::launch, any_shape::workspace_floats)};
}

std::string lack_for_bulk_steps() {
  int device = 0, shared_bytes = 0;
  course::check(cudaGetDevice(&device));
  course::check(
      cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  // No device without TMA has so much.
  if (shared_bytes >= even_shares::Large::kSharedBytes) return "";
  return "needs compute capability 9.0 or newer, and 192 KiB of shared memory a block";
}
