/// From one thread per element to the vendor's library and past it: SGEMM in small steps.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ablations.hpp"
#include "bench.hpp"
#include "bulk_steps.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "course/vendor_sgemm.hpp"
#include "edge_tests.hpp"
#include "ffma_ceiling.cuh"
#include "steps/01_naive.cuh"
#include "steps/02_coalesced.cuh"
#include "steps/03_shared_tile.cuh"
#include "steps/04_thread_tile_1d.cuh"
#include "steps/05_thread_tile_2d.cuh"
#include "steps/06_vectorised.cuh"
#include "steps/07_conflict_free.cuh"
#include "steps/08_tuned.cuh"
#include "steps/09_warp_tiles.cuh"
#include "steps/10_double_buffer.cuh"
#include "tuned_candidates.hpp"

namespace {

constexpr int kMostOfASide = 1 << 30;  // a tile more still fits into an int
constexpr int kGridYLimit = 65535;     // blocks of a grid along y
constexpr int kSmallestTile = 32;
constexpr int kMostRounds = 1 << 15;  // the sums of +-1 are then whole numbers up to 2^24

const std::vector<Step> kFirstSteps = {
    {"naive", "neighbouring lanes take neighbouring rows of C", naive::launch},
    {"coalesced", "neighbouring lanes take neighbouring columns", coalesced::launch},
    {"shared_tile", "a block shares tiles of A and B", shared_tile::launch},
    {"thread_tile_1d", "8 elements of a column of C a thread", thread_tile_1d::launch},
    {"thread_tile_2d", "8 x 8 elements of C a thread", thread_tile_2d::launch},
    {"vectorised", "the same in 16-byte accesses", vectorised::launch},
    {"conflict_free", "the same without bank conflicts", conflict_free::launch},
    {"tuned", "the same with the sizes that --tune found", tuned::launch},
    {"warp_tiles", "the lanes of a warp are a rectangle", warp_tiles::launch},
    {"double_buffer", "tiles are copied while others are multiplied", double_buffer::launch},
};

/// m, n, k of matrices of any proportions: squares, long k, thin ones, layers of networks, and
/// sides that TMA cannot read.
const std::vector<int> kShapes = {
    128, 128, 128, 256, 256, 256, 384, 384, 384, 512, 512, 512, 640, 640, 640, 768, 768, 768,  //
    896, 896, 896, 1000, 1000, 1000, 1280, 1280, 1280, 1536, 1536, 1536, 2560, 2560, 2560,     //
    // Vectors.
    1, 4096, 4096, 1, 11008, 4096, 1, 4096, 11008, 1, 1000, 2048, 4096, 1, 4096, 11008, 1, 4096,
    4099, 1, 4099,
    // Long k.
    32, 32, 100000, 64, 64, 65536, 128, 128, 32768, 256, 256, 32768, 512, 512, 16384,  //
    16, 16, 100000, 100, 100, 50000, 1024, 1024, 4096, 512, 768, 3072,                 //
    // Thin and flat.
    4, 4096, 4096, 16, 4096, 4096, 32, 4096, 4096, 64, 4096, 4096, 128, 4096, 4096,   //
    4096, 4, 4096, 4096, 16, 4096, 4096, 32, 4096, 4096, 64, 4096, 4096, 128, 4096,   //
    8192, 128, 8192, 128, 8192, 8192, 20000, 64, 64, 64, 20000, 64, 20000, 128, 128,  //
    100000, 32, 32, 32, 100000, 32, 100000, 16, 64,                                   //
    // Short k.
    4096, 4096, 16, 4096, 4096, 32, 4096, 4096, 64, 4096, 4096, 256, 1024, 16384, 256,  //
    2048, 2048, 128, 1024, 1024, 64,                                                    //
    // Layers of networks.
    128, 768, 768, 512, 768, 768, 512, 3072, 768, 197, 768, 768, 197, 3072, 768,           //
    16, 11008, 4096, 64, 11008, 4096, 2048, 1280, 5120, 2048, 5120, 1280, 196, 1024, 256,  //
    3136, 64, 576, 784, 512, 1152, 49, 2048, 512, 32, 1000, 2048, 10, 1000, 4096,          //
    // Rows that do not begin on 16 bytes.
    127, 131, 137, 257, 263, 269, 509, 509, 509, 1001, 1003, 1007, 2039, 2039, 2039,  //
    1537, 771, 2053, 31, 33, 99991, 67, 4099, 511, 4099, 65, 257, 1111, 2222, 333,    //
    150, 4096, 4095};

/// One row of the table of sizes.
struct Case {
  Step step;
  Choice choice;
};

/// Multiplies random matrices with one step, beside the vendor's library.
void run_step(course::Run& run, Bench& bench, const Step& step, const Choice& choice) {
  if (bench.ceiling_gflop_per_s) run.parameter("ceiling_gflop_per_s", *bench.ceiling_gflop_per_s);
  const auto& problem = bench.problem(choice, run.seed());
  if (const auto* c = launch_step(run, bench, step, problem)) run.verify_sgemm(*c, problem);
}

/// FFMA from registers, in blocks for every multiprocessor.
void run_ceiling(course::Run& run, Bench& bench, int rounds) {
  constexpr int kThreads = 256, kOwn = 8, kTimes = 8, kBlocksPerMultiprocessor = 2;
  constexpr double kFlopsPerFma = 2.0;
  const int blocks = course::default_for(
      {.counting = 1,
       .timing = kBlocksPerMultiprocessor * course::current_device().multiprocessors});
  run.parameters({{"rounds", rounds}, {"blocks", blocks}});

  // 1 and -1: the sums are whole numbers, and right to the last bit.
  std::vector<float> values;
  for (const int bit : course::random_ints(2 * kOwn * kThreads, run.seed(), 0, 1))
    values.push_back(bit == 0 ? -1.0f : 1.0f);
  std::vector<float> expected(std::size_t(blocks) * kThreads);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    float of_a = 0.0f, of_b = 0.0f;
    for (int own = 0; own < kOwn; ++own) {
      of_a += values[own * kThreads + i % kThreads];
      of_b += values[(kOwn + own) * kThreads + i % kThreads];
    }
    expected[i] = of_a * of_b * static_cast<float>(kTimes * rounds);
  }
  auto& in = run.input("in", values);
  auto& out = run.output<float>("out", expected.size());
  run.launch({.flops = kFlopsPerFma * kOwn * kOwn * kTimes * rounds * kThreads * blocks},
             [&] {
               ffma_ceiling<<<blocks, kThreads>>>(rounds, in.data(), out.data());
               course::check_launch();
             },
             {.flush_l2 = false});
  run.verify(out, expected);
  bench.ceiling_gflop_per_s = run.gflop_per_s();
}

/// What the candidates reach, each at all sizes that it is tried at.
class Search {
 public:
  void run(course::Run& run, Bench& bench, const Candidate& candidate, int size) {
    run.parameters({{"tile_m", candidate.tile_m},
                    {"tile_n", candidate.tile_n},
                    {"tile_k", candidate.tile_k},
                    {"thread_m", candidate.thread_m},
                    {"thread_n", candidate.thread_n}});
    run_step(run, bench, {"tuned", "", candidate.launch}, {.m = size, .n = size, .k = size});
    reached_.try_emplace(shape_of(candidate), 1.0).first->second *= run.gflop_per_s().value_or(0.0);
  }

  /// Writes the winner to `file` as a header. A candidate that is fast at one size and slow at
  /// another one does not win: what counts is the geometric mean over all sizes.
  void write(const std::string& file, const std::vector<int>& sizes) const {
    const auto winner =
        std::max_element(reached_.begin(), reached_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    course::write_text(file, header_of(winner->first, sizes));
  }

 private:
  std::map<std::string, double> reached_;  // the product of GFLOP/s over the sizes
};

/// What is wrong with sizes, in one line; nothing if they can be run.
std::string complaint(const std::vector<Choice>& choices) {
  for (const auto& [m, n, k, alpha, beta] : choices) {
    for (const long long size : {1LL * m * k, 1LL * k * n, 1LL * m * n})
      if (size > INT_MAX) return "a matrix has at most 2147483647 elements";
    if (m / kSmallestTile >= kGridYLimit) return "a matrix has less than 2097120 rows";
  }
  return "";
}

/// The tuned step with some parameters at some size.
struct Trial {
  Candidate candidate;
  int size;
};

/// A way to test for edges at some size.
struct EdgeTrial {
  EdgeTest test;
  int size;
};

/// A step with other tests for the edges of its matrices.
void run_edge_test(course::Run& run, Bench& bench, const EdgeTrial& trial) {
  const auto& [test, size] = trial;
  run.parameters({{"step", test.step}, {"tests", test.tests}});
  if (size % test.whole_m != 0 || size % test.whole_n != 0 || size % test.whole_k != 0)
    return run.skip("only whole tiles can do without tests");
  run_step(run, bench, {test.step, "", test.launch}, {.m = size, .n = size, .k = size});
}

/// A step with or without an idea at some size.
struct VariantTrial {
  Variant variant;
  int size;
};

/// What it reaches; `relation` says whether it has the idea.
void run_variant(course::Run& run, Bench& bench, const char* relation, const VariantTrial& trial) {
  const auto& [variant, size] = trial;
  run.parameter(relation, variant.idea);
  const Step step = {"", "", variant.launch, variant.workspace_floats, lack_for_bulk_steps};
  run_step(run, bench, step, {.m = size, .n = size, .k = size});
}

/// A way in which the last step could go about a product.
struct WayTrial {
  Way way;
  Choice choice;
};

void run_way(course::Run& run, Bench& bench, const WayTrial& trial) {
  run.parameter("tile", trial.way.tile);
  for (const auto& [name, value] : trial.way.made_of) run.parameter(name, value);
  run_step(run, bench, trial.way.step, trial.choice);
}

std::vector<course::Column> ladder_columns() {
  std::vector<course::Column> columns = {
      "kernel",
      {"load requests", "global_load_requests"},
      {"sectors/request", "global_load_sectors / global_load_requests"},
      {"shared loads", "shared_load_requests"},
      {"wavefronts", "shared_load_wavefronts"},
      {"at best", "shared_load_wavefronts_ideal"},
      {"shared stores", "shared_store_requests"},
      {"their wavefronts", "shared_store_wavefronts"},
      {"bulk copies", "bulk_copies"},
      "verified",
      {"max error", "max_error"},
      {"ms", "time_ms"},
      {"GFLOP/s", "gflop_per_s"}};
  if (course::VendorSgemm::exists()) columns.emplace_back("x cuBLAS", "cublas_ms / time_ms");
  columns.emplace_back("x FFMA ceiling", "gflop_per_s / ffma_ceiling:gflop_per_s");
  return columns;
}

std::vector<course::Column> size_columns() {
  std::vector<course::Column> columns = {"m",
                                         "n",
                                         "k",
                                         "step",
                                         "verified",
                                         {"max error", "max_error"},
                                         {"ms", "time_ms"},
                                         {"GFLOP/s", "gflop_per_s"}};
  if (course::VendorSgemm::exists()) columns.emplace_back("x cuBLAS", "cublas_ms / time_ms");
  if (course::backend().reports_time)
    columns.emplace_back("x FFMA ceiling", "gflop_per_s / ceiling_gflop_per_s");
  return columns;
}

std::vector<course::Column> shape_columns() {
  std::vector<course::Column> columns = {
      "m", "n", "k", "tile_m", "tile_n", "blocks", "verified", {"max error", "max_error"}};
  if (course::backend().reports_time) columns.emplace_back("predicted us", "predicted_us");
  columns.insert(columns.end(), {{"ms", "time_ms"}, {"GFLOP/s", "gflop_per_s"}});
  if (course::VendorSgemm::exists()) columns.emplace_back("x cuBLAS", "cublas_ms / time_ms");
  return columns;
}

std::vector<course::Column> way_columns() {
  std::vector<course::Column> columns = shape_columns();
  columns.insert(columns.begin() + 3, "tile");
  return columns;
}

const std::vector<course::Column> kCandidateColumns = {"m",
                                                       "tile_m",
                                                       "tile_n",
                                                       "tile_k",
                                                       "thread_m",
                                                       "thread_n",
                                                       {"shared loads", "shared_load_requests"},
                                                       "verified",
                                                       {"ms", "time_ms"},
                                                       {"GFLOP/s", "gflop_per_s"}};

const std::vector<course::Column> kEdgeColumns = {
    "m", "step", "tests", "verified", {"ms", "time_ms"}, {"GFLOP/s", "gflop_per_s"}};

std::vector<course::Column> variant_columns(const char* relation) {
  return {"m",
          relation,
          {"shared loads", "shared_load_requests"},
          {"wavefronts", "shared_load_wavefronts"},
          "verified",
          {"ms", "time_ms"},
          {"GFLOP/s", "gflop_per_s"}};
}

}  // namespace

int main(int argc, char** argv) {
  course::Program program("09_sgemm", "How fast can matrices be multiplied, and what does it take?",
                          argc, argv);

  const int edge = course::default_for({.counting = 256, .timing = 4096});
  Choice ladder = {.m = edge, .n = edge, .k = edge};
  int rounds = course::default_for({.counting = 1, .timing = 10000});
  std::vector<int> sizes = course::default_for<std::vector<int>>(
      {.counting = {}, .timing = {256, 512, 1000, 1024, 2048, 3072, 4095, 4096, 6144, 8192}});
  std::vector<int> rectangles = course::default_for<std::vector<int>>(
      {.counting = {}, .timing = {8192, 128, 8192, 256, 256, 32768, 1024, 16384, 256}});
  std::vector<int> shapes = course::default_for<std::vector<int>>(
      {.counting = {96, 160, 64, 7, 300, 129, 300, 5, 64, 20, 24, 3000}, .timing = kShapes});
  std::vector<int> way_shapes = course::default_for<std::vector<int>>(
      {.counting = {40, 72, 300}, .timing = {1024, 1024, 64}});
  double most = 3.0;
  std::vector<int> tuned_sizes =
      course::default_for<std::vector<int>>({.counting = {}, .timing = {1024, 2048, 4096}});
  std::vector<int> edge_sizes = course::default_for<std::vector<int>>(
      {.counting = {128}, .timing = {1024, 2048, 4096, 8192}});
  std::vector<int> ablation_sizes =
      course::default_for<std::vector<int>>({.counting = {128}, .timing = {1024, 4096, 8192}});
  std::string tune_file;
  program.option("m", ladder.m, "rows of A and C", {0, kMostOfASide});
  program.option("n", ladder.n, "columns of B and C", {0, kMostOfASide});
  program.option("k", ladder.k, "columns of A, rows of B", {0, kMostOfASide});
  program.option("alpha", ladder.alpha, "factor of A B");
  program.option("beta", ladder.beta, "factor of C; 0 does not read C");
  program.option("rounds", rounds, "of 512 FFMA a thread, to measure their ceiling",
                 {1, kMostRounds});
  program.option("size", sizes, "squares, m = n = k, to compare all steps", {0, kMostOfASide});
  program.option("rectangle", rectangles, "m,n,k of rectangles, one after the other",
                 {0, kMostOfASide});
  program.option("shape", shapes, "m,n,k of matrices of any proportions, one after the other",
                 {0, kMostOfASide});
  program.option("way", way_shapes, "m,n,k of matrices to multiply in all ways that step 17 has",
                 {0, kMostOfASide});
  program.option("way-most", most, "times the best time predicted, for a way to be tried");
  program.option("tune-size", tuned_sizes, "squares to try the tuned step's parameters at",
                 {0, kMostOfASide});
  program.option("edge-size", edge_sizes, "squares to try other tests for edges at",
                 {0, kMostOfASide});
  program.option("ablation-size", ablation_sizes,
                 "squares to add ideas to steps at, and to take them away", {0, kMostOfASide});
  program.option("tune", tune_file,
                 "write the parameters that are fastest over these to this file");

  Bench bench;
  std::vector<Step> steps = kFirstSteps;
  for (const Step& step : bulk_steps()) steps.push_back(step);
  for (const Step& step : ordered_steps()) steps.push_back(step);
  const Step any_shape = steps.back();
  if (course::VendorSgemm::exists()) steps.push_back(bench.vendor());
  std::vector<Case> cases;
  std::vector<Choice> shape_choices;
  std::vector<WayTrial> way_trials;
  std::vector<Trial> trials;
  std::vector<EdgeTrial> edge_trials;
  std::vector<VariantTrial> ablation_trials, build_up_trials;
  Search search;
  program.require([&] {
    if (rectangles.size() % 3 != 0) return std::string("--rectangle: three numbers each");
    if (shapes.size() % 3 != 0) return std::string("--shape: three numbers each");
    if (way_shapes.size() % 3 != 0) return std::string("--way: three numbers each");
    if (!tune_file.empty() && !course::backend().reports_time)
      return std::string("--tune needs times, which only a GPU has");
    if (!tune_file.empty()) course::check_writable(tune_file);
    std::vector<Choice> choices = {ladder};
    const auto choose = [&](int m, int n, int k) {
      choices.push_back({m, n, k, ladder.alpha, ladder.beta});
      for (const Step& step : steps) cases.push_back({step, choices.back()});
    };
    for (const int size : sizes) choose(size, size, size);
    for (std::size_t i = 0; i < rectangles.size(); i += 3)
      choose(rectangles[i], rectangles[i + 1], rectangles[i + 2]);
    for (std::size_t i = 0; i < shapes.size(); i += 3) {
      choices.push_back({shapes[i], shapes[i + 1], shapes[i + 2], ladder.alpha, ladder.beta});
      shape_choices.push_back(choices.back());
    }
    for (std::size_t i = 0; i < way_shapes.size(); i += 3) {
      const auto [m, n, k, alpha, beta] = choices.emplace_back(
          Choice{way_shapes[i], way_shapes[i + 1], way_shapes[i + 2], ladder.alpha, ladder.beta});
      if (m == 0 || n == 0) continue;
      Sgemm s{};
      s.m = m;
      s.n = n;
      s.k = k;
      s.alpha = alpha;
      s.lda = std::max(1, k);
      s.ldb = s.ldc = std::max(1, n);
      s.multiprocessors = course::current_device().multiprocessors;
      for (const Way& way : ways(s, most)) way_trials.push_back({way, choices.back()});
    }
    for (const int size : tuned_sizes) {
      choices.push_back({size, size, size});
      for (const Candidate& candidate : tuned_candidates()) trials.push_back({candidate, size});
    }
    for (const int size : edge_sizes) {
      choices.push_back({size, size, size});
      for (const EdgeTest& test : edge_tests()) edge_trials.push_back({test, size});
    }
    for (const int size : ablation_sizes) {
      choices.push_back({size, size, size});
      for (const Variant& variant : ablations()) ablation_trials.push_back({variant, size});
      for (const Variant& variant : build_up()) build_up_trials.push_back({variant, size});
    }
    return complaint(choices);
  });

  program.section("The ladder", ladder_columns());
  for (const Step& step : steps)
    program.experiment(step.name, step.help,
                       [&](course::Run& run) { run_step(run, bench, step, ladder); });
  program.experiment("ffma_ceiling", "multiply-adds from registers, and nothing else",
                     [&](course::Run& run) { run_ceiling(run, bench, rounds); });

  program.section("All steps at several sizes", size_columns());
  program.experiment("sizes", "all of them at several sizes", cases,
                     [&](course::Run& run, const Case& one) {
                       run.parameter("step", one.step.name);
                       run_step(run, bench, one.step, one.choice);
                     });

  program.section("Any shape", shape_columns());
  program.experiment(
      "shapes", "the last step at matrices of any proportions", shape_choices,
      [&](course::Run& run, const Choice& choice) { run_step(run, bench, any_shape, choice); });

  program.section("Any shape: what the other tiles would have cost", way_columns());
  program.experiment("ways", "a product in every way that the last step has", way_trials,
                     [&](course::Run& run, const WayTrial& trial) { run_way(run, bench, trial); });

  program.section("The tuned step: which parameters?", kCandidateColumns);
  program.experiment("candidates", "the tuned step with other parameters", trials,
                     [&](course::Run& run, const Trial& trial) {
                       search.run(run, bench, trial.candidate, trial.size);
                       if (&trial == &trials.back() && !tune_file.empty())
                         search.write(tune_file, tuned_sizes);
                     });

  program.section("What does it cost to take any size?", kEdgeColumns);
  program.experiment(
      "edge_tests", "two steps, which test for edges in three ways", edge_trials,
      [&](course::Run& run, const EdgeTrial& trial) { run_edge_test(run, bench, trial); });

  program.section("From step 13 to step 14: what does each idea bring?", variant_columns("with"));
  program.experiment(
      "build_up", "step 14's ideas, one after the other", build_up_trials,
      [&](course::Run& run, const VariantTrial& trial) { run_variant(run, bench, "with", trial); });

  program.section("What is each idea of the last step worth?", variant_columns("without"));
  program.experiment("ablations", "the last step without one of its ideas", ablation_trials,
                     [&](course::Run& run, const VariantTrial& trial) {
                       run_variant(run, bench, "without", trial);
                     });
  return program.run();
}
