#include "kernels_under_test.hpp"

#include "kernels.cuh"

Kernels kernels_under_test() {
  return {.maxas_64 = maxas_64,
          .maxas_256 = maxas_256,
          .maxas_64_unsynchronised = maxas_64_unsynchronised,
          .maxas_64_direct = maxas_64_direct,
          .maxas_256_direct = maxas_256_direct,
          .maxas_256_wide = maxas_256_wide};
}
