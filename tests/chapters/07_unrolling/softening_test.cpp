/// Checks what chapters/07_unrolling/README.md says of the picture: two pixels a thread, and its
/// steps, eight at a time.

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

Painted<unsigned char> run(const Painting& p) {
  const dim3 grid(course::divide_up(p.wide / 4, 32), course::divide_up(p.high / 2, 8));
  return course_test::run_painting<unsigned char>(
      p, 3 * p.softened().size(),
      [&](const int* steps, const unsigned* palette, unsigned char* planes) {
        launch(kernels_under_test().soften_two, {grid, dim3(32, 8)}, p.wide, p.high, steps, palette,
               reinterpret_cast<uchar2*>(planes));
      });
}

/// Lets draw_eight count the steps of this picture's points.
Painted<int> draw(const Painting& p, int most) {
  const dim3 grid(course::divide_up(p.wide, 16), course::divide_up(p.high, 16));
  return course_test::run_painting<int>(
      p, p.steps.size(), [&](const int*, const unsigned*, int* steps) {
        launch(kernels_under_test().draw_eight, {grid, dim3(16, 16)}, p.wide, p.high, most, steps);
      });
}

}  // namespace

TEST_CASE("soften_two: the mean of four points, for two pixels") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    CHECK(run(p).picture == course::mandelbrot::planes_of(p.softened()));
  }
}

TEST_CASE("soften_two: two wide loads a thread, whole sectors, and two bytes a store") {
  Painting p(256, 16);
  std::ranges::fill(p.steps, 0);  // one colour: the palette costs a sector a request
  const auto counted = run(p).counted;
  if (!counted) return;
  const std::uint64_t warps = 256 * 16 / 8 / 32;  // eight points a thread
  CHECK(counted->global_load.requests == warps * (2 + 8));
  CHECK(counted->global_load.sectors == warps * (2 * 16 + 8));
  CHECK(counted->global_store.requests == warps * 3);
  CHECK(counted->global_store.sectors == warps * 3 * 2);
}

TEST_CASE("draw_eight: counts as the CPU does, whether or not eight divides the most steps") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    for (const int most : {0, 1, 7, 8, 9, 30, course::mandelbrot::kMost}) {
      CAPTURE(most);
      CHECK(draw(p, most).picture == course::mandelbrot::steps_of(p.wide, p.high, most));
    }
  }
}

TEST_CASE("draw_eight: loads nothing, and stores whole sectors") {
  const Painting p(256, 16);
  const auto counted = draw(p, course::mandelbrot::kMost).counted;
  if (!counted) return;
  const std::uint64_t warps = 256 * 16 / 32;
  CHECK(counted->global_load.requests == 0);
  CHECK(counted->global_store.requests == warps);
  CHECK(counted->global_store.sectors == 4 * warps);
}

TEST_CASE("two thirds of the points run away within eight steps; the others take most of them") {
  const std::vector<int> steps = course::mandelbrot::steps_of(960, 800, course::mandelbrot::kMost);
  std::uint64_t early = 0, early_steps = 0, all_steps = 0;
  for (const int taken : steps) {
    all_steps += taken;
    early += taken < 8;
    if (taken < 8) early_steps += taken;
  }
  CHECK(3 * early > 2 * steps.size() - steps.size() / 20);
  CHECK(3 * early < 2 * steps.size() + steps.size() / 5);
  CHECK(10 * early_steps < all_steps);
}
