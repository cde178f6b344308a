#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.load_from = load_from,
          .load_sectors = load_sectors,
          .load_one_word = load_one_word,
          .store_sectors = store_sectors,
          .read_offset = read_offset,
          .read_offset_l2_only = read_offset_l2_only,
          .write_offset = write_offset};
}
