/// Checks what chapters/04_read_only_cache/README.md says of the tables.

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "chapters/counters_text.hpp"
#include "chapters/launch.hpp"
#include "chapters/request_model.hpp"
#include "course/backend.hpp"
#include "course/device_buffer.hpp"
#include "course/divide_up.hpp"
#include "course/error.hpp"
#include "course/inputs.hpp"
#include "kernels_under_test.hpp"

using course::DeviceBuffer;
using course_test::for_each_warp;
using course_test::kWarpSize;
using course_test::launch;
using course_test::RequestModel;

namespace {

constexpr int kThreads = 128;

using course::divide_up;

/// Sums of `rounds` table entries, beginning with first[i].
struct LookUp {
  int rounds;
  std::vector<int> first;
  std::vector<float> entries = course::random_floats(kEntries, /*seed=*/9);

  int n() const { return static_cast<int>(first.size()); }

  std::vector<float> expected() const {
    std::vector<float> sums(first.size(), 0.0f);
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (int round = 0; round < rounds; ++round)
        sums[i] += entries[(first[i] + round) % kEntries];
    return sums;
  }

  /// Returns the loads according to the rules of coalescing, with or without those of the table.
  RequestModel loads(bool of_table) const {
    RequestModel model;
    for_each_warp(n(), kThreads, [&](int begin, int lanes) {
      std::vector<std::int64_t> elements;
      for (int i = begin; i < begin + lanes; ++i) elements.push_back(i);
      model.request(elements, sizeof(int));
      for (int round = 0; of_table && round < rounds; ++round) {
        std::vector<std::int64_t> read;
        for (const std::int64_t i : elements) read.push_back((first[i] + round) % kEntries);
        model.request(read, sizeof(float));
      }
    });
    return model;
  }
};

std::optional<course::Counters> check_constant(const LookUp& l) {
  const Kernels kernels = kernels_under_test();
  course::check(cudaMemcpyToSymbol(*kernels.constant_table, l.entries.data(),
                                   sizeof *kernels.constant_table));
  const DeviceBuffer<int> first(l.first, "first");
  DeviceBuffer<float> out(l.first.size(), "out");
  const auto counted = course::count([&] {
    if (l.n() > 0)
      launch(kernels.look_up_constant, {divide_up(l.n(), kThreads), kThreads}, l.n(), l.rounds,
             first.data(), out.data());
    course::check_launch();
  });
  CHECK(out.to_host() == l.expected());
  if (counted) CHECK(counted->global_load == l.loads(/*of_table=*/false).counters());
  return counted;
}

std::optional<course::Counters> check_global(const LookUp& l) {
  const DeviceBuffer<float> table(l.entries, "table");
  const DeviceBuffer<int> first(l.first, "first");
  DeviceBuffer<float> out(l.first.size(), "out");
  const auto counted = course::count([&] {
    if (l.n() > 0)
      launch(kernels_under_test().look_up_global, {divide_up(l.n(), kThreads), kThreads}, l.n(),
             l.rounds, table.data(), first.data(), out.data());
    course::check_launch();
  });
  CHECK(out.to_host() == l.expected());
  if (counted) CHECK(counted->global_load == l.loads(/*of_table=*/true).counters());
  return counted;
}

template <class Check>
void check_look_up_at_sizes(Check check) {
  for (const int n : {0, 1, 31, 32, 33, 129, 1000}) {
    for (const int rounds : {0, 1, 5, 300}) {
      CAPTURE(n);
      CAPTURE(rounds);
      check(LookUp{.rounds = rounds, .first = course::random_ints(n, 3, 0, kEntries - 1)});
    }
  }
}

/// Returns a warp whose lanes begin at `distinct` neighbouring entries. The first is entry 8, at
/// the beginning of a sector.
LookUp one_warp(int distinct) {
  LookUp l = {.rounds = 1, .first = {}};
  for (int lane = 0; lane < kWarpSize; ++lane) l.first.push_back(8 + lane % distinct);
  return l;
}

std::optional<course::Counters> check_walk(int n, int steps, int elements) {
  CAPTURE(n);
  CAPTURE(steps);
  CAPTURE(elements);
  const auto values = course::random_floats(elements, /*seed=*/10);
  const DeviceBuffer<float> table(values, "table");
  DeviceBuffer<float> out(n, "out");
  const auto counted = course::count([&] {
    if (n > 0)
      launch(kernels_under_test().walk_table, {divide_up(n, kThreads), kThreads}, n, steps,
             elements, table.data(), out.data());
    course::check_launch();
  });

  const auto place = [&](int i, int step) {
    const std::int64_t stretch = std::int64_t(i / kThreads) * kThreads * steps;
    return (stretch + std::int64_t(step) * kThreads + i % kThreads) % elements;
  };
  std::vector<float> expected(n, 0.0f);
  for (int i = 0; i < n; ++i)
    for (int step = 0; step < steps; ++step) expected[i] += values[place(i, step)];
  CHECK(out.to_host() == expected);

  if (counted) {
    RequestModel loads;
    for_each_warp(n, kThreads, [&](int begin, int lanes) {
      for (int step = 0; step < steps; ++step) {
        std::vector<std::int64_t> read;
        for (int i = begin; i < begin + lanes; ++i) read.push_back(place(i, step));
        loads.request(read, sizeof(float));
      }
    });
    CHECK(counted->global_load == loads.counters());
  }
  return counted;
}

}  // namespace

TEST_CASE("look_up_constant adds up the table, and global memory sees only where to begin") {
  check_look_up_at_sizes(check_constant);
}

TEST_CASE("look_up_global adds up the table, at the sectors that the rules give") {
  check_look_up_at_sizes(check_global);
}

TEST_CASE(
    "neighbouring entries: 1 sector for 1 to 8 of them, 4 for 32; of constants, a turn for each") {
  for (const auto& [distinct, sectors] : {std::pair(1, 1), {2, 1}, {8, 1}, {16, 2}, {32, 4}}) {
    CAPTURE(distinct);
    const LookUp l = one_warp(distinct);
    const auto global = check_global(l), constant = check_constant(l);
    if (!global || !constant) return;
    constexpr int kSectorsOfFirst = 4;
    CHECK(global->global_load.requests == 2);
    CHECK(global->global_load.sectors == std::uint64_t(kSectorsOfFirst + sectors));
    CHECK(constant->global_load.requests == 1);
    CHECK(constant->global_load.sectors == kSectorsOfFirst);
    CHECK(constant->constant_load.requests == 1);
    CHECK(constant->constant_load.addresses == std::uint64_t(distinct));  // turns
  }
}

TEST_CASE("walk_table adds up every stretch, at lengths that wrap within a step and do not") {
  for (const int n : {0, 1, 31, 33, 128, 129, 1000})
    for (const int steps : {0, 1, 7, 40})
      for (const int elements : {128, 129, 160, 1000, 4096}) check_walk(n, steps, elements);
}

TEST_CASE("walk_table costs the same requests and sectors whatever the length of the table") {
  const auto shortest = check_walk(1024, 16, 256);
  for (const int elements : {512, 1024, 8192, 16384})
    CHECK(check_walk(1024, 16, elements) == shortest);
  if (shortest) {
    CHECK(shortest->global_load.requests == 1024 / kWarpSize * 16);
    CHECK(shortest->global_load.sectors == 4 * shortest->global_load.requests);
  }
}
