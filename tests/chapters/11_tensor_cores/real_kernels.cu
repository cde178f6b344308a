#include <doctest/doctest.h>

#include "course/sgemm_check.hpp"
#include "eight_bit_steps.hpp"
#include "gemm_steps.hpp"
#include "kernels_under_test.hpp"
#include "tensor_steps.hpp"

Kernels real_kernels() {
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
          .bf16_clusters = clusters_of_bf16().launch,
          .any_size = launch_of(any_size_step())};
}

// Weak, because mutants have their own.
__attribute__((weak)) Kernels kernels_under_test() { return real_kernels(); }

TEST_CASE("any_size takes whoever was faster when both were measured") {
  const auto takes_tensor_cores_at = [](const course::SgemmSize& size) {
    Sgemm s = {};
    s.m = size.m;
    s.n = s.ldb = s.ldc = size.n;
    s.k = s.lda = size.k;
    s.alpha = 1.0f;
    s.multiprocessors = 132;
    return takes_tensor_cores(s);
  };
  using Size = course::SgemmSize;
  for (const Size& size : {Size{1024, 1024, 1024}, Size{8192, 8192, 8192}, Size{2392, 1472, 8447},
                           Size{26400, 26432, 592}, Size{704, 5120, 1280}}) {
    CAPTURE(size.m);
    CHECK(takes_tensor_cores_at(size));
  }
  for (const Size& size :
       {Size{1, 1, 1}, Size{512, 512, 512}, Size{64, 4096, 4096}, Size{32, 32, 100000},
        Size{4096, 4096, 16}, Size{617, 873, 80}, Size{1, 8192, 8192}}) {
    CAPTURE(size.m);
    CHECK_FALSE(takes_tensor_cores_at(size));
  }
}
