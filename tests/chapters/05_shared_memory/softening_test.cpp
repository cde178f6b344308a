/// Checks what chapters/05_shared_memory/README.md says of the picture with soft edges.

#include <doctest/doctest.h>

#include "chapters/launch.hpp"
#include "chapters/painting.hpp"
#include "course/divide_up.hpp"
#include "kernels_under_test.hpp"

using course::divide_up;
using course_test::launch;
using course_test::Painted;
using course_test::Painting;
using course_test::paintings;

namespace {

constexpr int kPointsWide = 64, kPointsHigh = 4;
const dim3 kBlock(32, 8);

Painted<unsigned> run(const Painting& p, Soften* kernel, int width, int height, dim3 block) {
  const dim3 grid(divide_up(width, static_cast<int>(block.x)),
                  divide_up(height, static_cast<int>(block.y)));
  return course_test::run_painting<unsigned>(
      p, p.softened().size(), [&](const int* steps, const unsigned* palette, unsigned* picture) {
        launch(kernel, {grid, block}, p.wide, p.high, steps, palette, picture);
      });
}

Painted<unsigned> run_alone(const Painting& p) {
  return run(p, kernels_under_test().soften_alone, p.wide / 2, p.high / 2, kBlock);
}

Painted<unsigned> run_together(const Painting& p) {
  return run(p, kernels_under_test().soften_together, p.wide, p.high,
             dim3(kPointsWide, kPointsHigh));
}

/// A picture of whole blocks whose points have one colour: the palette costs a sector a request.
Painting plain() {
  Painting p(128, 16);
  std::ranges::fill(p.steps, 0);
  return p;
}

constexpr std::uint64_t kPieces = 128 * 16 / 32;

}  // namespace

TEST_CASE("soften_alone: the mean of four points") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    CHECK(run_alone(p).picture == p.softened());
  }
}

TEST_CASE("soften_together: the mean of four points") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    CHECK(run_together(p).picture == p.softened());
  }
}

TEST_CASE("soften_alone asks for each sector of the steps twice, and stores whole sectors") {
  const auto counted = run_alone(plain()).counted;
  if (!counted) return;
  CHECK(counted->global_load.requests == 2 * kPieces);
  CHECK(counted->global_load.sectors == 8 * kPieces + kPieces);
  CHECK(counted->global_store.requests == kPieces / 4);
  CHECK(counted->global_store.sectors == kPieces);
  CHECK(counted->shared_load.requests == 0);
}

TEST_CASE("soften_together asks for each sector once; a quarter of its warps stores") {
  const auto counted = run_together(plain()).counted;
  if (!counted) return;
  CHECK(counted->global_load.requests == 2 * kPieces);
  CHECK(counted->global_load.sectors == 4 * kPieces + kPieces);
  CHECK(counted->global_store.requests == kPieces / 4);
  CHECK(counted->global_store.sectors == kPieces);
  CHECK(counted->shared_store.requests == kPieces);
  CHECK(counted->shared_store.wavefronts == kPieces);
  CHECK(counted->shared_load.requests == 12 * kPieces / 4);
  CHECK(counted->shared_load.wavefronts == 2 * 12 * kPieces / 4);
}
