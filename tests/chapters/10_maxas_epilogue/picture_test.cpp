/// Checks what chapters/10_maxas_epilogue/README.md says of the picture in one kernel, three times.

#include <doctest/doctest.h>

#include "chapters/painting.hpp"
#include "kernels_under_test.hpp"

using course_test::Painted;
using course_test::Painting;
using course_test::paintings;

namespace {

constexpr int kMost = course::mandelbrot::kMost;

Painted<unsigned char> run(PictureLaunch& launch, const Painting& p, int most = kMost) {
  return course_test::run_painting<unsigned char>(
      p, 3 * p.softened().size(), [&](const int*, const unsigned* palette, unsigned char* planes) {
        launch({p.wide, p.high, most, palette, planes}, nullptr);
      });
}

/// The picture whose points take the Mandelbrot set's steps.
Painting drawn(Painting p, int most = kMost) {
  p.steps = course::mandelbrot::steps_of(p.wide, p.high, most);
  return p;
}

}  // namespace

TEST_CASE("the pictures in one kernel: drawn and painted as the CPU does") {
  const Kernels kernels = kernels_under_test();
  for (PictureLaunch* launch :
       {kernels.picture, kernels.picture_of_four, kernels.picture_outside}) {
    for (const Painting& p : paintings()) {
      CAPTURE(p.wide);
      for (const int most : {1, 30, kMost}) {
        CAPTURE(most);
        CHECK(run(*launch, p, most).picture ==
              course::mandelbrot::planes_of(drawn(p, most).softened()));
      }
    }
  }
}

TEST_CASE("picture: no number of steps is loaded or stored") {
  const Painting p(256, 16);
  const auto counted = run(*kernels_under_test().picture, p).counted;
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

TEST_CASE(
    "picture_of_four, picture_outside: nothing but the palette is loaded, nothing is shared") {
  const Kernels kernels = kernels_under_test();
  for (PictureLaunch* launch : {kernels.picture_of_four, kernels.picture_outside}) {
    const auto counted = run(*launch, Painting(256, 32)).counted;
    if (!counted) return;
    const std::uint64_t warps = 256 * 32 / 4 / 32;
    CHECK(counted->global_load.requests == 4 * warps);
    CHECK(counted->shared_store.requests == 0);
    CHECK(counted->shared_load.requests == 0);
    CHECK(counted->global_store.requests == 3 * warps);
    CHECK(counted->global_store.sectors == 3 * 4 * warps);
    CHECK(counted->global_store.bytes == 3 * 32 * warps);
  }
}
