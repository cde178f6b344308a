#include <doctest/doctest.h>

#include "bulk_steps.hpp"
#include "ffma_product.hpp"
#include "kernels_under_test.hpp"
#include "steps/01_naive.cuh"
#include "steps/02_coalesced.cuh"
#include "steps/03_shared_tile.cuh"
#include "steps/04_thread_tile_1d.cuh"
#include "steps/05_thread_tile_2d.cuh"
#include "steps/06_vectorised.cuh"
#include "steps/07_conflict_free.cuh"
#include "steps/08_tuned.cuh"
#include "steps/09_warp_tiles.cuh"
#include "steps/10_double_buffer.cuh"
#include "tile_cases.hpp"

Kernels real_kernels() {
  const auto launch_of = [](const Step& step) { return *step.launch.target<Launch*>(); };
  const auto bulk = bulk_steps(), ordered = ordered_steps();
  return {.naive = naive::launch,
          .coalesced = coalesced::launch,
          .shared_tile = shared_tile::launch,
          .thread_tile_1d = thread_tile_1d::launch,
          .thread_tile_2d = thread_tile_2d::launch,
          .vectorised = vectorised::launch,
          .conflict_free = conflict_free::launch,
          .tuned = tuned::launch,
          .warp_tiles = warp_tiles::launch,
          .double_buffer = double_buffer::launch,
          .tma = launch_of(bulk.at(0)),
          .swizzle = launch_of(bulk.at(1)),
          .large_tile = launch_of(bulk.at(2)),
          .register_order = launch_of(ordered.at(0)),
          .slices = launch_of(ordered.at(1)),
          .even_shares = launch_of(ordered.at(2)),
          .any_shape = launch_of(ordered.at(3)),
          .on_demand = [](const Sgemm& s, cudaStream_t stream) {
            ffma_product::launch_on_demand(s, /*wanted=*/0, stream);
          }};
}

// Weak, because mutants have their own.
__attribute__((weak)) Kernels kernels_under_test() { return real_kernels(); }

TEST_CASE("any_shape takes the tiles that it is to be tested with") {
  for (const auto& [size, tile_m, tile_n, is_split] : sgemm_test::kTileCases) {
    Sgemm s = {};
    s.m = size.m;
    s.n = s.ldb = s.ldc = size.n;
    s.k = s.lda = size.k;
    s.alpha = 1.0f;
    s.multiprocessors = sgemm_test::kTileCaseMultiprocessors;
    const Plan plan = ordered_steps().at(3).plan(s);
    CAPTURE(s.m);
    CAPTURE(s.n);
    CAPTURE(s.k);
    CHECK(plan.tile_m == tile_m);
    CHECK(plan.tile_n == tile_n);
    const int tiles = course::divide_up(s.m, tile_m) * course::divide_up(s.n, tile_n);
    CHECK((plan.blocks != tiles) == is_split);
  }
}
