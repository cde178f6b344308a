#include "course/inputs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "course/error.hpp"

using course::Random;

TEST_CASE("a seed gives the same values on every machine") {
  // Fixed values: a change here would change every recorded measurement.
  CHECK(course::random_floats(4, 1) ==
        std::vector<float>{-0.732246757f, -0.727185965f, -0.0975703001f, -0.957951546f});
  CHECK(course::random_ints(6, 1, -3, 3) == std::vector<int>{-1, -1, 1, 2, -1, -3});
  CHECK(course::random_permutation(8, 1) == std::vector<int>{4, 6, 3, 5, 1, 7, 2, 0});
  CHECK(course::random_permutation_within(8, 4, 1) == std::vector<int>{1, 2, 3, 0, 7, 5, 4, 6});
  CHECK(Random(1).unit_double() == -0.73224671197493474);
  CHECK(course::derive_seed(1, 0) == 10451216379200822465u);
}

TEST_CASE("seeds and streams differ") {
  CHECK(course::random_floats(16, 1) != course::random_floats(16, 2));
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    for (std::uint64_t stream = 0; stream < 32; ++stream)
      seeds.insert(course::derive_seed(seed, stream));
  }
  CHECK(seeds.size() >=
        32 * 32 - 31);  // (seed, stream) is used as one sum; only equal sums may collide
}

TEST_CASE("floats fill [-1, 1): neither constant nor symmetric nor often zero") {
  const std::vector<float> values = course::random_floats(100'000, 3);
  const auto [min, max] = std::ranges::minmax(values);
  CHECK(min >= -1.0f);
  CHECK(min < -0.999f);
  CHECK(max < 1.0f);
  CHECK(max > 0.999f);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 100'000;
  CHECK(std::abs(mean) < 0.01);  // 5.5 standard deviations
  CHECK(std::ranges::count(values, 0.0f) <= 1);
  const std::set<float> distinct(values.begin(), values.end());
  CHECK(distinct.size() > 99'000);
  std::vector<float> reversed(values.rbegin(), values.rend());
  CHECK(values != reversed);
}

TEST_CASE("whole numbers below a bound, evenly") {
  Random random(5);
  int counts[7] = {};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(7)];
  for (const int count : counts) CHECK(std::abs(count - 10'000) < 500);  // 5.4 standard deviations
  CHECK(random.below(1) == 0);
  CHECK_THROWS_AS(random.below(0), std::invalid_argument);
}

TEST_CASE("ints from both ends of the range, the widest included") {
  const std::vector<int> dice = course::random_ints(1000, 1, 1, 6);
  CHECK(std::ranges::min(dice) == 1);
  CHECK(std::ranges::max(dice) == 6);
  CHECK(course::random_ints(3, 1, 5, 5) == std::vector<int>{5, 5, 5});
  const std::vector<int> any = course::random_ints(1000, 1, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max());
  CHECK(std::ranges::min(any) < 0);
  CHECK(std::ranges::max(any) > 0);
  CHECK_THROWS_AS(course::random_ints(1, 1, 2, 1), std::invalid_argument);
}

TEST_CASE("a permutation holds every number once, and moves some") {
  for (const int count : {0, 1, 2, 31, 32, 33, 1000}) {
    CAPTURE(count);
    std::vector<int> values = course::random_permutation(count, 9);
    std::vector<int> in_order(values.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    if (count > 2) CHECK(values != in_order);
    std::ranges::sort(values);
    CHECK(values == in_order);
  }
  CHECK_THROWS_AS(course::random_permutation(-1, 1), std::invalid_argument);
}

TEST_CASE("a permutation within groups leaves every number in its group") {
  const std::vector<int> values = course::random_permutation_within(100, 32, 4);
  for (int i = 0; i < 100; ++i) CHECK(values[static_cast<std::size_t>(i)] / 32 == i / 32);
  std::vector<int> sorted = values;
  std::ranges::sort(sorted);
  CHECK(sorted != values);
  for (int i = 0; i < 100; ++i) CHECK(sorted[static_cast<std::size_t>(i)] == i);
  CHECK_THROWS_AS(course::random_permutation_within(4, 0, 1), std::invalid_argument);
  CHECK(course::random_permutation_within(0, 0, 1).empty());
}

TEST_CASE("nothing at all, and far too much") {
  CHECK(course::random_floats(0, 1).empty());
  CHECK_THROWS_AS(course::random_floats(~std::size_t{0}, 1), course::UsageError);
  CHECK_THROWS_AS(course::random_floats(std::size_t{1} << 50, 1), course::UsageError);
}
