#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.listing_01 = listing_01,
          .listing_02 = listing_02,
          .listing_03 = listing_03,
          .listing_04 = listing_04,
          .listing_05 = listing_05,
          .listing_06 = listing_06,
          .listing_07 = listing_07,
          .listing_08 = listing_08,
          .listing_09 = listing_09,
          .listing_12 = listing_12,
          .listing_14 = listing_14,
          .sum_xor = sum_xor,
          .sum_reduce_add = sum_reduce_add,
          .sum_groups = sum_groups,
          .sum_tree_shared = sum_tree_shared,
          .chosen_sum_neutral = chosen_sum_neutral,
          .chosen_sum_within_mask = chosen_sum_within_mask,
          .chosen_sum_groups = chosen_sum_groups,
          .scan_shuffle = scan_shuffle,
          .scan_groups = scan_groups,
          .partition_ballot = partition_ballot,
          .partition_groups = partition_groups,
          .equals_match = equals_match,
          .equals_groups = equals_groups,
          .transpose_shared = transpose_shared,
          .transpose_shuffle = transpose_shuffle,
          .transpose_groups = transpose_groups,
          .tickets_plain = tickets_plain,
          .tickets_match = tickets_match,
          .tickets_groups = tickets_groups,
          .rounds_shuffle = rounds_shuffle,
          .rounds_shared = rounds_shared,
          .rounds_reduce_add = rounds_reduce_add};
}
