/// Checks what chapters/10_maxas_epilogue/README.md says of the picture in one kernel.

#include <doctest/doctest.h>

#include "chapters/painting.hpp"
#include "kernels_under_test.hpp"

using course_test::Painted;
using course_test::Painting;
using course_test::paintings;

namespace {

constexpr int kMost = course::mandelbrot::kMost;

Painted<unsigned char> run(const Painting& p, int most = kMost) {
  return course_test::run_painting<unsigned char>(
      p, 3 * p.softened().size(), [&](const int*, const unsigned* palette, unsigned char* planes) {
        kernels_under_test().picture({p.wide, p.high, most, palette, planes}, nullptr);
      });
}

/// The picture whose points take the Mandelbrot set's steps.
Painting drawn(Painting p, int most = kMost) {
  p.steps = course::mandelbrot::steps_of(p.wide, p.high, most);
  return p;
}

}  // namespace

TEST_CASE("picture: draws what the CPU draws, and paints it") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    for (const int most : {1, 30, kMost}) {
      CAPTURE(most);
      CHECK(run(p, most).picture == course::mandelbrot::planes_of(drawn(p, most).softened()));
    }
  }
}

TEST_CASE("picture: no number of steps is loaded or stored") {
  const Painting p(256, 16);
  const auto counted = run(p).counted;
  if (!counted) return;
  const std::uint64_t warps = 256 * 16 / 32;
  CHECK(counted->global_load.requests == warps);
  CHECK(counted->shared_store.requests == warps);
  CHECK(counted->shared_store.wavefronts == warps);
  CHECK(counted->shared_load.requests == 12 * warps / 4);
  CHECK(counted->shared_load.wavefronts == 2 * 12 * warps / 4);
  CHECK(counted->global_store.requests == 3 * warps / 4);
  CHECK(counted->global_store.sectors == 3 * warps / 4);
  CHECK(counted->global_store.bytes == 3 * 256 * 16 / 4);
}
