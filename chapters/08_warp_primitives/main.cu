/// Warp primitives: published listings and what they do here, then the right ways and their price.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "course/backend.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "course/mandelbrot.hpp"
#include "course/memory.hpp"
#include "course/program.hpp"
#include "expected.hpp"
#include "kernels.cuh"

namespace {

using expected::Ints, expected::Words, expected::kWarpSize;

constexpr int kThreads = 256;
constexpr int kMostSteps = 200;  // of a pixel
constexpr int kWeight = 4;       // of a pixel, for histogram_weighted

using course::divide_up;

// --- One run of a kernel ---

/// How a kernel is launched.
struct Shape {
  int threads = kThreads;
  std::size_t shared_bytes = 0;
};

void require_memory(std::size_t elements) {
  constexpr std::uint64_t kArrays = 8;  // inputs, results, what is expected, and copies of them
  course::require_host_memory(kArrays * sizeof(int) * elements, "the arrays");
}

Ints numbers(const course::Run& run, int n) {
  return course::random_ints(n, run.seed(), -1000, 1000);
}
Ints scans_of_blocks(const Ints& in) { return expected::scans_of_blocks(in, kThreads); }

using Kernel = void (*)(int n, const int* in, int* out);

/// Launches `kernel` on `in` and returns its output, one element for each of `expected`.
const course::DeviceBuffer<int>& launch(course::Run& run, Kernel kernel, const Ints& in,
                                        std::size_t results, Shape shape = {}) {
  const int n = static_cast<int>(in.size());
  run.parameter("n", n);
  auto& device_in = run.input("in", in);
  auto& out = run.output<int>("out", results);
  run.launch({.read_bytes = 1.0 * sizeof(int) * n, .written_bytes = 1.0 * sizeof(int) * results},
             [&] {
               if (n > 0) {
                 kernel<<<divide_up(n, shape.threads), shape.threads, shape.shared_bytes>>>(
                     n, device_in.data(), out.data());
               }
               course::check_launch();
             });
  return out;
}

void run_kernel(course::Run& run, Kernel kernel, const Ints& in, const Ints& expected,
                Shape shape = {}) {
  run.verify(launch(run, kernel, in, expected.size(), shape), expected);
}

/// Elements of few values, so that a match finds some.
void run_equals(course::Run& run, int n, Kernel kernel) {
  constexpr int kValues = 10;
  require_memory(n);
  const Ints in = course::random_ints(n, run.seed(), 0, kValues - 1);
  run_kernel(run, kernel, in, expected::equals_in_warps(in));
}

/// Sums of random chosen lanes.
void run_chosen(course::Run& run, int n,
                void (*kernel)(int n, const int* chosen, const int* in, int* sums)) {
  run.parameter("n", n);
  require_memory(n);
  const Ints in = numbers(run, n);
  const Ints flags = course::random_ints(n, course::derive_seed(run.seed(), 1), 0, 1);
  Ints kept = in;
  for (int i = 0; i < n; ++i) kept[i] *= flags[i];
  const Ints expected = expected::sums_of_warps(kept);

  auto& chosen = run.input("chosen", flags);
  auto& device_in = run.input("in", in);
  auto& sums = run.output<int>("sums", expected.size());
  const double flag_bytes = 1.0 * sizeof(int) * n;
  const double chosen_bytes = sizeof(int) * std::accumulate(flags.begin(), flags.end(), 0.0);
  const double sum_bytes = 1.0 * sizeof(int) * expected.size();
  run.launch({.read_bytes = flag_bytes + chosen_bytes, .written_bytes = sum_bytes}, [&] {
    if (n > 0)
      kernel<<<divide_up(n, kThreads), kThreads>>>(n, chosen.data(), device_in.data(), sums.data());
    course::check_launch();
  });
  run.verify(sums, expected);
}

/// Transposes a 4 x 8 matrix in every warp of `blocks` blocks.
void run_transposition(course::Run& run, int blocks, Shape shape,
                       void (*kernel)(const int* in, int* out), bool is_right = true) {
  const int n = blocks * shape.threads;
  run.parameter("n", n);
  require_memory(n);
  const Ints in = numbers(run, n);
  auto& device_in = run.input("in", in);
  auto& out = run.output<int>("out", n);
  run.launch({.read_bytes = 1.0 * sizeof(int) * n, .written_bytes = 1.0 * sizeof(int) * n}, [&] {
    if (n > 0) {
      kernel<<<blocks, shape.threads, shape.shared_bytes>>>(device_in.data(), out.data());
    }
    course::check_launch();
  });
  if (is_right) return run.verify(out, expected::transposed(in));
  run.known_wrong(out, expected::transposed(in));
}

/// Every element draws a ticket of its key: each key's tickets must be 0, 1, 2, ... in some order.
void run_tickets(course::Run& run, int n, int kinds,
                 void (*kernel)(int n, const int* keys, int* counters, int* tickets)) {
  run.parameters({{"n", n}, {"keys", kinds}});
  require_memory(n);
  const Ints wanted = course::random_ints(n, run.seed(), 0, kinds - 1);
  Ints expected_counters(kinds, 0);
  for (const int key : wanted) ++expected_counters[key];

  auto& device_keys = run.input("keys", wanted);
  auto& counters = run.in_out("counters", Ints(kinds, 0));
  auto& tickets = run.output<int>("tickets", n);
  run.launch({.read_bytes = 1.0 * sizeof(int) * n, .written_bytes = 1.0 * sizeof(int) * n}, [&] {
    if (n > 0) {
      kernel<<<divide_up(n, kThreads), kThreads>>>(n, device_keys.data(), counters.data(),
                                                   tickets.data());
    }
    course::check_launch();
  });
  run.verify(counters, expected_counters);

  const Ints drawn = tickets.to_host();
  Ints first_of(kinds, 0);
  for (int key = 1; key < kinds; ++key)
    first_of[key] = first_of[key - 1] + expected_counters[key - 1];
  Ints times_drawn(n, 0);
  for (int i = 0; i < n; ++i)
    if (drawn[i] >= 0 && drawn[i] < expected_counters[wanted[i]])
      ++times_drawn[first_of[wanted[i]] + drawn[i]];
  run.verify("times that each ticket was drawn", course::compare(times_drawn, Ints(n, 1)));
}

/// Keeps the negative elements, in any order.
void run_compaction(course::Run& run, int n,
                    void (*kernel)(int n, const int* in, int* count, int* out)) {
  run.parameter("n", n);
  require_memory(n);
  const Ints in = numbers(run, n), expected = expected::sorted_negatives(in);
  auto& device_in = run.input("in", in);
  auto& count = run.in_out("count", Ints{0});
  auto& out = run.output<int>("out", expected.size());
  const double kept_bytes = 1.0 * sizeof(int) * expected.size();
  run.launch({.read_bytes = 1.0 * sizeof(int) * n, .written_bytes = kept_bytes}, [&] {
    if (n > 0)
      kernel<<<divide_up(n, kThreads), kThreads>>>(n, device_in.data(), count.data(), out.data());
    course::check_launch();
  });
  run.verify(count, Ints{static_cast<int>(expected.size())});
  Ints kept = out.to_host();
  std::sort(kept.begin(), kept.end());
  run.verify("elements kept", course::compare(kept, expected));
}

/// Counts how many pixels of the picture take each number of steps.
/// Blocks for so many elements; with private counts, no more than fill the device.
int blocks_for(int n, bool has_private_counts) {
  constexpr int kBlocksPerMultiprocessor = 2048 / kThreads;
  const int all = divide_up(n, kThreads);
  if (!has_private_counts) return all;
  return std::min(all, kBlocksPerMultiprocessor * course::current_device().multiprocessors);
}

/// Counts by `launch(blocks, values, counts)`, each pixel `weight` times.
template <class Launch>
void run_histogram(course::Run& run, int width, int height, bool has_private_counts, int weight,
                   Launch launch) {
  const int n = width * height;
  run.parameters({{"n", n}, {"width", width}, {"height", height}});
  require_memory(n);
  const Ints steps = course::mandelbrot::steps_of(width, height, kMostSteps);
  auto& values = run.input("values", steps);
  auto& counts = run.in_out("counts", Ints(kMostSteps + 1, 0));
  const int blocks = blocks_for(n, has_private_counts);  // asking the device takes a millisecond
  run.launch({.read_bytes = 1.0 * sizeof(int) * n}, [&] {
    launch(blocks, values.data(), counts.data());
    course::check_launch();
  });
  Ints expected_counts = expected::histogram(steps, kMostSteps + 1);
  for (int& count : expected_counts) count *= weight;
  run.verify(counts, expected_counts);
}

/// Counts every pixel once.
void run_histogram(course::Run& run, int width, int height,
                   void (*kernel)(int n, const int* values, int* counts),
                   bool has_private_counts = false) {
  run_histogram(run, width, height, has_private_counts, 1,
                [&](int blocks, const int* values, int* counts) {
                  kernel<<<blocks, kThreads>>>(width * height, values, counts);
                });
}

/// Writes a picture of the queues as a PPM file, from a dark grate over embers to white heat: the
/// longer, the brighter. A picture of no pixels finds out whether the file can be written.
void write_queues(const std::string& file, int width, int height) {
  static const std::vector<course::mandelbrot::Colour> kStops = {0x0e1020, 0x5a1418, 0xcd3c14,
                                                                 0xffa028, 0xfffae1};
  std::vector<course::mandelbrot::Colour> pixels;
  for (const int queue : expected::queues(course::mandelbrot::steps_of(width, height, kMostSteps)))
    pixels.push_back(course::mandelbrot::between(kStops, (queue - 1.0) / (kWarpSize - 1)));
  course::mandelbrot::write_ppm(file, width, height, pixels);
}

/// Counts every pixel kWeight times.
void run_weighted(course::Run& run, int width, int height,
                  void (*kernel)(int n, int weight, const int* values, int* counts)) {
  run_histogram(run, width, height, true, kWeight, [&](int blocks, const int* values, int* counts) {
    kernel<<<blocks, kThreads>>>(width * height, kWeight, values, counts);
  });
}

void run_rounds(course::Run& run, int n, int rounds,
                void (*kernel)(int n, int rounds, const unsigned* in, unsigned* out)) {
  run.parameters({{"n", n}, {"rounds", rounds}});
  require_memory(n);
  run.parameter("million_sums", 1e-6 * rounds * divide_up(n, kWarpSize));
  const Ints seeds = course::random_ints(n, run.seed(), 0, 1 << 30);
  const Words in(seeds.begin(), seeds.end());
  auto& device_in = run.input("in", in);
  auto& out = run.output<unsigned>("out", n);
  run.launch({.read_bytes = 1.0 * sizeof(int) * n, .written_bytes = 1.0 * sizeof(int) * n}, [&] {
    if (n > 0)
      kernel<<<divide_up(n, kThreads), kThreads>>>(n, rounds, device_in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected::after_rounds(in, rounds));
}

// --- The listings that need more than a list of what should come out ---

void run_listing_02(course::Run& run, int n) {
  run.parameter("n", n);
  const Ints values = course::random_ints(n, run.seed(), 0, 9);
  Words in(values.begin(), values.end());
  for (int i = 0; i < n; ++i)
    if (i / kWarpSize % 2 == 0) in[i] = i / kWarpSize % 5;  // warps of equals, odd or even
  auto& device_in = run.input("in", in);
  auto& out = run.output<unsigned>("out", std::size_t(10) * n);
  run.launch({}, [&] {
    if (n > 0) listing_02<<<divide_up(n, kThreads), kThreads>>>(n, device_in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected::exchanges_of(in));
}

void run_listing_12(course::Run& run, int n) {
  run.parameter("n", n);
  const Ints in = numbers(run, n);
  auto& device_in = run.input("in", in);
  auto& out = run.output<unsigned>("out", n);
  run.launch({}, [&] {
    if (n > 0) listing_12<<<divide_up(n, kThreads), kThreads>>>(n, device_in.data(), out.data());
    course::check_launch();
  });
  run.verify(out, expected::passing_lanes(in));
}

/// Sums of whole warps are right; that of a partial one may be anything.
void run_listing_03(course::Run& run, int n) {
  const bool is_whole = n % kWarpSize == 0;
  run.parameter("case", is_whole ? "whole warps" : "a partial warp");
  const Ints in = numbers(run, n);
  const Ints right = expected::sums_of_warps(in);
  const auto& sums = launch(run, listing_03, in, right.size());
  if (is_whole) return run.verify(sums, right);

  Ints sure = sums.to_host(), sure_right = right;
  sure.pop_back();
  sure_right.pop_back();
  run.verify("sums of whole warps", course::compare(sure, sure_right));
  run.known_wrong(sums, right);
}

/// With one side, the sum of the warp; with more, of those who took the same side.
void run_listing_05(course::Run& run, int n, int sides) {
  run.parameter("case", sides == 1 ? "lanes together" : "lanes apart");
  run.parameters({{"n", n}, {"sides", sides}});
  const Ints in = numbers(run, n);
  auto& device_in = run.input("in", in);
  auto& masks = run.output<unsigned>("masks", n);
  auto& out = run.output<int>("out", n);
  run.launch({}, [&] {
    if (n > 0) {
      listing_05<<<divide_up(n, kThreads), kThreads>>>(n, sides, device_in.data(), masks.data(),
                                                       out.data());
    }
    course::check_launch();
  });

  const Words here = masks.to_host();
  Ints sums_of_masks(n, 0);
  for (int i = 0; i < n; ++i)
    for (unsigned left = here[i]; left != 0; left &= left - 1)
      sums_of_masks[i] += expected::element(in, i / kWarpSize * kWarpSize + std::countr_zero(left));
  run.verify(out, sums_of_masks);
  if (sides == 1) return run.verify(out, expected::sums_for_all(in));
  run.known_wrong(out, expected::sums_for_all(in));
}

void run_listing_06(course::Run& run, int warps, int tile_bytes) {
  constexpr int kMatrices = 32;
  const int threads = warps * kWarpSize;
  run.parameter("case", warps == 1 ? "blocks of one warp" : "blocks of two warps");
  run.parameter("warps", warps);
  const std::size_t bytes = tile_bytes ? tile_bytes : sizeof(int) * threads;
  run_transposition(run, kMatrices / warps, {threads, bytes}, listing_06, warps == 1);
}

/// Nothing is sure: the tree is a race.
void run_listing_07(course::Run& run, int n, int tree_bytes) {
  constexpr std::size_t kRead = sizeof(int) * (kWarpSize + kWarpSize / 2);
  run.parameter("case", "a race");
  const Ints in = numbers(run, n), right = expected::sums_of_warps(in);
  const std::size_t bytes = tree_bytes ? tree_bytes : kRead;
  run.known_wrong(launch(run, listing_07, in, right.size(), {kWarpSize, bytes}), right);
}

void run_listing_08(course::Run& run, int n) {
  run.parameter("case", "the published repair");
  const Ints in = numbers(run, n), right = expected::sums_of_warps(in);
  const auto& sums = launch(run, listing_08, in, right.size(), {kWarpSize});
  run.verify(sums, expected::upper_halves(in));
  run.known_wrong(sums, right);
}

void run_listing_14(course::Run& run, int n) {
  run.parameters({{"case", "who is here"}, {"n", n}});
  auto& before = run.output<unsigned>("before", n);
  auto& after = run.output<unsigned>("after", n);
  run.launch({}, [&] {
    if (n > 0) listing_14<<<divide_up(n, kThreads), kThreads>>>(n, before.data(), after.data());
    course::check_launch();
  });
  const Words masks = after.to_host();
  Words own(n);
  for (int i = 0; i < n; ++i) own[i] = masks[i] >> i % kWarpSize & 1;
  run.verify("lanes that see themselves", course::compare(own, Words(n, 1)));
  run.known_wrong(after, before.to_host());
}

const std::vector<course::Column> kListingColumns = {
    "kernel", "n", {"shared requests", "shared_load_requests + shared_store_requests"}, "verified"};

const std::vector<course::Column> kFaultColumns = {"kernel",
                                                   "case",
                                                   "n",
                                                   {"wrong elements", "wrong_elements"},
                                                   {"should be", "should_be"},
                                                   {"came out", "came_out"},
                                                   "verified"};

const std::vector<course::Column> kRightColumns = {
    "kernel",
    "n",
    {"shared requests", "shared_load_requests + shared_store_requests"},
    {"wavefronts", "shared_load_wavefronts + shared_store_wavefronts"},
    "verified",
    {"ms", "time_ms"},
    {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kTicketColumns = {"kernel",
                                                    "n",
                                                    "keys",
                                                    {"atomic requests", "global_atomic_requests"},
                                                    {"atomic sectors", "global_atomic_sectors"},
                                                    "verified",
                                                    {"ms", "time_ms"}};

const std::vector<course::Column> kCompactionColumns = {
    "kernel",
    "n",
    {"atomic requests", "global_atomic_requests"},
    {"atomic sectors", "global_atomic_sectors"},
    "verified",
    {"ms", "time_ms"},
    {"GB/s", "gb_per_s"}};

const std::vector<course::Column> kHistogramColumns = {
    "kernel",
    "width",
    "height",
    {"atomic requests", "global_atomic_requests"},
    {"atomic sectors", "global_atomic_sectors"},
    {"shared atomics", "shared_atomic_requests"},
    {"wavefronts", "shared_atomic_wavefronts"},
    "verified",
    {"ms", "time_ms"}};

const std::vector<course::Column> kRoundColumns = {
    "kernel",
    "n",
    "rounds",
    {"shared requests", "shared_load_requests + shared_store_requests"},
    {"wavefronts", "shared_load_wavefronts + shared_store_wavefronts"},
    "verified",
    {"ms", "time_ms"},
    {"10^9 sums/s", "million_sums / time_ms"}};

}  // namespace

int main(int argc, char** argv) {
  course::Program program("08_warp_primitives", "How do 32 threads work as one?", argc, argv);

  int listing_n = 1013, tile_bytes = 0;
  int n = course::default_for({.counting = 4085, .timing = (1 << 24) - 11});
  int width = course::default_for({.counting = 240, .timing = 3072});
  int height = course::default_for({.counting = 200, .timing = 2560});
  std::vector<int> keys = {1, 256};
  std::vector<int> rounds = course::default_for<std::vector<int>>({{1, 8}, {1, 64}});
  program.option("listing-n", listing_n, "elements of the listings", {0, 1 << 20});
  program.option("tile-bytes", tile_bytes,
                 "shared memory of listings 6 and 7: 128 is what they declare, and too little on a "
                 "GPU without a checker; 0, what they touch",
                 {0, 1 << 10});
  program.option("n", n, "elements", {0, 1 << 26});
  program.option("keys", keys, "kinds of tickets", {1, 1 << 16});
  program.option("width", width, "pixels of the picture", {1, 1 << 13});
  program.option("height", height, "pixels of the picture", {1, 1 << 13});
  std::string picture;
  program.option("picture", picture, "file for a picture of the queues, as PPM");
  program.option("rounds", rounds, "sums one after the other", {0, 1 << 12});

  // The body of an experiment: a kernel of the commonest kind, on `count` elements.
  const auto ints = [](int& count, Kernel kernel, Ints (*expect)(const Ints&), Shape shape = {}) {
    return [&count, kernel, expect, shape](course::Run& run) {
      require_memory(count);
      const Ints in = numbers(run, count);
      run_kernel(run, kernel, in, expect(in), shape);
    };
  };

  program.section("Listings that are right", kListingColumns);
  program.experiment("listing_01", "a tree of shuffles: lane 0 gets the sum",
                     ints(listing_n, listing_01, expected::tree_of_warps));
  program.experiment("listing_02", "shuffles, votes and matches",
                     [&](course::Run& run) { run_listing_02(run, listing_n); });
  program.experiment("listing_04", "a shuffle in both sides of a branch",
                     ints(listing_n, listing_04, expected::plus_or_minus_the_first));
  program.experiment("listing_09", "one atomic for all lanes that want the same ticket",
                     [&](course::Run& run) { run_tickets(run, listing_n, 8, listing_09); });
  program.experiment("listing_12", "a vote after a branch",
                     [&](course::Run& run) { run_listing_12(run, listing_n); });

  program.section("Listings with a fault, and what it does here", kFaultColumns);
  const std::vector<int> one_and_two = {1, 2};
  program.experiment("listing_03", "lanes read outside the mask", one_and_two,
                     [&](course::Run& run, int which) {
                       const int whole = listing_n / kWarpSize * kWarpSize;
                       run_listing_03(run, which == 1 ? whole : listing_n);
                     });
  program.experiment("listing_05", "__activemask() as a mask", one_and_two,
                     [&](course::Run& run, int sides) { run_listing_05(run, listing_n, sides); });
  program.experiment("listing_06", "a tile for one warp", one_and_two,
                     [&](course::Run& run, int warps) { run_listing_06(run, warps, tile_bytes); });
  program.experiment("listing_07", "a tree that reads and writes at once",
                     [&](course::Run& run) { run_listing_07(run, listing_n, tile_bytes); });
  program.experiment("listing_08", "a tree that forgets its own element",
                     [&](course::Run& run) { run_listing_08(run, listing_n); });
  program.experiment("listing_14", "who is here after __syncwarp()?",
                     [&](course::Run& run) { run_listing_14(run, listing_n); });

  program.section("The right ways: sums", kRightColumns);
  program.experiment("sum_xor", "the sum for every lane, by shuffles",
                     ints(n, sum_xor, expected::sums_for_all));
  program.experiment("sum_reduce_add", "the same by __reduce_add_sync",
                     ints(n, sum_reduce_add, expected::sums_for_all));
  program.experiment("sum_groups", "the same with cooperative groups",
                     ints(n, sum_groups, expected::sums_for_all));
  program.experiment("sum_tree_shared", "listing 7 repaired",
                     ints(n, sum_tree_shared, expected::sums_of_warps, {kWarpSize}));
  program.experiment("chosen_sum_neutral", "listing 3 repaired: the others add 0",
                     [&](course::Run& run) { run_chosen(run, n, chosen_sum_neutral); });
  program.experiment("chosen_sum_within_mask", "listing 3 repaired: the mask is halved",
                     [&](course::Run& run) { run_chosen(run, n, chosen_sum_within_mask); });
  program.experiment("chosen_sum_groups", "the same with cooperative groups",
                     [&](course::Run& run) { run_chosen(run, n, chosen_sum_groups); });

  program.section("The right ways: scans, votes, matches, transposition", kRightColumns);
  program.experiment("scan_shuffle", "running totals in each block",
                     ints(n, scan_shuffle, scans_of_blocks));
  program.experiment("scan_groups", "the same with cooperative groups",
                     ints(n, scan_groups, scans_of_blocks));
  program.experiment("partition_ballot", "negative elements of each warp first",
                     ints(n, partition_ballot, expected::partitions_of_warps));
  program.experiment("partition_groups", "the same with cooperative groups",
                     ints(n, partition_groups, expected::partitions_of_warps));
  program.experiment("equals_match", "elements of the warp that equal this one",
                     [&](course::Run& run) { run_equals(run, n, equals_match); });
  program.experiment("equals_groups", "the same with cooperative groups",
                     [&](course::Run& run) { run_equals(run, n, equals_groups); });
  const auto transposition = [&](auto kernel) {
    return [&n, kernel](course::Run& run) { run_transposition(run, n / kThreads, {}, kernel); };
  };
  program.experiment("transpose_shared", "listing 6 repaired: a tile for every warp",
                     transposition(transpose_shared));
  program.experiment("transpose_shuffle", "the same by one shuffle",
                     transposition(transpose_shuffle));
  program.experiment("transpose_groups", "the same with cooperative groups",
                     transposition(transpose_groups));

  program.section("Tickets: atomics of one warp taken together", kTicketColumns);
  const auto tickets = [&](auto kernel) {
    return [&n, kernel](course::Run& run, int kinds) { run_tickets(run, n, kinds, kernel); };
  };
  program.experiment("tickets_plain", "every thread for itself", keys, tickets(tickets_plain));
  program.experiment("tickets_match", "listing 9 repaired", keys, tickets(tickets_match));
  program.experiment("tickets_groups", "the same with cooperative groups", keys,
                     tickets(tickets_groups));

  program.section("Compaction: the negative elements, side by side", kCompactionColumns);
  program.experiment("compact_plain", "every thread takes a place",
                     [&](course::Run& run) { run_compaction(run, n, compact_plain); });
  program.experiment("compact_ballot", "one lane takes places for its warp",
                     [&](course::Run& run) { run_compaction(run, n, compact_ballot); });

  program.section("A histogram of the picture: steps of each pixel", kHistogramColumns);
  program.experiment("histogram_plain", "every thread counts", [&](course::Run& run) {
    if (!picture.empty()) write_queues(picture, 0, 0);  // a wrong name is no news for later
    run_histogram(run, width, height, histogram_plain);
    if (!picture.empty()) write_queues(picture, width, height);
  });
  program.experiment("histogram_match", "one lane counts for its equals",
                     [&](course::Run& run) { run_histogram(run, width, height, histogram_match); });
  program.experiment(
      "histogram_private", "every block has counts of its own",
      [&](course::Run& run) { run_histogram(run, width, height, histogram_private, true); });
  program.experiment(
      "histogram_private_match", "the same, and one lane counts for its equals",
      [&](course::Run& run) { run_histogram(run, width, height, histogram_private_match, true); });
  program.experiment(
      "histogram_weighted", "counts of each block's own, and a pixel stands for four",
      [&](course::Run& run) { run_weighted(run, width, height, histogram_weighted); });
  program.experiment(
      "histogram_weighted_match", "the same, and one lane counts for its equals",
      [&](course::Run& run) { run_weighted(run, width, height, histogram_weighted_match); });

  program.section("Does a shuffle beat shared memory? Sums of a warp, each needed for the next",
                  kRoundColumns);
  const auto in_rounds = [&](auto kernel) {
    return [&n, kernel](course::Run& run, int count) { run_rounds(run, n, count, kernel); };
  };
  program.experiment("rounds_shuffle", "five shuffles", rounds, in_rounds(rounds_shuffle));
  program.experiment("rounds_shared", "five stores and loads", rounds, in_rounds(rounds_shared));
  program.experiment("rounds_reduce_add", "one __reduce_add_sync", rounds,
                     in_rounds(rounds_reduce_add));
  return program.run();
}
