#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.aos_update = aos_update,
          .aos_update_x = aos_update_x,
          .aos_aligned_update = aos_aligned_update,
          .soa_update = soa_update,
          .soa_update_x = soa_update_x,
          .aosoa_update = aosoa_update,
          .aos3_update = aos3_update,
          .aos3_padded_update = aos3_padded_update,
          .aos3_staged_update = aos3_staged_update,
          .soa3_update = soa3_update};
}
