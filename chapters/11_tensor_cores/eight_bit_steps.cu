#include "eight_bit_steps.hpp"

#include "steps/20_short_sums.cuh"
#include "steps/21_promoted_sums.cuh"
#include "steps/22_block_scales.cuh"
#include "tensor_steps.hpp"

std::vector<EightBitStep> eight_bit_steps() {
  return {{"short_sums", "the tensor cores add up all k", short_sums::launch,
           /*has_block_scales=*/false, lack_of_wgmma},
          {"promoted_sums", "they add up 128 k at a time, and FADD the rest", promoted_sums::launch,
           /*has_block_scales=*/false, lack_of_wgmma},
          {"block_scales", "a scale for each block of 128 k", block_scales::launch,
           /*has_block_scales=*/true, lack_of_wgmma}};
}
