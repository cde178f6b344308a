#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.warp_map_1d = warp_map_1d,
          .warp_map_2d = warp_map_2d,
          .warp_map_3d = warp_map_3d,
          .lanes_take_turns = lanes_take_turns,
          .divergence_within_warp = divergence_within_warp,
          .divergence_between_warps = divergence_between_warps};
}
