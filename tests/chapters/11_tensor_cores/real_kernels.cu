#include "eight_bit_steps.hpp"
#include "gemm_steps.hpp"
#include "kernels_under_test.hpp"
#include "tensor_steps.hpp"

Kernels kernels_under_test() {
  const auto launch_of = [](const Step& step) { return *step.launch.target<Launch*>(); };
  const auto steps = tensor_steps();
  const auto gemms = gemm_steps();
  const auto eights = eight_bit_steps();
  return {.one_product = launch_of(steps.at(0)),
          .three_products = launch_of(steps.at(1)),
          .wgmma = launch_of(steps.at(2)),
          .large_tile = launch_of(steps.at(3)),
          .promotion = launch_of(steps.at(4)),
          .producer = launch_of(steps.at(5)),
          .registers = launch_of(steps.at(6)),
          .longer_pieces = launch_of(steps.at(7)),
          .persistent = launch_of(steps.at(8)),
          .fitting_tiles = launch_of(steps.at(9)),
          .any_input = launch_of(steps.at(10)),
          .warp_products = gemms.at(0).launch,
          .group_products = gemms.at(1).launch,
          .ring = gemms.at(2).launch,
          .wide_tile = gemms.at(3).launch,
          .tile_order = gemms.at(4).launch,
          .resident_blocks = gemms.at(5).launch,
          .bulk_store = gemms.at(6).launch,
          .tile_sizes = gemms.at(7).launch,
          .short_sums = eights.at(0).launch,
          .promoted_sums = eights.at(1).launch,
          .block_scales = eights.at(2).launch,
          .clusters = launch_of(clusters_of_two()),
          .bf16_clusters = clusters_of_bf16().launch};
}
