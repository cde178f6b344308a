#include "tensor_steps.hpp"

#include "any_size.cuh"
#include "clusters.cuh"
#include "course/error.hpp"
#include "steps/01_one_product.cuh"
#include "steps/02_three_products.cuh"
#include "steps/03_wgmma.cuh"
#include "steps/04_large_tile.cuh"
#include "steps/05_promotion.cuh"
#include "steps/06_producer.cuh"
#include "steps/07_registers.cuh"
#include "steps/08_longer_pieces.cuh"
#include "steps/09_persistent.cuh"
#include "steps/10_fitting_tiles.cuh"
#include "steps/11_any_input.cuh"
#include "tolerances.hpp"

/// wgmma is no part of any other generation, not even of later ones.
std::string lack_of_wgmma() {
  constexpr int kHopper = 9;
  int device = 0, major = 0, minor = 0;
  course::check(cudaGetDevice(&device));
  course::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  course::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return major == kHopper && minor == 0 ? "" : "needs compute capability 9.0: an H100 or H200";
}

namespace {

Step step(const char* name, const char* help, void (*launch)(const Sgemm&, cudaStream_t),
          double tolerance_factor = 1.0) {
  Step one = {name, help, launch, split::workspace_floats, lack_of_wgmma};
  one.tensor_products = 3;
  one.tolerance_factor = tolerance_factor;
  return one;
}

}  // namespace

Step any_size_step() {
  Step one = step("any_size", "FFMA where they are faster", any_size::launch);
  one.workspace_floats = any_size::workspace_floats;
  return one;
}

bool takes_tensor_cores(const Sgemm& s) { return any_size::suits_tensor_cores(s); }

Step clusters_of_two() {
  return step("clusters", "two blocks share the columns of B", clusters::launch);
}

std::vector<Step> tensor_steps() {
  std::vector<Step> steps = {
      step("one_product", "the floats as they are: tf32", one_product::launch, kTf32Factor),
      step("three_products", "two halves an element, three products", three_products::launch,
           kCutOffFactor),
      step("wgmma", "a warpgroup multiplies from shared memory, which TMA fills", wgmma::launch,
           kCutOffFactor),
      step("large_tile", "128 x 192 a block", large_tile::launch, kCutOffFactor),
      step("promotion", "sums leave the tensor core every 32 k", promotion::launch),
      step("producer", "a ring of stages, and a warp that has them filled", producer::launch),
      step("registers", "the warps that multiply get the others' registers", registers::launch),
      step("longer_pieces", "sums leave the tensor core every 64 k", longer_pieces::launch),
      step("persistent", "a block goes from tile to tile", persistent::launch),
      step("fitting_tiles", "tiles of three sizes", fitting_tiles::launch),
      step("any_input", "tf32 where halves cannot hold the numbers", any_input::launch)};
  steps.front().tensor_products = 1;
  steps.front().workspace_floats = {};
  return steps;
}
