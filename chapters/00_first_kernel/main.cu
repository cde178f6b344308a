/// A first kernel: two arrays added, what a launch costs, and a picture.

#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::divide_up;

using AddKernel = void (*)(int n, const float* a, const float* b, float* c);

/// Adds two arrays of n floats with `blocks` blocks.
void run_add(course::Run& run, AddKernel kernel, int n, int blocks, int block) {
  run.parameters({{"n", n}, {"blocks", blocks}, {"block", block}});
  const auto values_a = course::random_floats(n, course::derive_seed(run.seed(), 1));
  const auto values_b = course::random_floats(n, course::derive_seed(run.seed(), 2));
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = values_a[i] + values_b[i];

  auto& a = run.input("a", values_a);
  auto& b = run.input("b", values_b);
  auto& c = run.output<float>("c", n);
  const double array_bytes = 1.0 * sizeof(float) * n;
  run.launch({.read_bytes = 2 * array_bytes, .written_bytes = array_bytes, .flops = 1.0 * n}, [&] {
    if (n > 0) kernel<<<blocks, block>>>(n, a.data(), b.data(), c.data());
    course::check_launch();
  });
  run.verify(c, expected);
}

void run_answer(course::Run& run) {
  auto& out = run.output<int>("out", 1);
  run.launch({.written_bytes = sizeof(int)}, [&] {
    answer<<<1, 1>>>(out.data());
    course::check_launch();
  });
  run.verify(out, std::vector<int>{42});
}

void run_mandelbrot(course::Run& run, int width, int height, int most, const std::string& file) {
  if (!file.empty())
    course::mandelbrot::write_ppm(file, 0, 0, {});  // a wrong name is no news for later
  run.parameters({{"width", width}, {"height", height}, {"most", most}});
  auto& steps = run.output<int>("steps", std::size_t(width) * height);
  const dim3 block(16, 16);
  const dim3 grid(divide_up(width, block.x), divide_up(height, block.y));
  run.launch({.written_bytes = 1.0 * sizeof(int) * width * height}, [&] {
    mandelbrot<<<grid, block>>>(width, height, most, steps.data());
    course::check_launch();
  });
  run.verify(steps, course::mandelbrot::steps_of(width, height, most));
  if (!file.empty())
    course::mandelbrot::write_ppm(
        file, width, height,
        course::mandelbrot::paint(steps.to_host(), course::mandelbrot::palette_of(most)));
}

const std::vector<course::Column> kAddColumns = {"kernel",
                                                 "n",
                                                 "blocks",
                                                 {"bytes read", "global_load_bytes"},
                                                 {"bytes written", "global_store_bytes"},
                                                 "verified",
                                                 {"ms", "time_ms"},
                                                 {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kAnswerColumns = {"kernel", "verified", {"ms", "time_ms"}};

const std::vector<course::Column> kPictureColumns = {"kernel", "width",    "height",
                                                     "most",   "verified", {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("00_first_kernel", "What does it take to add two arrays?", argc, argv);

  std::vector<int> sizes = {1000, 1 << 16, 1 << 20};
  if (course::backend().reports_time) sizes = {1000, 1 << 16, 1 << 20, 1 << 24, 1 << 26};
  std::vector<int> blocks = {1, 132, 4096};
  int block = 256, width = 240, height = 200, most = 200;
  std::string picture;
  program.option("n", sizes, "elements to add", {0, 1 << 28});
  program.option("blocks", blocks, "blocks of the grid-stride loop", {1, 1 << 20});
  program.option("block", block, "threads of a block", {1, 1024});
  program.option("width", width, "pixels of the picture", {1, 1 << 13});
  program.option("height", height, "pixels of the picture", {1, 1 << 13});
  program.option("most", most, "steps after which a point is given up", {1, 1 << 16});
  program.option("picture", picture, "file for the picture, as PPM");

  program.section("Adding two arrays, one thread per pair", kAddColumns);
  program.experiment("add", "every thread adds one pair", sizes, [&](course::Run& run, int n) {
    run_add(run, add, n, divide_up(n, block), block);
  });

  program.section("The same with a grid of any size", kAddColumns);
  program.experiment("add_grid_stride", "a thread goes on, a whole grid further", blocks,
                     [&](course::Run& run, int of_grid) {
                       run_add(run, add_grid_stride, sizes.empty() ? 0 : sizes.back(), of_grid,
                               block);
                     });

  program.section("A kernel with nothing to do", kAnswerColumns);
  program.experiment("answer", "one thread writes one number", run_answer);

  program.section("A picture", kPictureColumns);
  program.experiment("mandelbrot", "one thread per pixel",
                     [&](course::Run& run) { run_mandelbrot(run, width, height, most, picture); });
  return program.run();
}
