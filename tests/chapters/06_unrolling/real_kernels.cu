#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.read_offset = read_offset,
          .read_offset_unroll4_published = read_offset_unroll4_published,
          .read_offset_unroll4_in_turn = read_offset_unroll4_in_turn,
          .read_offset_unroll2 = read_offset_unroll2,
          .read_offset_unroll4 = read_offset_unroll4,
          .read_offset_unroll8 = read_offset_unroll8,
          .read_offset_grid_stride = read_offset_grid_stride,
          .read_offset_float4 = read_offset_float4,
          .read_offset_float4_shifted = read_offset_float4_shifted,
          .follow_chain = follow_chain};
}
