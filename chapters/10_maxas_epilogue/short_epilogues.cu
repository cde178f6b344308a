#include "short_epilogues.hpp"

#include "course/backend.hpp"
#include "steps/05_matrices.cuh"
#include "steps/06_bulk.cuh"
#include "steps/07_two_kernels.cuh"
#include "steps/08_fused.cuh"

std::vector<ShortEpilogue> short_epilogues() {
  const auto launch_pairs = [](const Layer& layer, cudaStream_t stream) {
    warp_products::launch(layer.product, stream);
  };
  return {{"pairs", "two neighbours a lane, straight from registers", launch_pairs},
          {"matrices", "stmatrix, then 16-byte stores", matrices::launch},
          {"bulk", "stmatrix, then TMA", bulk::launch},
          {"two_kernels", "the same, and a kernel that adds a bias", two_kernels::launch, true},
          {"fused", "the bias is added in registers", fused::launch, true}};
}

std::string lack_for_short_epilogues() {
  constexpr int kHopper = 9;
  if (course::current_device().compute_major >= kHopper) return "";
  return "needs compute capability 9.0 or newer";
}
