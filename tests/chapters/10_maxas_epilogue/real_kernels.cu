#include <doctest/doctest.h>

#include "kernels_under_test.hpp"
#include "short_epilogues.hpp"
#include "steps/01_direct.cuh"
#include "steps/02_wide.cuh"
#include "steps/03_staged.cuh"
#include "steps/04_unsynchronised.cuh"
#include "steps/09_picture.cuh"
#include "steps/10_picture_of_four.cuh"
#include "steps/11_picture_outside.cuh"

Kernels real_kernels() {
  const auto epilogues = short_epilogues();
  return {.direct = direct::launch,
          .wide = wide::launch,
          .staged = staged::launch,
          .unsynchronised = unsynchronised::launch,
          .matrices = epilogues.at(1).launch,
          .bulk = epilogues.at(2).launch,
          .two_kernels = epilogues.at(3).launch,
          .fused = epilogues.at(4).launch,
          .picture = picture::launch,
          .picture_of_four = picture_of_four::launch,
          .picture_outside = picture_outside::launch};
}

// Weak, because mutants have their own.
__attribute__((weak)) Kernels kernels_under_test() { return real_kernels(); }
