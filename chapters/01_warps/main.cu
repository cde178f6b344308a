/// Who runs with whom: the warps of a block, lanes that wait for each other, branches that part
/// them.

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/counters.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/program.hpp"
#include "kernels.cuh"

namespace {

using course::kWarpSize;
constexpr int kBlockLimit = 1024;        // threads of a block
constexpr int kBlockZLimit = 64;         // the same along z
constexpr int kTurnThreads = 64;         // two warps
constexpr int kDivergenceThreads = 256;  // eight warps

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

/// Runs one of the two branching kernels; `lanes_per_side` neighbours take the same side.
void run_divergence(course::Run& run, DivergenceKernel kernel, int lanes_per_side, int n,
                    int rows) {
  run.parameters({{"n", n}, {"rows", rows}, {"block", kDivergenceThreads}});

  const auto values = course::random_floats(std::size_t(rows) * n, run.seed());
  std::vector<float> expected(n, 0.0f);
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      const float value = values[std::size_t(row) * n + i];
      const bool adds = i % kDivergenceThreads / lanes_per_side % 2 == 0;
      expected[i] = adds ? expected[i] + value : std::max(expected[i], value);
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
  program.require([&]() -> std::string {
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
      "divergence_within_warp", "even lanes add, odd lanes compare",
      [&](course::Run& run) { run_divergence(run, divergence_within_warp, 1, n, rows); });
  program.experiment(
      "divergence_between_warps", "even warps add, odd warps compare",
      [&](course::Run& run) { run_divergence(run, divergence_between_warps, kWarpSize, n, rows); });
  return program.run();
}
