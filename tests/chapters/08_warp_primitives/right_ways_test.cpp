/// Tests the correct versions: every n from 0 to 1100, random masks, and costs.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>

#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "launches.hpp"

using namespace test07;

namespace {

constexpr int kMostElements = 1100;

/// Calls `check(n)` for every n; for mutants, which fail quickly, only for some.
template <class Check>
void for_every_n(Check check) {
  const int step = std::getenv("COURSE_MUTANT") == nullptr ? 1 : 29;
  for (int n = 0; n <= kMostElements; n += step) {
    CAPTURE(n);
    check(n);
  }
}

/// Returns the requests of a kernel in which every lane below n reads its own element once.
course::GlobalCounters one_access_each(int n, int threads = kThreads) {
  course_test::RequestModel model;
  course_test::for_each_warp(n, threads, [&](int first, int lanes) {
    std::vector<std::int64_t> elements(lanes);
    std::iota(elements.begin(), elements.end(), first);
    model.request(elements, sizeof(int));
  });
  return model.counters();
}

/// Checks a kernel on n ints for every n, and that it reads each element once.
void check_ints(Ints* kernel, IntValues (*expect)(const IntValues&), bool is_shared = false) {
  for_every_n([&](int n) {
    const IntValues in = numbers(n, n);
    const Outcome outcome = run_ints(kernel, in, n);
    CHECK(outcome.out == expect(in));
    if (!outcome.counted) return;
    if (n % 9 == 0) CHECK(outcome.counted->global_load == one_access_each(n));
    if (!is_shared) CHECK(outcome.shared_requests() == 0);
  });
}

IntValues scans(const IntValues& in) { return expected::scans_of_blocks(in, kThreads); }

void check_chosen(ChosenSum* kernel, const IntValues& flags, const IntValues& in) {
  const int n = static_cast<int>(in.size());
  IntValues kept = in;
  for (int i = 0; i < n; ++i) kept[i] *= flags[i];
  const DeviceBuffer<int> chosen(flags), device_in(in);
  DeviceBuffer<int> sums(divide_up(n, kWarpSize));
  const auto counted = count_launch(n, kThreads, [&](int blocks) {
    launch(kernel, {blocks, kThreads}, n, chosen.data(), device_in.data(), sums.data());
  });
  CHECK(sums.to_host() == expected::sums_of_warps(kept));
  if (counted) CHECK(counted->shared_load.requests + counted->shared_store.requests == 0);
}

/// Checks masks of every density: empty, full, prefixes, single lanes; and every n.
void check_chosen_sums(ChosenSum* kernel) {
  for_every_n([&](int n) {
    // From no lane in some warps to all lanes in others.
    const IntValues threshold = course::random_ints(divide_up(n, kWarpSize), n + 1, 0, 8);
    IntValues flags = course::random_ints(n, n + 2, 0, 7);
    for (int i = 0; i < n; ++i) flags[i] = flags[i] < threshold[i / kWarpSize];
    check_chosen(kernel, flags, numbers(n, n));
  });
  for (int lanes = 0; lanes <= kWarpSize; ++lanes) {
    CAPTURE(lanes);
    IntValues prefix(kWarpSize, 0), single(kWarpSize, 0);
    std::fill(prefix.begin(), prefix.begin() + lanes, 1);
    single[lanes % kWarpSize] = 1;
    check_chosen(kernel, prefix, numbers(kWarpSize));
    check_chosen(kernel, single, numbers(kWarpSize));
  }
}

/// Checks few distinct values, so that lanes sometimes agree.
void check_equals(Ints* kernel) {
  for_every_n([&](int n) {
    const IntValues in = course::random_ints(n, n, 0, 1 + n % 40);
    const Outcome outcome = run_ints(kernel, in, n);
    CHECK(outcome.out == expected::equals_in_warps(in));
    if (outcome.counted) CHECK(outcome.shared_requests() == 0);
  });
}

void check_transposition(Transposition* kernel, std::uint64_t shared_per_warp) {
  for (const int warps : {1, 2, 3, 4, 31, 32}) {
    for (const int blocks : {1, 3}) {
      CAPTURE(warps);
      CAPTURE(blocks);
      const int threads = warps * kWarpSize;
      const IntValues in = numbers(blocks * threads);
      const DeviceBuffer<int> device_in(in);
      DeviceBuffer<int> out(in.size());
      const auto counted = course::count([&] {
        launch(kernel, {blocks, threads}, device_in.data(), out.data());
        course::check_launch();
      });
      CHECK(out.to_host() == expected::transposed(in));
      if (!counted) continue;
      const std::uint64_t all_warps = blocks * warps;
      const auto loads = counted->shared_load, stores = counted->shared_store;
      CHECK(loads.requests + stores.requests == shared_per_warp * all_warps);
      CHECK(loads.wavefronts + stores.wavefronts == shared_per_warp * all_warps);
      CHECK(counted->global_load == one_access_each(blocks * threads, threads));
      CHECK(counted->global_store == one_access_each(blocks * threads, threads));
    }
  }
}

struct TicketCost {
  std::uint64_t requests = 0, sectors = 0;
};

/// Checks that each key's tickets are 0, 1, 2 ... once each, and that the counters hold their
/// number.
std::optional<TicketCost> check_tickets(Tickets* kernel, int n, int kinds) {
  CAPTURE(n);
  CAPTURE(kinds);
  const IntValues keys = course::random_ints(n, /*seed=*/n + kinds, 0, kinds - 1);
  const DeviceBuffer<int> device_keys(keys);
  DeviceBuffer<int> counters(IntValues(kinds, 0)), tickets(n);
  const auto counted = count_launch(n, kThreads, [&](int blocks) {
    launch(kernel, {blocks, kThreads}, n, device_keys.data(), counters.data(), tickets.data());
  });
  IntValues wanted(kinds, 0);
  std::vector<std::vector<bool>> drawn(kinds);
  for (const int key : keys) ++wanted[key];
  for (int key = 0; key < kinds; ++key) drawn[key].resize(wanted[key]);
  CHECK(counters.to_host() == wanted);
  const IntValues numbers_drawn = tickets.to_host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int ticket = numbers_drawn[i];
    if (ticket < 0 || ticket >= wanted[keys[i]] || drawn[keys[i]][ticket]) {
      ++wrong;
    } else {
      drawn[keys[i]][ticket] = true;
    }
  }
  CHECK(wrong == 0);
  if (!counted) return std::nullopt;
  return TicketCost{counted->global_atomic.requests, counted->global_atomic.sectors};
}

void check_tickets_at_sizes(Tickets* kernel, bool is_aggregated) {
  for (const int n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000})
    for (const int kinds : {1, 2, 7, 100}) check_tickets(kernel, n, kinds);
  const auto cost = check_tickets(kernel, 1024, 1);
  if (!cost) return;
  CHECK(cost->requests == 32);  // one for each warp
  CHECK(cost->sectors == (is_aggregated ? 32 : 1024));
}

struct AtomicCost {
  std::uint64_t requests = 0, sectors = 0;
};

/// Checks a compaction; `out` has room for the kept elements only.
std::optional<AtomicCost> check_compaction(Compaction* kernel, const IntValues& in) {
  const int n = static_cast<int>(in.size());
  CAPTURE(n);
  const IntValues expected = expected::sorted_negatives(in);
  IntValues with_neighbour = in;
  with_neighbour.push_back(-1);  // belongs to other data
  const DeviceBuffer<int> device_in(with_neighbour);
  DeviceBuffer<int> count(IntValues(1, 0)), out(expected.size());
  const auto counted = count_launch(n, kThreads, [&](int blocks) {
    launch(kernel, {blocks, kThreads}, n, device_in.data(), count.data(), out.data());
  });
  CHECK(count.to_host() == IntValues(1, static_cast<int>(expected.size())));
  IntValues kept = out.to_host();
  std::sort(kept.begin(), kept.end());
  CHECK(kept == expected);
  if (!counted) return std::nullopt;
  return AtomicCost{counted->global_atomic.requests, counted->global_atomic.sectors};
}

void check_compactions(Compaction* kernel, bool is_aggregated) {
  for (const int n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000})
    check_compaction(kernel, numbers(n, n));
  const IntValues none(1000, 1), zeros(1000, 0), all(1024, -7);
  CHECK(check_compaction(kernel, zeros).value_or(AtomicCost{}).requests == 0);
  CHECK(check_compaction(kernel, none).value_or(AtomicCost{}).requests == 0);
  const auto cost = check_compaction(kernel, all);
  if (!cost) return;
  CHECK(cost->requests == 32);  // one for each warp
  CHECK(cost->sectors == (is_aggregated ? 32 : 1024));
}

std::optional<AtomicCost> check_histogram(Histogram* kernel, const IntValues& values, int kinds) {
  const int n = static_cast<int>(values.size());
  CAPTURE(n);
  CAPTURE(kinds);
  const DeviceBuffer<int> device_values(values);
  DeviceBuffer<int> counts(IntValues(kinds, 0));
  const auto counted = count_launch(n, kThreads, [&](int blocks) {
    launch(kernel, {blocks, kThreads}, n, device_values.data(), counts.data());
  });
  CHECK(counts.to_host() == expected::histogram(values, kinds));
  if (!counted) return std::nullopt;
  return AtomicCost{counted->global_atomic.requests, counted->global_atomic.sectors};
}

void check_histograms(Histogram* kernel, bool is_aggregated) {
  for (const int n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 1000})
    for (const int kinds : {1, 2, 7, 201})
      check_histogram(kernel, course::random_ints(n, n + kinds, 0, kinds - 1), kinds);
  const auto one_value = check_histogram(kernel, IntValues(1024, 3), 4);
  IntValues own(1024);
  for (int i = 0; i < 1024; ++i) own[i] = i % kWarpSize;
  const auto distinct_values = check_histogram(kernel, own, kWarpSize);
  if (!one_value) return;
  CHECK(one_value->requests == 32);  // one for each warp
  CHECK(one_value->sectors == (is_aggregated ? 32 : 1024));
  CHECK(distinct_values->sectors == 4 * 32);  // 32 counts are four sectors; no two lanes collide
}

/// Checks a histogram that `start(blocks, n, values, counts)` makes with this many blocks, and in
/// which a value counts `weight` times; with private counts, any number of blocks is allowed.
template <class Start>
std::optional<course::Counters> check_private_histogram(Start start, const IntValues& values,
                                                        int kinds, int blocks, int weight) {
  const int n = static_cast<int>(values.size());
  CAPTURE(n);
  CAPTURE(kinds);
  CAPTURE(blocks);
  CAPTURE(weight);
  const DeviceBuffer<int> device_values(values);
  DeviceBuffer<int> counts(IntValues(kinds, 0));
  const auto counted = course::count([&] {
    start(blocks, n, device_values.data(), counts.data());
    course::check_launch();
  });
  IntValues expected_counts = expected::histogram(values, kinds);
  for (int& count : expected_counts) count *= weight;
  CHECK(counts.to_host() == expected_counts);
  return counted;
}

template <class Start>
void check_private_histograms(Start start, bool is_aggregated, int weight = 1) {
  constexpr int kBlocks = 2;
  for (const int n : {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000})
    for (const int kinds : {1, 2, 7, 256})
      for (const int blocks : {1, kBlocks, 5})
        check_private_histogram(start, course::random_ints(n, n + kinds, 0, kinds - 1), kinds,
                                blocks, weight);
  IntValues own(1024);
  for (int i = 0; i < 1024; ++i) own[i] = i % kWarpSize;
  const auto one_value = check_private_histogram(start, IntValues(1024, 3), 4, kBlocks, weight);
  const auto distinct_values = check_private_histogram(start, own, kWarpSize, kBlocks, weight);
  if (!one_value) return;
  // Only warp 0 of each block has a nonzero count to add to global memory.
  CHECK(one_value->global_atomic.requests == kBlocks);
  CHECK(one_value->global_atomic.sectors == kBlocks);
  CHECK(distinct_values->global_atomic.sectors == 4 * kBlocks);
  CHECK(one_value->shared_atomic.requests == 32);  // one for each warp and round
  CHECK(one_value->shared_atomic.wavefronts == (is_aggregated ? 32 : 1024));
  CHECK(distinct_values->shared_atomic.wavefronts == 32);  // no two lanes collide
}

void check_private_histograms(Histogram* kernel, bool is_aggregated) {
  check_private_histograms(
      [&](int blocks, int n, const int* values, int* counts) {
        launch(kernel, {blocks, kThreads}, n, values, counts);
      },
      is_aggregated);
}

void check_weighted_histograms(WeightedHistogram* kernel, bool is_aggregated) {
  for (const int weight : {1, 2, 5})
    check_private_histograms(
        [&](int blocks, int n, const int* values, int* counts) {
          launch(kernel, {blocks, kThreads}, n, weight, values, counts);
        },
        is_aggregated, weight);
}

void check_rounds(Rounds* kernel, std::uint64_t shared_per_round) {
  for (const int n : {0, 1, 31, 32, 33, 100, 128, 129, 1000}) {
    for (const int rounds : {0, 1, 2, 5}) {
      CAPTURE(n);
      CAPTURE(rounds);
      const IntValues seeds = course::random_ints(n, n + rounds, 0, 1 << 30);
      const Words in(seeds.begin(), seeds.end());
      const DeviceBuffer<unsigned> device_in(in);
      DeviceBuffer<unsigned> out(n);
      const auto counted = count_launch(n, kThreads, [&](int blocks) {
        launch(kernel, {blocks, kThreads}, n, rounds, device_in.data(), out.data());
      });
      CHECK(out.to_host() == expected::after_rounds(in, rounds));
      if (!counted) continue;
      const std::uint64_t requests = shared_per_round * rounds * warps_launched(n);
      const auto loads = counted->shared_load, stores = counted->shared_store;
      CHECK(loads.requests + stores.requests == requests);
      CHECK(loads.wavefronts + stores.wavefronts == requests);
    }
  }
}

}  // namespace

TEST_CASE("sum_xor gives every lane the sum of its warp, for every n, without shared memory") {
  check_ints(kernels_under_test().sum_xor, expected::sums_for_all);
}
TEST_CASE("sum_reduce_add does the same") {
  check_ints(kernels_under_test().sum_reduce_add, expected::sums_for_all);
}
TEST_CASE("sum_groups does the same") {
  check_ints(kernels_under_test().sum_groups, expected::sums_for_all);
}

TEST_CASE("sum_tree_shared is right for every n, with five stores and five loads per warp") {
  for_every_n([&](int n) {
    const IntValues in = numbers(n, n);
    const Outcome outcome =
        run_ints(kernels_under_test().sum_tree_shared, in, divide_up(n, kWarpSize), kWarpSize);
    CHECK(outcome.out == expected::sums_of_warps(in));
    if (!outcome.counted) return;
    CHECK(outcome.shared_requests() == 10u * divide_up(n, kWarpSize));
    CHECK(outcome.shared_wavefronts() == outcome.shared_requests());
  });
}

TEST_CASE("chosen_sum_neutral is right for every n and for random masks") {
  check_chosen_sums(kernels_under_test().chosen_sum_neutral);
}
TEST_CASE("chosen_sum_within_mask is right for every n and for random masks") {
  check_chosen_sums(kernels_under_test().chosen_sum_within_mask);
}
TEST_CASE("chosen_sum_groups is right for every n and for random masks") {
  check_chosen_sums(kernels_under_test().chosen_sum_groups);
}

TEST_CASE("scan_shuffle is right for every n") {
  check_ints(kernels_under_test().scan_shuffle, scans, /*is_shared=*/true);
}
TEST_CASE("scan_groups is right for every n") {
  check_ints(kernels_under_test().scan_groups, scans, /*is_shared=*/true);
}

TEST_CASE("the scans are right for every number of warps in a block") {
  for (Ints* kernel : {kernels_under_test().scan_shuffle, kernels_under_test().scan_groups}) {
    for (int warps = 1; warps <= 32; ++warps) {
      CAPTURE(warps);
      const IntValues in = numbers(2049 - warps);
      const Outcome outcome = run_ints(kernel, in, in.size(), warps * kWarpSize);
      CHECK(outcome.out == expected::scans_of_blocks(in, warps * kWarpSize));
    }
  }
}

TEST_CASE("partition_ballot is right for every n") {
  check_ints(kernels_under_test().partition_ballot, expected::partitions_of_warps);
}
TEST_CASE("partition_groups is right for every n") {
  check_ints(kernels_under_test().partition_groups, expected::partitions_of_warps);
}

TEST_CASE("equals_match is right for every n") { check_equals(kernels_under_test().equals_match); }
TEST_CASE("equals_groups is right for every n") {
  check_equals(kernels_under_test().equals_groups);
}

TEST_CASE("transpose_shared: right for 1 to 32 warps, one store and one load per warp") {
  check_transposition(kernels_under_test().transpose_shared, 2);
}
TEST_CASE("transpose_shuffle: the same without shared memory") {
  check_transposition(kernels_under_test().transpose_shuffle, 0);
}
TEST_CASE("transpose_groups: the same without shared memory") {
  check_transposition(kernels_under_test().transpose_groups, 0);
}

TEST_CASE("tickets_plain: every ticket once; one counter costs a sector for each lane") {
  check_tickets_at_sizes(kernels_under_test().tickets_plain, false);
}
TEST_CASE("tickets_match: every ticket once; one counter costs a sector for each warp") {
  check_tickets_at_sizes(kernels_under_test().tickets_match, true);
}
TEST_CASE("tickets_groups: every ticket once; one counter costs a sector for each warp") {
  check_tickets_at_sizes(kernels_under_test().tickets_groups, true);
}

TEST_CASE("compact_plain keeps the negative elements, with an atomic for each") {
  check_compactions(kernels_under_test().compact_plain, false);
}
TEST_CASE("compact_ballot does the same, with an atomic for each warp that keeps any") {
  check_compactions(kernels_under_test().compact_ballot, true);
}

TEST_CASE("histogram_plain counts every value; equal lanes cost a sector each") {
  check_histograms(kernels_under_test().histogram_plain, false);
}
TEST_CASE("the picture's queues are the turns that histogram_plain's atomics take") {
  constexpr int kKinds = 8;  // whose counters lie in one sector
  for (const int n : {1, 33, 1000, 4096}) {
    const IntValues values = course::random_ints(n, n, 0, kKinds - 1);
    const auto cost = check_histogram(kernels_under_test().histogram_plain, values, kKinds);
    if (!cost) return;
    const IntValues queues = expected::queues(values);
    REQUIRE(queues.size() == values.size());
    std::uint64_t turns = 0;
    for (int i = 0; i < n; i += kWarpSize) turns += queues[i];
    CHECK(cost->sectors == turns);
  }
}
TEST_CASE("histogram_match does the same, and equal lanes cost one sector together") {
  check_histograms(kernels_under_test().histogram_match, true);
}
TEST_CASE("histogram_private counts in shared memory; only a block's counts go to global memory") {
  check_private_histograms(kernels_under_test().histogram_private, false);
}
TEST_CASE("histogram_private_match does the same, and equal lanes take one wavefront together") {
  check_private_histograms(kernels_under_test().histogram_private_match, true);
}
TEST_CASE("histogram_weighted counts each value several times; lanes queue as for 1") {
  check_weighted_histograms(kernels_under_test().histogram_weighted, false);
}
TEST_CASE("histogram_weighted_match does the same, and equal lanes take one wavefront together") {
  check_weighted_histograms(kernels_under_test().histogram_weighted_match, true);
}

TEST_CASE("rounds_shuffle: right, without shared memory") {
  check_rounds(kernels_under_test().rounds_shuffle, 0);
}
TEST_CASE("rounds_shared: right, with ten requests per warp and round, each one wavefront") {
  check_rounds(kernels_under_test().rounds_shared, 10);
}
TEST_CASE("rounds_reduce_add: right, without shared memory") {
  check_rounds(kernels_under_test().rounds_reduce_add, 0);
}
