/// Who runs with whom: the warps of a block, lanes that wait for each other, branches that part
/// them, and pixels that wait for their neighbours.

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::kWarpSize;
constexpr int kBlockLimit = 1024;        // threads of a block
constexpr int kBlockZLimit = 64;         // the same along z
constexpr int kTurnThreads = 64;         // two warps
constexpr int kDivergenceThreads = 256;  // eight warps
constexpr int kPixelThreads = 256;       // the same

using course::divide_up;

using MapKernel = void (*)(int n, int* warp, int* lane, int* leader);

/// Runs one of the three maps with blocks of the given shape and holds it against the formula.
void run_map(course::Run& run, MapKernel kernel, dim3 block, int n) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  run.parameters({{"n", n}, {"block_x", block.x}, {"block_y", block.y}, {"block_z", block.z}});
  run.parameter("warps", divide_up(threads, kWarpSize));
  run.parameter("last_warp_lanes", (threads - 1) % kWarpSize + 1);

  std::vector<int> expected_warp, expected_lane, expected_leader;
  for (int i = 0; i < n; ++i) {
    const int thread = i % threads;
    expected_warp.push_back(thread / kWarpSize);
    expected_lane.push_back(thread % kWarpSize);
    expected_leader.push_back(thread - thread % kWarpSize);
  }

  auto& warp = run.output<int>("warp", n);
  auto& lane = run.output<int>("lane", n);
  auto& leader = run.output<int>("leader", n);
  run.launch({.written_bytes = 3.0 * sizeof(int) * n}, [&] {
    if (n > 0) kernel<<<divide_up(n, threads), block>>>(n, warp.data(), lane.data(), leader.data());
    course::check_launch();
  });
  run.verify(warp, expected_warp);
  run.verify(lane, expected_lane);
  run.verify(leader, expected_leader);
}

/// Lets the two lanes of every pair alternate and looks at the order in which they did.
void run_turns(course::Run& run, int rounds) {
  constexpr int kPairs = kTurnThreads / 2;
  run.parameters({{"pairs", kPairs}, {"rounds", rounds}});

  std::vector<int> expected_order;
  for (int i = 0; i < kPairs * 2 * rounds; ++i) expected_order.push_back(i % 2);

  auto& turn = run.in_out("turn", std::vector<int>(kPairs, 0));
  auto& order = run.output<int>("order", expected_order.size());
  run.launch({}, [&] {
    lanes_take_turns<<<1, kTurnThreads>>>(kPairs, rounds, turn.data(), order.data());
    course::check_launch();
  });
  run.verify(order, expected_order);
}

using DivergenceKernel = void (*)(int n, int rows, const float* table, float* out);

/// Tells by its number in the block whether a thread adds; it looks for the maximum if not.
using Adds = bool (*)(int thread);

/// Runs one of the branching kernels.
void run_divergence(course::Run& run, DivergenceKernel kernel, Adds adds, int n, int rows) {
  run.parameters({{"n", n}, {"rows", rows}, {"block", kDivergenceThreads}});

  const auto values = course::random_floats(std::size_t(rows) * n, run.seed());
  std::vector<float> expected(n, 0.0f);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      const float value = values[std::size_t(row) * n + i];
      expected[i] =
          adds(i % kDivergenceThreads) ? expected[i] + value : std::max(expected[i], value);
    }
  }

  auto& table = run.input("table", values);
  auto& out = run.output<float>("out", n);
  const int blocks = divide_up(n, kDivergenceThreads);
  const double column_bytes = 1.0 * sizeof(float) * n;
  run.launch({.read_bytes = rows * column_bytes, .written_bytes = column_bytes},
             [&] {
               if (n > 0) kernel<<<blocks, kDivergenceThreads>>>(n, rows, table.data(), out.data());
               course::check_launch();
             },
             {.flush_l2 = false});  // the lesson is who runs, not DRAM
  run.verify(out, expected);
}

/// Which pixels share a warp: a list of pixels for each.
using Warps = std::vector<std::vector<int>>;

/// Blocks of across x down pixels, in rows.
Warps warps_of_blocks(int width, int height, int across, int down) {
  Warps warps;
  for (int top = 0; top < height; top += down) {
    for (int left = 0; left < width; left += across) {
      for (int first = 0; first < across * down; first += kWarpSize) {
        warps.emplace_back();
        for (int thread = first; thread < first + kWarpSize; ++thread) {
          const int col = left + thread % across, row = top + thread / across;
          if (col < width && row < height) warps.back().push_back(row * width + col);
        }
      }
    }
  }
  return warps;
}

/// Pixels dealt out like cards.
Warps warps_of_dealt(int width, int height) {
  const int pixels = width * height;
  Warps warps(divide_up(pixels, kWarpSize));
  for (int pixel = 0; pixel < pixels; ++pixel) warps[pixel % warps.size()].push_back(pixel);
  return warps;
}

/// Writes a picture of the waiting as a PPM file, from a dark grate over embers to white heat: the
/// longer, the brighter.
void write_picture(const std::string& file, int width, int height, int most,
                   const std::vector<int>& waited) {
  static const std::vector<course::mandelbrot::Colour> kStops = {0x0e1020, 0x5a1418, 0xcd3c14,
                                                                 0xffa028, 0xfffae1};
  std::vector<course::mandelbrot::Colour> pixels;
  for (const int rounds : waited)
    pixels.push_back(course::mandelbrot::between(kStops, std::log1p(rounds) / std::log1p(most)));
  course::mandelbrot::write_ppm(file, width, height, pixels);
}

using PixelKernel = void (*)(int width, int height, int most, int* steps, int* waited);

/// Draws the picture with blocks of this shape, and holds steps and waiting against the CPU's.
void run_pixels(course::Run& run, PixelKernel kernel, dim3 grid, dim3 block, const Warps& warps,
                int width, int height, int most, const std::string& file) {
  if (!file.empty()) write_picture(file, 0, 0, most, {});  // a wrong name is no news for later
  const auto expected_steps = course::mandelbrot::steps_of(width, height, most);
  std::vector<int> expected_waited(expected_steps.size());
  std::int64_t all_steps = 0, all_rounds = 0;
  for (const auto& pixels : warps) {
    int rounds = 0;
    for (const int pixel : pixels) rounds = std::max(rounds, expected_steps[pixel]);
    for (const int pixel : pixels) {
      expected_waited[pixel] = rounds - expected_steps[pixel];
      all_steps += expected_steps[pixel];
    }
    all_rounds += rounds;
  }
  run.parameters({{"width", width},
                  {"height", height},
                  {"most", most},
                  {"block_x", block.x},
                  {"block_y", block.y},
                  {"steps", all_steps},
                  {"rounds", all_rounds}});
  run.parameter("lanes_at_work", all_rounds == 0 ? 0.0 : 1.0 * all_steps / all_rounds);

  auto& steps = run.output<int>("steps", expected_steps.size());
  auto& waited = run.output<int>("waited", expected_steps.size());
  run.launch({.written_bytes = 2.0 * sizeof(int) * width * height},
             [&] {
               kernel<<<grid, block>>>(width, height, most, steps.data(), waited.data());
               course::check_launch();
             },
             {.flush_l2 = false});
  run.verify(steps, expected_steps);
  run.verify(waited, expected_waited);
  if (!file.empty()) write_picture(file, width, height, most, waited.to_host());
}

const std::vector<course::Column> kMapColumns = {
    "kernel",         {"x", "block_x"}, {"y", "block_y"},
    {"z", "block_z"}, "warps",          {"lanes of the last", "last_warp_lanes"},
    "verified",       {"ms", "time_ms"}};

const std::vector<course::Column> kTurnColumns = {
    "kernel", "pairs", "rounds", "verified", {"ms", "time_ms"}};

const std::vector<course::Column> kDivergenceColumns = {"kernel",
                                                        "n",
                                                        "rows",
                                                        {"load requests", "global_load_requests"},
                                                        {"load sectors", "global_load_sectors"},
                                                        {"active lanes", "active_lanes_avg"},
                                                        "verified",
                                                        {"ms", "time_ms"}};

const std::vector<course::Column> kPixelColumns = {"kernel",
                                                   {"x", "block_x"},
                                                   {"y", "block_y"},
                                                   {"steps of all threads", "steps"},
                                                   {"rounds of all warps", "rounds"},
                                                   {"lanes at work", "lanes_at_work"},
                                                   "verified",
                                                   {"ms", "time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("01_warps", "Who runs with whom?", argc, argv);

  int block_x = 8, block_y = 6, block_z = 3, rounds = 8, rows = 32;
  int n = course::default_for({.counting = 1 << 16, .timing = 1 << 18});
  program.option("block-x", block_x, "threads of a mapped block along x", {1, kBlockLimit});
  program.option("block-y", block_y, "threads of a mapped block along y", {1, kBlockLimit});
  program.option("block-z", block_z, "threads of a mapped block along z", {1, kBlockZLimit});
  program.option("n", n, "threads of a map, columns of the table", {0, 1 << 26});
  program.option("rows", rows, "rows of the table", {0, 1 << 12});
  program.option("rounds", rounds, "turns that each lane takes", {0, 1 << 12});
  int width = course::default_for({.counting = 240, .timing = 2400});
  int height = course::default_for({.counting = 200, .timing = 2000});
  int most = 200;
  std::vector<int> across = {32, 16, 8, 1};
  std::string picture;
  program.option("width", width, "pixels of the picture", {1, 1 << 13});
  program.option("height", height, "pixels of the picture", {1, 1 << 13});
  program.option("most", most, "steps after which a point is given up", {1, 1 << 16});
  program.option("across", across, "pixels across a block of 256", {1, kPixelThreads});
  program.option("picture", picture, "file for a picture of the waiting, as PPM");
  program.require([&]() -> std::string {
    for (const int pixels : across)
      if (kPixelThreads % pixels != 0) return "--across: must divide 256";
    if (1LL * block_x * block_y * block_z > kBlockLimit)
      return "--block-x, --block-y, --block-z: a block has at most 1024 threads";
    if (1LL * rows * n > INT_MAX) return "--rows x --n: at most 2147483647";
    return "";
  });

  program.section("Which warp runs a thread, in blocks of one, two and three dimensions",
                  kMapColumns);
  program.experiment("warp_map_1d", "number x",
                     [&](course::Run& run) { run_map(run, warp_map_1d, dim3(block_x), n); });
  program.experiment("warp_map_2d", "number x + Bx y", [&](course::Run& run) {
    run_map(run, warp_map_2d, dim3(block_x, block_y), n);
  });
  program.experiment("warp_map_3d", "number x + Bx (y + By z)", [&](course::Run& run) {
    run_map(run, warp_map_3d, dim3(block_x, block_y, block_z), n);
  });

  program.section("Lanes of one warp that wait for each other", kTurnColumns);
  program.experiment("lanes_take_turns", "two lanes alternate, each in a waiting loop",
                     [&](course::Run& run) { run_turns(run, rounds); });

  program.section("A branch inside warps and between warps: the same work, dealt out differently",
                  kDivergenceColumns);
  program.experiment(
      "divergence_within_warp", "even lanes add, odd lanes compare", [&](course::Run& run) {
        run_divergence(
            run, divergence_within_warp, [](int thread) { return thread % 2 == 0; }, n, rows);
      });
  program.experiment("divergence_between_warps", "even warps add, odd warps compare",
                     [&](course::Run& run) {
                       run_divergence(
                           run, divergence_between_warps,
                           [](int thread) { return thread / kWarpSize % 2 == 0; }, n, rows);
                     });
  program.experiment(
      "divergence_one_lane", "lane 0 compares, the others add", [&](course::Run& run) {
        run_divergence(
            run, divergence_one_lane, [](int thread) { return thread % kWarpSize > 0; }, n, rows);
      });

  program.section("A picture: which pixels share a warp, and how many of its lanes are at work",
                  kPixelColumns);
  program.experiment("mandelbrot_near", "a block is a piece of the picture", across,
                     [&](course::Run& run, int pixels) {
                       const dim3 block(pixels, kPixelThreads / pixels);
                       const dim3 grid(divide_up(width, block.x), divide_up(height, block.y));
                       run_pixels(run, mandelbrot_near, grid, block,
                                  warps_of_blocks(width, height, block.x, block.y), width, height,
                                  most, picture);
                     });
  program.experiment(
      "mandelbrot_dealt", "pixels are dealt out to warps like cards", [&](course::Run& run) {
        run_pixels(run, mandelbrot_dealt, divide_up(width * height, kPixelThreads), kPixelThreads,
                   warps_of_dealt(width, height), width, height, most, picture);
      });
  return program.run();
}
