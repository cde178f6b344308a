/// Checks what chapters/06_aos_soa/README.md says of the picture in bytes.

#include <doctest/doctest.h>

#include "chapters/launch.hpp"
#include "chapters/painting.hpp"
#include "course/divide_up.hpp"
#include "kernels_under_test.hpp"

using course_test::launch;
using course_test::Painted;
using course_test::Painting;
using course_test::paintings;

namespace {

using Bytes = std::vector<unsigned char>;

Painted<unsigned char> run(const Painting& p, Soften* kernel) {
  const dim3 grid(course::divide_up(p.wide / 2, 32), course::divide_up(p.high / 2, 8));
  return course_test::run_painting<unsigned char>(
      p, 3 * p.softened().size(),
      [&](const int* steps, const unsigned* palette, unsigned char* rgb) {
        launch(kernel, {grid, dim3(32, 8)}, p.wide, p.high, steps, palette, rgb);
      });
}

/// A picture of whole warps whose points have one colour: the palette costs a sector a request.
Painting plain() {
  Painting p(128, 16);
  std::ranges::fill(p.steps, 0);
  return p;
}

constexpr std::uint64_t kPieces = 128 * 16 / 32;

/// Checks all costs of a kernel; `sectors` is how many a full warp's store touches.
void check_cost(const std::optional<course::Counters>& counted, std::uint64_t sectors) {
  if (!counted) return;
  CHECK(counted->global_load.requests == 2 * kPieces);
  CHECK(counted->global_load.sectors == 9 * kPieces);
  CHECK(counted->global_store.requests == 3 * kPieces / 4);
  CHECK(counted->global_store.sectors == sectors * 3 * kPieces / 4);
}

}  // namespace

TEST_CASE("soften_bytes: red, green and blue of a pixel beside each other, in three sectors") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    CHECK(run(p, kernels_under_test().soften_bytes).picture ==
          course::mandelbrot::bytes_of(p.softened()));
  }
  check_cost(run(plain(), kernels_under_test().soften_bytes).counted, 3);
}

TEST_CASE("soften_planes: all reds, all greens, all blues, each in one sector") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    CHECK(run(p, kernels_under_test().soften_planes).picture ==
          course::mandelbrot::planes_of(p.softened()));
  }
  check_cost(run(plain(), kernels_under_test().soften_planes).counted, 1);
}

TEST_CASE("bytes and planes of a picture, and back") {
  const std::vector<unsigned> pixels = {0x010203, 0xfffefd};
  CHECK(course::mandelbrot::bytes_of(pixels) == Bytes{1, 2, 3, 255, 254, 253});
  CHECK(course::mandelbrot::planes_of(pixels) == Bytes{1, 255, 2, 254, 3, 253});
  CHECK(course::mandelbrot::from_bytes(course::mandelbrot::bytes_of(pixels)) == pixels);
  CHECK(course::mandelbrot::from_planes(course::mandelbrot::planes_of(pixels)) == pixels);
}
