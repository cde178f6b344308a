/// From registers to C: SGEMM with the thread mapping and the epilogue of maxas, and with simpler
/// epilogues to compare; then the ways of today, with tensor cores, TMA and a fused bias.

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "layers.hpp"
#include "short_epilogues.hpp"
#include "steps/01_direct.cuh"
#include "steps/02_wide.cuh"
#include "steps/03_staged.cuh"
#include "steps/04_unsynchronised.cuh"
#include "steps/09_picture.cuh"
#include "steps/10_picture_of_four.cuh"
#include "steps/11_picture_outside.cuh"

namespace {

constexpr int kGridYLimit = 65535;  // blocks of a grid along y
constexpr int kSmallestTile = 64;
constexpr int kMaxPad = 32;
constexpr double kPercent = 100.0;
constexpr int kShortMultiple = 8;      // numbers of 16 bits in 16 bytes
constexpr int kMostOfASide = 1 << 30;  // a tile more still fits into an int

using course::divide_up;

/// An epilogue, and the tile of C that one of its blocks computes.
struct Variant {
  const char* name;
  const char* help;
  int tile;
  bool is_staged;  // results pass through shared memory
  void (*launch)(const Product& p, int tile, cudaStream_t stream);
};

const Variant kMaxas64 = {"maxas_64", "64 threads, tiles of 64 x 64", 64, true, staged::launch};
const Variant kMaxas256 = {"maxas_256", "256 threads, tiles of 128 x 128", 128, true,
                           staged::launch};
const Variant kDirect64 = {"maxas_64_direct", "64 threads, stores straight from registers", 64,
                           false, direct::launch};
const Variant kDirect256 = {"maxas_256_direct", "256 threads, stores straight from registers", 128,
                            false, direct::launch};
const Variant kWide256 = {"maxas_256_wide", "the same with 16-byte stores", 128, false,
                          wide::launch};
const Variant kUnsynchronised = {"maxas_64_unsynchronised", "as published: no __syncwarp()", 64,
                                 true, unsynchronised::launch};

/// What the command line chose.
struct Sgemm {
  int m, n, k;
  float alpha = 1.0f;
  float beta = 0.0f;
};

/// How the matrices are stored.
enum class Order { column_major, row_major };

/// How one row of the report stores its matrices, and what it leaves free in shared memory.
struct Choice {
  Order order = Order::column_major;
  int pad = 0;
};

/// `values`, [rows, columns], as [columns, rows]: row-major becomes column-major and back.
std::vector<float> transposed(const std::vector<float>& values, int rows, int columns) {
  std::vector<float> result(values.size());
  for (std::size_t row = 0, i = 0; row < std::size_t(rows); ++row)
    for (std::size_t col = 0; col < std::size_t(columns); ++col)
      result[col * rows + row] = values[i++];
  return result;
}

/// Launches for column-major matrices that have no gaps.
void launch(const Variant& variant, const Sgemm& s, int pad, const float* a, const float* b,
            float* c) {
  const auto m = std::size_t(s.m), k = std::size_t(s.k);
  variant.launch({.m = s.m,
                  .n = s.n,
                  .k = s.k,
                  .alpha = s.alpha,
                  .A = a,
                  .lda = m,
                  .B = b,
                  .ldb = k,
                  .beta = s.beta,
                  .C = c,
                  .ldc = m,
                  .pad = pad},
                 variant.tile, nullptr);
}

/// The same for row-major ones: C^T = B^T A^T, and the transpose of a row-major matrix is itself,
/// read as column-major.
void launch_row_major(const Variant& variant, const Sgemm& s, int pad, const float* a,
                      const float* b, float* c) {
  const Sgemm exchanged = {.m = s.n, .n = s.m, .k = s.k, .alpha = s.alpha, .beta = s.beta};
  launch(variant, exchanged, pad, b, a, c);
}

/// Multiplies random matrices and returns C, row-major, with the problem that it must solve.
std::vector<float> multiply(course::Run& run, const Variant& variant, const Sgemm& s,
                            const Choice& choice, const course::SgemmProblem& problem) {
  const bool by_column = choice.order == Order::column_major;
  const auto stored = [&](const std::vector<float>& values, int rows, int columns) {
    return by_column ? transposed(values, rows, columns) : values;
  };
  run.parameters({{"m", s.m}, {"n", s.n}, {"k", s.k}, {"alpha", s.alpha}, {"beta", s.beta}});
  run.parameter("order", by_column ? "column" : "row");
  if (variant.is_staged) run.parameter("pad", choice.pad);

  auto& a = run.input("A", stored(problem.a, s.m, s.k));
  auto& b = run.input("B", stored(problem.b, s.k, s.n));
  auto& c = run.in_out("C", stored(problem.c, s.m, s.n));
  const double c_elements = 1.0 * s.m * s.n;
  const double c_reads = s.beta == 0.0f ? 0.0 : c_elements;
  const double ab_elements = c_elements == 0.0 ? 0.0 : 1.0 * s.m * s.k + 1.0 * s.k * s.n;
  run.launch({.read_bytes = sizeof(float) * (ab_elements + c_reads),
              .written_bytes = sizeof(float) * c_elements,
              .flops = problem.size.flops()},
             [&] {
               const auto& start = by_column ? launch : launch_row_major;
               start(variant, s, choice.pad, a.data(), b.data(), c.data());
             });
  return by_column ? transposed(c.to_host(), s.n, s.m) : c.to_host();
}

course::SgemmProblem problem_of(const course::Run& run, const Sgemm& s) {
  constexpr std::uint64_t kCopies = 5;  // of each matrix, on host and device, beside the problem
  const std::uint64_t elements = 1ull * s.m * s.k + 1ull * s.k * s.n + 1ull * s.m * s.n;
  course::require_host_memory(kCopies * sizeof(float) * elements, "the matrices");
  return course::make_sgemm_problem({s.m, s.n, s.k}, run.seed(), s.alpha, s.beta);
}

void run_sgemm(course::Run& run, const Variant& variant, const Sgemm& s, const Choice& choice) {
  const auto problem = problem_of(run, s);
  const std::vector<float> c = multiply(run, variant, s, choice, problem);
  run.verify("C", course::check_sgemm(problem, c));
}

/// Squares of one size, row-major.
void run_square(course::Run& run, const Variant& variant, Sgemm s, int size, int pad) {
  const int tiles = divide_up(size, variant.tile);
  const double side = std::max(1.0, 1.0 * tiles * variant.tile);
  run.parameters({{"size", size}, {"tiles", tiles * tiles}});
  run.parameter("used_pct", kPercent * (size / side) * (size / side));
  s.m = s.n = s.k = size;
  run_sgemm(run, variant, s, {.order = Order::row_major, .pad = pad});
}

/// The kernel that need not be right: counts what is wrong, and verifies that every element was
/// written.
void run_unsynchronised(course::Run& run, Sgemm s, const Choice& choice) {
  constexpr float kUnwritten = 12345.0f;  // no result is as large as this
  s.beta = 0.0f;                          // C is not read
  auto problem = problem_of(run, s);
  std::ranges::fill(problem.c, kUnwritten);
  const std::vector<float> c = multiply(run, kUnsynchronised, s, choice, problem);
  const course::Comparison comparison = course::check_sgemm(problem, c);
  run.parameters({{"checked", comparison.compared}, {"wrong", comparison.mismatches}});
  std::vector<int> is_written(c.size());
  std::ranges::transform(c, is_written.begin(), [](float value) { return value != kUnwritten; });
  run.verify("written", course::compare(is_written, std::vector<int>(c.size(), 1)));
}

/// A product of bfloat16, row-major, as far as its epilogue takes it.
void run_short(course::Run& run, const ShortEpilogue& epilogue, const Sgemm& s) {
  run.parameters({{"m", s.m}, {"n", s.n}, {"k", s.k}});
  if (s.n % kShortMultiple != 0 || s.k % kShortMultiple != 0)
    return run.skip("needs rows that begin on 16 bytes: n and k are multiples of 8");
  if (const std::string lack = lack_for_short_epilogues(); !lack.empty()) return run.skip(lack);
  const layers::Problem problem = layers::make({s.m, s.n, s.k}, run.seed());
  const auto& a = run.input("A", problem.product.a);
  const auto& b = run.input("B", problem.product.b);
  const auto& bias = run.input("bias", problem.bias);
  auto& c = run.output<__nv_bfloat16>("C", std::size_t(s.m) * s.n);
  const Layer layer = {
      .product = {.m = s.m, .n = s.n, .k = s.k, .A = a.data(), .B = b.data(), .C = c.data()},
      .bias = bias.data()};
  const double elements = 1.0 * s.m * s.n, flops = problem.product.floats.size.flops();
  run.launch({.read_bytes = elements > 0 ? 2.0 * s.k * (1.0 * s.m + s.n) : 0.0,
              .written_bytes = 2.0 * elements,
              .flops = flops,
              .tensor_flops = flops},
             [&] { epilogue.launch(layer, nullptr); });
  const std::vector<float> result = short_matrices::widened(c.to_host());
  run.verify("C", epilogue.adds_bias ? layers::check(problem, result)
                                     : course::check_sgemm(problem.product.floats, result));
}

/// What is wrong with a choice of sizes, in one line; nothing if it can be run.
std::string complaint(const Sgemm& s, const std::vector<int>& pads, const std::vector<int>& sizes) {
  for (const long long size : {1LL * s.m * s.k, 1LL * s.k * s.n, 1LL * s.m * s.n})
    if (size > INT_MAX) return "--m, --n, --k: a matrix has at most 2147483647 elements";
  for (const int side : {s.m, s.n})
    if (side / kSmallestTile >= kGridYLimit) return "--m, --n: less than 4194240";
  for (const int pad : pads)
    if (pad % static_cast<int>(sizeof(float)) != 0) return "--pad: a multiple of 4";
  for (const int size : sizes)
    if (1LL * size * size > INT_MAX) return "--size: at most 46340";
  return "";
}

const std::vector<course::Column> kEpilogueColumns = {
    "kernel",
    "order",
    "pad",
    {"store requests", "global_store_requests"},
    {"sectors/request", "global_store_sectors / global_store_requests"},
    {"efficiency %", "global_store_efficiency_pct"},
    {"shared wavefronts", "shared_store_wavefronts"},
    {"at best", "shared_store_wavefronts_ideal"},
    "verified",
    {"ms", "time_ms"},
    {"GFLOP/s", "gflop_per_s"}};

const std::vector<course::Column> kUnsynchronisedColumns = {
    "kernel",
    "pad",
    {"elements checked", "checked"},
    "wrong",
    {"store requests", "global_store_requests"},
    "verified",
    {"ms", "time_ms"}};

const std::vector<course::Column> kShortColumns = {
    "kernel",
    {"store requests", "global_store_requests"},
    {"sectors/request", "global_store_sectors / global_store_requests"},
    {"efficiency %", "global_store_efficiency_pct"},
    {"bulk stores", "bulk_stores"},
    {"shared wavefronts", "shared_store_wavefronts"},
    {"at best", "shared_store_wavefronts_ideal"},
    "verified",
    {"ms", "time_ms"},
    {"GFLOP/s", "gflop_per_s"}};

const std::vector<course::Column> kSizeColumns = {"kernel",
                                                  "size",
                                                  "tiles",
                                                  {"used %", "used_pct"},
                                                  {"load sectors", "global_load_sectors"},
                                                  "verified",
                                                  {"ms", "time_ms"},
                                                  {"GFLOP/s", "gflop_per_s"}};

const std::vector<course::Column> kPictureColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    "verified",
    {"ms", "time_ms"}};

namespace mandelbrot = course::mandelbrot;

/// Draws and paints the Mandelbrot set in one kernel, and returns the picture.
std::vector<mandelbrot::Colour> run_picture(course::Run& run, mandelbrot::Drawing& drawing,
                                            decltype(picture::launch)& launch) {
  const auto palette = mandelbrot::palette_of(mandelbrot::kMost);
  const int wide = drawing.wide(), high = drawing.high();
  const auto pixels = mandelbrot::soften(mandelbrot::paint(drawing.steps(), palette), wide, high);
  auto picture = mandelbrot::from_planes(drawing.run_without_steps(
      run, mandelbrot::planes_of(pixels), [&](const unsigned* colours, unsigned char* planes) {
        launch({wide, high, mandelbrot::kMost, colours, planes}, nullptr);
      }));
  drawing.write(picture, 2);
  return picture;
}

/// Paints those pixels gold whose four points picture_outside knows without a step.
void gild(std::vector<mandelbrot::Colour>& pixels, int wide, int high) {
  constexpr mandelbrot::Colour kGold = 0xffd700;
  for (int row = 0; row < high / 2; ++row)
    for (int col = 0; col < wide / 2; ++col) {
      bool is_known = true;
      for (int k = 0; k < 4; ++k)
        is_known = is_known && picture_outside::never_runs_away(
                                   std::fmaf(3.0f / wide, 2 * col + k % 2, -2.25f),
                                   std::fmaf(2.5f / high, 2 * row + k / 2, -1.25f));
      if (is_known) pixels[std::size_t(row) * (wide / 2) + col] = kGold;
    }
}

}  // namespace

int main(int argc, char** argv) {
  course::Program program("10_maxas_epilogue", "How do results get from registers to memory?", argc,
                          argv);

  const int edge = course::default_for({.counting = 256, .timing = 8192});
  Sgemm s = {.m = edge, .n = edge, .k = course::default_for({.counting = 64, .timing = 32})};
  std::vector<int> pads = {0, 16};
  std::vector<int> sizes = course::default_for<std::vector<int>>(
      {.counting = {}, .timing = {256, 512, 1000, 1024, 2048, 3072, 4095, 4096, 6144, 8192}});
  mandelbrot::Drawing drawing(program);
  program.option("m", s.m, "rows of A and C", {0, kMostOfASide});
  program.option("n", s.n, "columns of B and C", {0, kMostOfASide});
  program.option("k", s.k, "columns of A, rows of B", {0, kMostOfASide});
  program.option("alpha", s.alpha, "factor of A B");
  program.option("beta", s.beta, "factor of C; 0 does not read C");
  program.option("pad", pads, "floats left free between columns in shared memory", {0, kMaxPad});
  program.option("size", sizes, "squares, m = n = k, to compare 64 and 256 threads", {0, INT_MAX});
  std::string known_file;
  program.option("known", known_file, "file for picture_outside's picture, what it knows in gold");

  std::vector<Choice> staged, direct = {{}};
  program.require([&] {
    for (const int pad : pads) staged.push_back({.pad = pad});
    staged.push_back({.order = Order::row_major, .pad = pads.back()});
    return complaint(s, pads, sizes);
  });

  program.section("The epilogue: how a tile of C gets out of the registers", kEpilogueColumns);
  for (const Variant* variant : {&kMaxas64, &kMaxas256})
    program.experiment(
        variant->name, variant->help, staged,
        [&, variant](course::Run& run, Choice choice) { run_sgemm(run, *variant, s, choice); });
  for (const Variant* variant : {&kDirect64, &kDirect256, &kWide256})
    program.experiment(
        variant->name, variant->help, direct,
        [&, variant](course::Run& run, Choice choice) { run_sgemm(run, *variant, s, choice); });

  program.section("The same without __syncwarp()", kUnsynchronisedColumns);
  program.experiment(kUnsynchronised.name, kUnsynchronised.help,
                     [&](course::Run& run) { run_unsynchronised(run, s, {.pad = pads.back()}); });

  program.note(
      "wrong: of the elements checked; verified here: every element was written, rightly or not");

  program.section("The same on tensor cores: bfloat16, row-major", kShortColumns);
  for (const ShortEpilogue& epilogue : short_epilogues())
    program.experiment(epilogue.name, epilogue.help,
                       [&, epilogue](course::Run& run) { run_short(run, epilogue, s); });

  program.section("64 threads or 256? Squares, row-major", kSizeColumns);
  const auto squares = [&](const char* name, const Variant& variant) {
    program.experiment(
        name, std::string(variant.name) + " at several sizes", sizes,
        [&](course::Run& run, int size) { run_square(run, variant, s, size, pads.back()); });
  };
  squares("sizes_of_maxas_64", kMaxas64);
  squares("sizes_of_maxas_256", kMaxas256);
  squares("sizes_of_direct_64", kDirect64);
  squares("sizes_of_direct_256", kDirect256);
  squares("sizes_of_wide_256", kWide256);

  program.section("The picture in one kernel: for each 32 points", kPictureColumns);
  program.experiment("picture", "what is drawn is painted before it is stored",
                     [&](course::Run& run) { run_picture(run, drawing, picture::launch); });
  program.experiment("picture_of_four", "a thread draws the four points of its pixel",
                     [&](course::Run& run) { run_picture(run, drawing, picture_of_four::launch); });
  program.experiment("picture_outside", "the same, without a step for the heart and the disc",
                     [&](course::Run& run) {
                       const int wide = drawing.wide(), high = drawing.high();
                       if (!known_file.empty()) mandelbrot::write_ppm(known_file, 0, 0, {});
                       auto pixels = run_picture(run, drawing, picture_outside::launch);
                       if (known_file.empty()) return;
                       gild(pixels, wide, high);
                       mandelbrot::write_ppm(known_file, wide / 2, high / 2, pixels);
                     });
  return program.run();
}
