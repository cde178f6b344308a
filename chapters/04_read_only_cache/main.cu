/// The read-only path: three ways to write a copy, a promise that saves loads, a table in constant
/// and in global memory, and one that is read again and again.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/look_up.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::kWarpSize;
constexpr int kThreads = 256;
static_assert(kColours == course::mandelbrot::kMost + 1);
static_assert(course::look_up::kEntries == kTableEntries);
constexpr int kFloatsPerKib = 1024 / sizeof(float);

using course::divide_up;

/// Four roundings of values below 4, on either side.
constexpr course::Tolerance kPolynomialTolerance = {.absolute = 16 * course::kFloatRounding};

/// Copies `n` floats.
void run_copy(course::Run& run, int n, decltype(copy_plain)& kernel) {
  run.parameter("elements", n);
  course::require_host_memory(3 * sizeof(float) * static_cast<std::uint64_t>(n), "the copy");
  const auto values = course::random_floats(n, run.seed());

  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", n);
  const double bytes = 1.0 * sizeof(float) * n;
  run.launch({.read_bytes = bytes, .written_bytes = bytes}, [&] {
    if (n > 0) kernel<<<divide_up(n, kThreads), kThreads>>>(n, in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, values);
}

/// The polynomial of a random matrix, at random coefficients.
void run_polynomial(course::Run& run, int columns, int rows, decltype(polynomial_plain)& kernel) {
  run.parameters({{"columns", columns}, {"rows", rows}});
  run.parameter("warp_rows", 1LL * divide_up(columns, kWarpSize) * rows);
  const std::size_t count = std::size_t(columns) * rows;
  course::require_host_memory(4 * sizeof(float) * count, "the polynomial");
  const auto coefficients = course::random_floats(4, course::derive_seed(run.seed(), 1));
  const auto values = course::random_floats(count, run.seed());
  std::vector<float> expected(count);
  std::transform(values.begin(), values.end(), expected.begin(), [&](float x) {
    const auto& k = coefficients;
    return ((k[3] * x + k[2]) * x + k[1]) * x + k[0];
  });

  auto& c = run.input("c", coefficients);
  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", count);
  const int blocks = divide_up(columns, kThreads);
  const double bytes = 1.0 * sizeof(float) * count;
  constexpr double kFlops = 6.0;  // of a cubic polynomial: three products, three sums
  run.launch({.read_bytes = bytes, .written_bytes = bytes, .flops = kFlops * count}, [&] {
    if (count > 0) kernel<<<blocks, kThreads>>>(columns, rows, c.data(), in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected, kPolynomialTolerance);
}

/// Reads a table of `table_kib` KiB `steps` times per thread, with `n` threads.
void run_walk(course::Run& run, int n, int steps, int table_kib) {
  run.parameters({{"readers", n}, {"steps", steps}, {"table_kib", table_kib}});
  const int elements = table_kib * kFloatsPerKib;
  const std::uint64_t values_in_memory = std::uint64_t{2} * elements + std::uint64_t{3} * n;
  course::require_host_memory(sizeof(float) * values_in_memory, "the table");
  const auto values = course::random_floats(elements, run.seed());
  std::vector<float> expected(n, 0.0f);
  std::int64_t stretch = 0;  // where the next stretch of a block begins
  for (int block = 0; block < n; block += kThreads) {
    const int threads = std::min(kThreads, n - block);
    for (int step = 0; step < steps; ++step, stretch += kThreads) {
      auto at = static_cast<int>(stretch % elements);
      for (int thread = 0; thread < threads; ++thread) {
        expected[block + thread] += values[at];
        if (++at == elements) at = 0;
      }
    }
  }

  auto& table = run.input("table", values);
  auto& out = run.output<float>("out", n);
  run.launch({.read_bytes = 1.0 * sizeof(float) * n * steps,
              .written_bytes = 1.0 * sizeof(float) * n,
              .level = course::MemoryLevel::l1},
             [&] {
               if (n > 0)
                 walk_table<<<divide_up(n, kThreads), kThreads>>>(n, steps, elements, table.data(),
                                                                  out.data());
               course::check_launch();
             });
  run.verify(out, expected);
}

/// Paints by `launch(blocks, steps, palette, picture)`.
template <class Launch>
void run_paint(course::Run& run, course::mandelbrot::Drawing& drawing, Launch launch) {
  const auto palette = course::mandelbrot::palette_of(course::mandelbrot::kMost);
  course::check(cudaMemcpyToSymbol(constant_palette, palette.data(), sizeof constant_palette));
  const auto expected = course::mandelbrot::paint(drawing.steps(), palette);
  const int blocks = divide_up(static_cast<int>(drawing.points()), kThreads);
  drawing.write(drawing.run(run, expected,
                            [&](const int* steps, const unsigned* colours, unsigned* picture) {
                              launch(blocks, steps, colours, picture);
                            }),
                1);
}

const std::vector<course::Column> kCopyColumns = {"kernel",
                                                  {"load requests", "global_load_requests"},
                                                  {"load sectors", "global_load_sectors"},
                                                  {"efficiency %", "global_load_efficiency_pct"},
                                                  "verified",
                                                  {"ms", "time_ms"},
                                                  {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kPolynomialColumns = {
    "kernel",
    {"load requests", "global_load_requests"},
    {"per warp and row", "global_load_requests / warp_rows"},
    {"load sectors", "global_load_sectors"},
    {"store requests", "global_store_requests"},
    "verified",
    {"ms", "time_ms"},
    {"useful GB/s", "gb_per_s"}};

const std::vector<course::Column> kLookUpColumns = {"kernel",
                                                    {"entries/warp", "distinct"},
                                                    {"global requests", "global_load_requests"},
                                                    {"global sectors", "global_load_sectors"},
                                                    {"turns", "constant_load_addresses"},
                                                    "verified",
                                                    {"ms", "time_ms"}};

const std::vector<course::Column> kWalkColumns = {"kernel",
                                                  {"table KiB", "table_kib"},
                                                  {"load requests", "global_load_requests"},
                                                  {"load sectors", "global_load_sectors"},
                                                  "verified",
                                                  {"ms", "time_ms"},
                                                  {"GB/s to the lanes", "gb_per_s"}};

const std::vector<course::Column> kPaintColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"turns", "constant_load_addresses / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    "verified",
    {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("04_read_only_cache", "What does a promise about pointers buy?", argc,
                          argv);

  int elements = course::default_for({.counting = 1 << 18, .timing = 1 << 24});
  int columns = course::default_for({.counting = 1 << 14, .timing = 1 << 20});
  int rows = 16;
  int sums = course::default_for({.counting = 1 << 14, .timing = 1 << 22});
  int rounds = 32;
  std::vector<int> distinct = {1, 4, kWarpSize};
  int readers = course::default_for({.counting = 1 << 14, .timing = 1 << 22});
  int steps = 64;
  // Short enough for L1, short enough for L2, and as long as all that is read.
  std::vector<int> tables_kib = {32, course::default_for({.counting = 256, .timing = 8 << 10}),
                                 course::default_for({.counting = 4 << 10, .timing = 1 << 20})};
  course::mandelbrot::Drawing drawing(program);
  program.option("elements", elements, "floats to copy", {0, 1 << 29});
  program.option("columns", columns, "columns of the polynomial's matrix", {0, 1 << 29});
  program.option("rows", rows, "its rows, all of one thread's", {0, 1 << 20});
  program.option("sums", sums, "sums of table entries, one per thread", {0, 1 << 29});
  program.option("rounds", rounds, "entries in a sum", {0, 1 << 16});
  program.option("distinct", distinct, "different entries that a warp reads at a time",
                 {1, kWarpSize});
  program.option("readers", readers, "threads that read the reused table", {0, 1 << 29});
  program.option("steps", steps, "times that each of them reads", {0, 1 << 16});
  program.option("table-kib", tables_kib, "KiB of the reused table", {1, 1 << 21});
  program.require([&]() -> std::string {
    if (1LL * rows * columns > INT_MAX) return "--rows x --columns: at most 2147483647";
    if (1LL * readers * steps > INT_MAX) return "--readers x --steps: at most 2147483647";
    return "";
  });

  program.section("A copy, written in three ways", kCopyColumns);
  program.experiment("copy_plain", "pointers that say nothing about each other",
                     [&](course::Run& run) { run_copy(run, elements, copy_plain); });
  program.experiment("copy_ldg", "loads by __ldg",
                     [&](course::Run& run) { run_copy(run, elements, copy_ldg); });
  program.experiment("copy_restrict", "const __restrict__ pointers",
                     [&](course::Run& run) { run_copy(run, elements, copy_restrict); });

  program.section("A polynomial per element: may a store change its coefficients?",
                  kPolynomialColumns);
  program.experiment(
      "polynomial_plain", "pointers that say nothing about each other",
      [&](course::Run& run) { run_polynomial(run, columns, rows, polynomial_plain); });
  program.experiment(
      "polynomial_registers", "coefficients read once, into registers",
      [&](course::Run& run) { run_polynomial(run, columns, rows, polynomial_registers); });
  program.experiment(
      "polynomial_four_rows", "the same, and four rows loaded before one is stored",
      [&](course::Run& run) { run_polynomial(run, columns, rows, polynomial_four_rows); });
  program.experiment("polynomial_restrict", "const __restrict__ pointers", [&](course::Run& run) {
    run_polynomial(run, columns, rows, polynomial_restrict);
  });

  program.section("A table of 256 floats: how many different entries does a warp read at a time?",
                  kLookUpColumns);
  program.experiment(
      "look_up_constant", "the table in constant memory", distinct,
      [&](course::Run& run, int entries) {
        const auto table = course::look_up::table_of(run);
        course::check(cudaMemcpyToSymbol(constant_table, table.data(), sizeof constant_table));
        course::look_up::run_sums(run, {sums, rounds, entries},
                                  [&](int blocks, const float*, const int* first, float* out) {
                                    look_up_constant<<<blocks, course::look_up::kThreads>>>(
                                        sums, rounds, first, out);
                                  });
      });
  program.experiment("look_up_global", "the table in global memory", distinct,
                     [&](course::Run& run, int entries) {
                       course::look_up::run_sums(
                           run, {sums, rounds, entries},
                           [&](int blocks, const float* table, const int* first, float* out) {
                             look_up_global<<<blocks, course::look_up::kThreads>>>(
                                 sums, rounds, table, first, out);
                           });
                     });

  program.section("A table read again and again: the same requests, whatever its length",
                  kWalkColumns);
  program.experiment("walk_table", "blocks add up stretch after stretch, round and round",
                     tables_kib,
                     [&](course::Run& run, int kib) { run_walk(run, readers, steps, kib); });

  program.section("The picture in colour: for each 32 points", kPaintColumns);
  program.experiment("paint_constant", "the palette in constant memory", [&](course::Run& run) {
    run_paint(run, drawing, [&](int blocks, const int* counts, const unsigned*, unsigned* picture) {
      paint_constant<<<blocks, kThreads>>>(static_cast<int>(drawing.points()), counts, picture);
    });
  });
  program.experiment("paint_global", "the palette in global memory", [&](course::Run& run) {
    run_paint(run, drawing,
              [&](int blocks, const int* counts, const unsigned* palette, unsigned* picture) {
                paint_global<<<blocks, kThreads>>>(static_cast<int>(drawing.points()), counts,
                                                   palette, picture);
              });
  });
  return program.run();
}
