/// Checks what chapters/04_read_only_cache/README.md says of the picture in colour.

#include <doctest/doctest.h>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/painting.hpp"
#include "chapters/request_model.hpp"
#include "course/divide_up.hpp"
#include "kernels_under_test.hpp"

using course_test::for_each_warp;
using course_test::launch;
using course_test::Painted;
using course_test::Painting;
using course_test::paintings;
using course_test::RequestModel;

namespace {

constexpr int kPainters = 128;

/// Returns the loads of steps, and those of their colours where the palette is in global memory.
RequestModel loads_of(const Painting& p, bool of_palette) {
  RequestModel model;
  for_each_warp(p.wide * p.high, kPainters, [&](int begin, int lanes) {
    std::vector<std::int64_t> points, colours;
    for (int i = begin; i < begin + lanes; ++i) {
      points.push_back(i);
      colours.push_back(p.steps[i]);
    }
    model.request(points, sizeof(int));
    if (of_palette) model.request(colours, sizeof(unsigned));
  });
  return model;
}

void check_cost(const Painting& p, const Painted<unsigned>& painted, bool of_palette) {
  CHECK(painted.picture == p.painted());
  if (!painted.counted) return;
  CHECK(painted.counted->global_load == loads_of(p, of_palette).counters());
  CHECK(painted.counted->global_store == loads_of(p, false).counters());
}

}  // namespace

TEST_CASE("paint_constant: each point gets its colour, and no global load is of the palette") {
  const Kernels kernels = kernels_under_test();
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    const int n = p.wide * p.high;
    REQUIRE(sizeof *kernels.constant_palette == sizeof(unsigned) * p.palette.size());
    course::check(cudaMemcpyToSymbol(*kernels.constant_palette, p.palette.data(),
                                     sizeof *kernels.constant_palette));
    check_cost(p,
               course_test::run_painting<unsigned>(
                   p, n,
                   [&](const int* steps, const unsigned*, unsigned* picture) {
                     launch(kernels.paint_constant, {course::divide_up(n, kPainters), kPainters}, n,
                            steps, picture);
                   }),
               false);
  }
}

TEST_CASE("paint_global: the same, with two loads a warp") {
  for (const Painting& p : paintings()) {
    CAPTURE(p.wide);
    const int n = p.wide * p.high;
    check_cost(p,
               course_test::run_painting<unsigned>(
                   p, n,
                   [&](const int* steps, const unsigned* palette, unsigned* picture) {
                     launch(kernels_under_test().paint_global,
                            {course::divide_up(n, kPainters), kPainters}, n, steps, palette,
                            picture);
                   }),
               true);
  }
}
