/// How much is on its way: C[i] = A[i + offset] + B[i + offset] with one load of each array in
/// flight per thread, with several, and with wider ones; and a speed-up that was too good to be
/// true.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

constexpr int kMostElements = 1 << 30;  // n + offset, and a grid more, still fit into an int
constexpr int kBlockLimit = 1024;       // threads of a block
constexpr int kMostResident = 32;       // blocks of a multiprocessor
constexpr int kFloatsPerVector = 4;
constexpr int kIntsPerLine = 32;
constexpr double kHopsPerMillion = 1e6;
constexpr double kBytesPerMegabyte = 1e6;

using course::divide_up;

using Kernel = void (*)(int n, int offset, const float* A, const float* B, float* C);

/// A kernel, and what each of its threads does.
struct Variant {
  const char* name;
  const char* help;
  Kernel kernel;
  int elements_per_thread;
  int bytes_in_flight;  // of each thread: all that it asks for before it needs the first answer
};

const Variant kPlain = {"read_offset", "one element per thread", read_offset, 1, 8};
const Variant kUnroll4 = {"read_offset_unroll4",
                          "four elements, eight loads before the first store", read_offset_unroll4,
                          4, 32};
const Variant kFloat4 = {"read_offset_float4", "four neighbouring elements, 16-byte accesses",
                         read_offset_float4, 4, 32};
const Variant kGridStride = {"read_offset_grid_stride", "each thread goes on by the whole grid",
                             read_offset_grid_stride, 1, 8};
const std::vector<Variant> kAnyOffset = {
    kPlain,
    {"read_offset_unroll4_in_turn", "four elements, each stored before the next is loaded",
     read_offset_unroll4_in_turn, 4, 8},
    {"read_offset_unroll2", "two elements, four loads before the first store", read_offset_unroll2,
     2, 16},
    kUnroll4,
    {"read_offset_unroll8", "eight elements, sixteen loads before the first store",
     read_offset_unroll8, 8, 64},
    {"read_offset_float4_shifted", "the same at any offset", read_offset_float4_shifted, 4, 32}};

/// What the kernels read, and what they are to write.
struct Problem {
  std::vector<float> a, b;                         // [n]
  std::vector<float> expected(int offset) const {  // [n - offset]
    std::vector<float> c(a.size() - std::min<std::size_t>(a.size(), offset));
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i + offset] + b[i + offset];
    return c;
  }
};

/// The problem of `n` elements; drawn once, as every run has the same n and seed.
const Problem& problem_of(int n, std::uint64_t seed) {
  static std::optional<Problem> problem;
  if (!problem) {
    constexpr std::uint64_t kArrays = 9;  // on the host, and on a device that shares its memory
    course::require_host_memory(kArrays * sizeof(float) * n, "the sum of two arrays");
    problem = {course::random_floats(n, course::derive_seed(seed, 0)),
               course::random_floats(n, course::derive_seed(seed, 1))};
  }
  return *problem;
}

/// How many elements there are to write.
int count_of(int n, int offset) { return std::max(0, n - offset); }

/// What the sums of `count` pairs have to move and to compute.
course::Work work_of(int count) {
  const double bytes = 1.0 * sizeof(float) * count;
  return {.read_bytes = 2.0 * bytes, .written_bytes = bytes, .flops = 1.0 * count};
}

/// Sums the arrays with one of the kernels, `blocks` of `threads` threads. No kernel uses the
/// `shared_bytes` of a block, but where blocks have many, a multiprocessor has room for fewer.
void run_sum(course::Run& run, const Variant& variant, int n, int offset, int blocks, int threads,
             int shared_bytes = 0) {
  run.parameters({{"n", n}, {"offset", offset}, {"block", threads}});
  run.parameter("bytes_in_flight", variant.bytes_in_flight);
  const Problem& problem = problem_of(n, run.seed());
  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = run.output<float>("C", count_of(n, offset));
  run.launch(work_of(count_of(n, offset)), [&] {
    if (blocks > 0)
      variant.kernel<<<blocks, threads, shared_bytes>>>(n, offset, a.data(), b.data(), c.data());
    course::check_launch();
  });
  run.verify(c, problem.expected(offset));
}

/// As many blocks as it takes.
int blocks_for(const Variant& variant, int count, int threads) {
  return divide_up(count, threads * variant.elements_per_thread);
}

void run_variant(course::Run& run, const Variant& variant, int n, int offset, int threads) {
  const int blocks = blocks_for(variant, count_of(n, offset), threads);
  run_sum(run, variant, n, offset, blocks, threads);
}

/// Blocks of `threads` threads that one multiprocessor holds at a time.
int resident_blocks(Kernel kernel, int threads) {
  int blocks = 0;
  course::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                              /*dynamicSMemSize=*/0));
  return blocks;
}

/// The same sum, with what the occupancy API says about blocks of this size.
void run_block_size(course::Run& run, const Variant& variant, int n, int threads) {
  constexpr double kKibi = 1024.0;
  run_variant(run, variant, n, /*offset=*/0, threads);
  const int resident = resident_blocks(variant.kernel, threads);
  run.parameter("blocks", blocks_for(variant, n, threads));
  run.parameters({{"resident_blocks", resident}, {"resident_threads", resident * threads}});
  run.parameter("kib_in_flight", resident * threads * variant.bytes_in_flight / kKibi);
}

/// The same sum, with room for only `resident` blocks of `threads` threads at a time: of all the
/// shared memory that a multiprocessor has, each block takes its share.
void run_occupancy(course::Run& run, const Variant& variant, int n, int threads, int resident) {
  constexpr double kKibi = 1024.0;
  constexpr int kReserved = 1 << 10, kUnit = 1 << 7;  // bytes: CUDA's own of each block; rounding
  int device = 0, all = 0, most = 0;
  course::check(cudaGetDevice(&device));
  course::check(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  course::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  const int shared_bytes = std::min(most, (all / resident - kReserved) / kUnit * kUnit);
  course::check(cudaFuncSetAttribute(variant.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     shared_bytes));
  run_sum(run, variant, n, /*offset=*/0, blocks_for(variant, n, threads), threads, shared_bytes);
  int blocks = 0;
  course::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, variant.kernel, threads,
                                                              shared_bytes));
  run.parameters({{"resident_blocks", blocks}, {"resident_threads", blocks * threads}});
  run.parameter("kib_in_flight", blocks * threads * variant.bytes_in_flight / kKibi);
}

/// The grid-stride kernel with only `resident` blocks on each multiprocessor, from begin to end.
void run_few_blocks(course::Run& run, int n, int threads, int resident) {
  constexpr double kKibi = 1024.0;
  const int blocks = resident * course::current_device().multiprocessors;
  run_sum(run, kGridStride, n, /*offset=*/0, blocks, threads);
  run.parameters({{"resident_blocks", resident}, {"resident_threads", resident * threads}});
  run.parameter("kib_in_flight", resident * threads * kGridStride.bytes_in_flight / kKibi);
}

/// A grid that fills the device `waves` times over and then goes on.
void run_grid_stride(course::Run& run, int n, int offset, int threads, int waves) {
  const int at_once =
      resident_blocks(kGridStride.kernel, threads) * course::current_device().multiprocessors;
  const int needed = blocks_for(kGridStride, count_of(n, offset), threads);
  run_sum(run, kGridStride, n, offset, std::min(needed, waves * at_once), threads);
}

/// What the others are held against: cudaMemcpy from device to device, of as many bytes.
void run_copy(course::Run& run, int n) {
  run.parameter("n", n);
  const Problem& problem = problem_of(n, run.seed());
  std::vector<float> values = problem.a;  // read once and written once: 3 n / 2 make 12 n bytes
  values.insert(values.end(), problem.b.begin(), problem.b.begin() + n / 2);
  auto& from = run.input("from", values);
  auto& to = run.output<float>("to", values.size());
  const double bytes = sizeof(float) * static_cast<double>(values.size());
  const double timed =
      course::default_for<double>({.counting = 0.0, .timing = bytes});  // it is no kernel
  run.launch({.read_bytes = timed, .written_bytes = timed}, [&] {
    course::check(cudaMemcpyAsync(to.data(), from.data(), values.size() * sizeof(float),
                                  cudaMemcpyDeviceToDevice, nullptr));
  });
  run.verify(to, values);
}

/// The published program: it launches a quarter of the grid and passes n / 4 for n.
void run_published(course::Run& run, int n, int offset, int threads) {
  const int count = count_of(n, offset);
  const Problem& problem = problem_of(n, run.seed());
  const std::vector<float> expected = problem.expected(offset);
  run.parameters({{"n", n}, {"offset", offset}, {"block", threads}});
  auto& a = run.input("A", problem.a);
  auto& b = run.input("B", problem.b);
  auto& c = run.output<float>("C", count);
  const auto launch = [&] {
    if (const int blocks = n / threads / 4; blocks > 0 && count > 0)
      read_offset_unroll4_published<<<blocks, threads>>>(n / 4, offset, a.data(), b.data(),
                                                         c.data());
    course::check_launch();
  };

  // As published: C still holds what the kernel before has left there, the right result.
  if (count > 0)
    read_offset<<<divide_up(count, threads), threads>>>(n, offset, a.data(), b.data(), c.data());
  launch();
  const bool looks_right = course::compare(c.to_host(), expected).ok();
  // The same with C poisoned.
  c.poison();
  launch();
  const std::vector<float> values = c.to_host();
  std::vector<float> written, as_expected;
  for (int i = 0; i < count; ++i) {
    if (std::isnan(values[i])) continue;
    written.push_back(values[i]);
    as_expected.push_back(expected[i]);
  }
  const int done = static_cast<int>(written.size());

  run.launch(work_of(done), launch);
  run.verify("what was written", course::compare(written, as_expected));
  run.parameters({{"claimed", count}, {"written", done}});
  run.parameter("claimed_mb", work_of(count).bytes() / kBytesPerMegabyte);
  run.parameter("left_as_it_was", looks_right ? "passes" : "fails");
  run.parameter("poisoned", done == count ? "passes" : "fails");
  run.parameter("gate", run.impossible(work_of(count)) ? "refuses" : "passes");
}

/// How long one load takes: a chain of indices, one to a line, in random order.
void run_chain(course::Run& run, int hops) {
  const int lines = course::default_for({.counting = 1 << 12, .timing = 1 << 20});
  run.parameters({{"hops", hops}, {"million_hops", hops / kHopsPerMillion}});
  const std::vector<int> order = course::random_permutation(lines, run.seed());
  std::vector<int> next(std::size_t(lines) * kIntsPerLine, 0);
  for (int i = 0; i < lines; ++i)
    next[order[i] * kIntsPerLine] = order[(i + 1) % lines] * kIntsPerLine;
  int at = 0;
  for (int hop = 0; hop < hops; ++hop) at = next[at];

  auto& chain = run.input("next", next);
  auto& last = run.output<int>("last", 1);
  const double bytes = sizeof(int) * std::min(hops, lines);
  run.launch({.read_bytes = bytes, .written_bytes = sizeof(int)}, [&] {
    follow_chain<<<1, 1>>>(hops, chain.data(), last.data());
    course::check_launch();
  });
  run.verify(last, {at});
}

/// Counts the steps of the picture's points, eight at a time.
void run_draw(course::Run& run, course::mandelbrot::Drawing& drawing) {
  namespace mandelbrot = course::mandelbrot;
  const int wide = drawing.wide(), high = drawing.high();
  run.parameters({{"wide", wide}, {"high", high}});
  run.parameter("pieces", drawing.points() / static_cast<double>(course::kWarpSize));
  auto& steps = run.output<int>("steps", drawing.points());
  const dim3 block(16, 16);
  const dim3 grid(course::divide_up(wide, block.x), course::divide_up(high, block.y));
  run.launch({.written_bytes = 1.0 * sizeof(int) * drawing.points()}, [&] {
    draw_eight<<<grid, block>>>(wide, high, mandelbrot::kMost, steps.data());
    course::check_launch();
  });
  run.verify(steps, drawing.steps());
  drawing.write(mandelbrot::paint(steps.to_host(), mandelbrot::palette_of(mandelbrot::kMost)), 1);
}

/// Paints a picture with soft edges, two pixels a thread.
void run_soften(course::Run& run, course::mandelbrot::Drawing& drawing) {
  namespace mandelbrot = course::mandelbrot;
  const auto palette = mandelbrot::palette_of(mandelbrot::kMost);
  const int wide = drawing.wide(), high = drawing.high();
  const auto pixels = mandelbrot::soften(mandelbrot::paint(drawing.steps(), palette), wide, high);
  constexpr int kWide = 32, kHigh = 8;  // a block
  const dim3 grid(course::divide_up(wide / 4, kWide), course::divide_up(high / 2, kHigh));
  drawing.write(mandelbrot::from_planes(drawing.run(
                    run, mandelbrot::planes_of(pixels),
                    [&](const int* steps, const unsigned* colours, unsigned char* planes) {
                      soften_two<<<grid, dim3(kWide, kHigh)>>>(wide, high, steps, colours,
                                                               reinterpret_cast<uchar2*>(planes));
                    })),
                2);
}

const std::vector<course::Column> kPublishedColumns = {"kernel",
                                                       "offset",
                                                       "claimed",
                                                       "written",
                                                       {"load lines", "global_load_lines"},
                                                       {"old C", "left_as_it_was"},
                                                       {"poisoned C", "poisoned"},
                                                       "gate",
                                                       "verified",
                                                       {"ms", "time_ms"},
                                                       {"GB/s claimed", "claimed_mb / time_ms"},
                                                       {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kSumColumns = {
    "kernel",
    "offset",
    {"load requests", "global_load_requests"},
    {"load sectors", "global_load_sectors"},
    {"store requests", "global_store_requests"},
    {"store sectors", "global_store_sectors"},
    "verified",
    {"ms", "time_ms"},
    {"GB/s", "gb_per_s"},
    {"of the copy", "gb_per_s / copy_device_to_device:gb_per_s"}};

const std::vector<course::Column> kBlockColumns = {"kernel",
                                                   "block",
                                                   {"blocks/SM", "resident_blocks"},
                                                   {"threads/SM", "resident_threads"},
                                                   {"KiB in flight/SM", "kib_in_flight"},
                                                   {"load requests", "global_load_requests"},
                                                   "verified",
                                                   {"ms", "time_ms"},
                                                   {"blocks/ms", "blocks / time_ms"},
                                                   {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kOccupancyColumns = {"kernel",
                                                       {"blocks/SM", "resident_blocks"},
                                                       {"threads/SM", "resident_threads"},
                                                       {"KiB in flight/SM", "kib_in_flight"},
                                                       "verified",
                                                       {"ms", "time_ms"},
                                                       {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kChainColumns = {"kernel",
                                                   "hops",
                                                   {"load requests", "global_load_requests"},
                                                   "verified",
                                                   {"ms", "time_ms"},
                                                   {"ns per hop", "time_ms / million_hops"}};

const std::vector<course::Column> kPaintColumns = {
    "kernel",
    {"sectors loaded", "global_load_sectors / pieces"},
    {"sectors stored", "global_store_sectors / pieces"},
    "verified",
    {"ms", "time_ms"}};

const std::vector<course::Column> kDrawColumns = {
    "kernel", {"sectors stored", "global_store_sectors / pieces"}, "verified", {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("07_unrolling", "How much is on its way?", argc, argv);

  int n = course::default_for({.counting = 1 << 20, .timing = 1 << 26});
  std::vector<int> offsets = {0, 11, 128}, aligned_offsets;
  std::vector<int> blocks = {1024, 512, 256, 128, 32}, resident = {1, 2, 4, 8};
  int threads = 256, waves = 1,
      hops = course::default_for({.counting = 1 << 10, .timing = 1 << 14});
  course::mandelbrot::Drawing drawing(program);
  program.option("n", n, "elements of A and B", {0, kMostElements});
  program.option("offset", offsets, "elements of A and B to skip", {0, kMostElements});
  program.option("block", threads, "threads of a block", {1, kBlockLimit});
  program.option("blocks", blocks, "block sizes to compare", {1, kBlockLimit});
  program.option("resident", resident, "blocks that a multiprocessor is to have room for",
                 {1, kMostResident});
  program.option("waves", waves, "blocks of the grid-stride kernel, in grids that fill the device",
                 {1, 1 << 10});
  program.option("hops", hops, "loads that wait for each other", {0, 1 << 20});
  program.require([&] {
    std::ranges::copy_if(offsets, std::back_inserter(aligned_offsets),
                         [](int offset) { return offset % kFloatsPerVector == 0; });
    return std::string();
  });

  program.section("As published: a quarter of the grid, and n / 4 for n", kPublishedColumns);
  program.experiment("read_offset_unroll4_published", "the threefold speed-up, and who believes it",
                     offsets,
                     [&](course::Run& run, int offset) { run_published(run, n, offset, threads); });

  program.section("C[i] = A[i + offset] + B[i + offset]", kSumColumns);
  program.experiment("copy_device_to_device", "cudaMemcpy of as many bytes, to compare with",
                     [&](course::Run& run) { run_copy(run, n); });
  for (const Variant& variant : kAnyOffset)
    program.experiment(variant.name, variant.help, offsets, [&](course::Run& run, int offset) {
      run_variant(run, variant, n, offset, threads);
    });
  program.experiment(
      kFloat4.name, kFloat4.help, aligned_offsets,
      [&](course::Run& run, int offset) { run_variant(run, kFloat4, n, offset, threads); });
  program.experiment(
      kGridStride.name, kGridStride.help, offsets,
      [&](course::Run& run, int offset) { run_grid_stride(run, n, offset, threads, waves); });

  program.section("Block sizes, and the bytes that a multiprocessor has asked for", kBlockColumns);
  program.experiment("blocks_of_read_offset", "read_offset with blocks of several sizes", blocks,
                     [&](course::Run& run, int block) { run_block_size(run, kPlain, n, block); });
  program.experiment("blocks_of_unroll4", "the same for read_offset_unroll4", blocks,
                     [&](course::Run& run, int block) { run_block_size(run, kUnroll4, n, block); });
  program.experiment("blocks_of_float4", "the same for read_offset_float4", blocks,
                     [&](course::Run& run, int block) { run_block_size(run, kFloat4, n, block); });

  program.section("Fewer threads at a time", kOccupancyColumns);
  for (const auto& [name, help, variant] :
       {std::tuple("occupancy_of_read_offset", "room for fewer blocks of read_offset", kPlain),
        std::tuple("occupancy_of_unroll2", "the same for read_offset_unroll2", kAnyOffset[2]),
        std::tuple("occupancy_of_unroll4", "the same for read_offset_unroll4", kUnroll4),
        std::tuple("occupancy_of_unroll8", "the same for read_offset_unroll8", kAnyOffset[4])})
    program.experiment(name, help, resident,
                       [&, variant = variant](course::Run& run, int blocks_at_once) {
                         run_occupancy(run, variant, n, threads, blocks_at_once);
                       });

  program.experiment("occupancy_of_grid_stride", "the same for read_offset_grid_stride", resident,
                     [&](course::Run& run, int blocks_at_once) {
                       run_few_blocks(run, n, threads, blocks_at_once);
                     });

  program.section("How long one load takes", kChainColumns);
  program.experiment("follow_chain", "each load waits for the one before",
                     [&](course::Run& run) { run_chain(run, hops); });

  program.section("The picture, two pixels a thread: for each 32 points", kPaintColumns);
  program.experiment("soften_two", "four points of two rows, with two loads",
                     [&](course::Run& run) { run_soften(run, drawing); });
  program.section("The picture's steps, eight at a time: for each 32 points", kDrawColumns);
  program.experiment("draw_eight", "one look after eight steps",
                     [&](course::Run& run) { run_draw(run, drawing); });
  return program.run();
}
