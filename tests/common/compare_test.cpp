#include "course/compare.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using course::compare;
using course::Comparison;
using course::first_mismatch;
using course::Tolerance;

namespace {
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Tolerance kAnything{.absolute = 1e30, .relative = 1e30};

using Floats = std::vector<float>;
}  // namespace

TEST_CASE("equal values pass, with no error") {
  const Comparison result = compare(Floats{1.0f, -2.0f}, Floats{1.0f, -2.0f});
  CHECK(result.ok());
  CHECK(result.compared == 2);
  CHECK(result.mismatches == 0);
  CHECK(result.max_error == 0.0);
  CHECK_FALSE(result.mismatch.has_value());
}

TEST_CASE("nothing equals nothing") {
  CHECK(compare(Floats{}, Floats{}).ok());
  CHECK(compare(Floats{}, Floats{}).compared == 0);
}

TEST_CASE("the first mismatch is named, all are counted") {
  const Comparison result = compare(Floats{1.0f, 2.5f, 3.0f, 9.0f}, Floats{1.0f, 2.0f, 3.0f, 4.0f});
  CHECK_FALSE(result.ok());
  REQUIRE(result.mismatch.has_value());
  CHECK(result.mismatch->index == 1);
  CHECK(result.mismatch->actual == 2.5);
  CHECK(result.mismatch->expected == 2.0);
  CHECK(result.mismatches == 2);
  CHECK(result.max_error == 5.0);
  CHECK(result.failure == "[1] is 2.5, expected 2 (2 of 4 wrong)");
}

TEST_CASE("a NaN never passes, whatever the tolerance and on either side") {
  for (const auto& [actual, expected] :
       {std::pair{kNaN, 1.0f}, std::pair{1.0f, kNaN}, std::pair{kNaN, kNaN}}) {
    const Comparison result = compare(Floats{1.0f, actual}, Floats{1.0f, expected}, kAnything);
    REQUIRE(result.mismatch.has_value());
    CHECK(result.mismatch->index == 1);
    CHECK(std::isnan(result.max_error));
  }
  // Poison is a NaN with its sign set.
  CHECK(compare(Floats{-kNaN}, Floats{1.0f}).failure == "[0] is nan, expected 1 (1 of 1 wrong)");
}

TEST_CASE("a NaN stays the greatest error even before larger numbers") {
  CHECK(std::isnan(compare(Floats{kNaN, 100.0f}, Floats{0.0f, 0.0f}).max_error));
  CHECK(std::isnan(compare(Floats{100.0f, kNaN}, Floats{0.0f, 0.0f}).max_error));
}

TEST_CASE("an infinity equals only itself") {
  CHECK(compare(Floats{kInfinity}, Floats{kInfinity}).ok());
  CHECK(compare(Floats{kInfinity}, Floats{kInfinity}).max_error == 0.0);
  CHECK_FALSE(compare(Floats{kInfinity}, Floats{-kInfinity}, kAnything).ok());
  CHECK_FALSE(compare(Floats{1.0f}, Floats{kInfinity}, kAnything).ok());
  CHECK_FALSE(compare(Floats{kInfinity}, Floats{1.0f}, kAnything).ok());
}

TEST_CASE("zeros of both signs are equal") { CHECK(compare(Floats{-0.0f}, Floats{0.0f}).ok()); }

TEST_CASE("a tolerance includes its edge") {
  CHECK(compare(Floats{1.25f}, Floats{1.0f}, {.absolute = 0.25, .relative = 0.0}).ok());
  CHECK_FALSE(compare(Floats{std::nextafter(1.25f, 2.0f)}, Floats{1.0f},
                      {.absolute = 0.25, .relative = 0.0})
                  .ok());
  CHECK(compare(Floats{10.0f}, Floats{8.0f}, {.absolute = 0.0, .relative = 0.25}).ok());
  CHECK(compare(Floats{-10.0f}, Floats{-8.0f}, {.absolute = 0.0, .relative = 0.25}).ok());
  CHECK_FALSE(compare(Floats{10.5f}, Floats{8.0f}, {.absolute = 0.0, .relative = 0.25}).ok());
  CHECK(compare(Floats{10.5f}, Floats{8.0f}, {.absolute = 0.5, .relative = 0.25}).ok());
}

TEST_CASE("integers are exact whatever the tolerance, even beyond 2^53") {
  CHECK_FALSE(compare(std::vector<int>{1}, std::vector<int>{2}, kAnything).ok());
  CHECK_FALSE(compare(std::vector<unsigned>{1}, std::vector<unsigned>{2}, kAnything).ok());
  constexpr std::int64_t kBig = std::int64_t{1} << 53;
  const Comparison result =
      compare(std::vector<std::int64_t>{kBig + 1}, std::vector<std::int64_t>{kBig}, kAnything);
  CHECK(result.failure == "[0] is 9007199254740993, expected 9007199254740992 (1 of 1 wrong)");
}

TEST_CASE("bytes are shown as numbers") {
  const Comparison result = compare(std::vector<unsigned char>{65}, std::vector<unsigned char>{66});
  CHECK(result.failure == "[0] is 65, expected 66 (1 of 1 wrong)");
}

TEST_CASE("unequal lengths are a failure") {
  const Comparison shorter = compare(Floats{1.0f}, Floats{1.0f, 2.0f});
  CHECK(shorter.failure == " has 1 values, expected 2");
  REQUIRE(shorter.mismatch.has_value());
  CHECK(shorter.mismatch->index == 1);
  CHECK(std::isnan(shorter.mismatch->actual));
  CHECK(shorter.mismatch->expected == 2.0);
  CHECK_FALSE(compare(Floats{1.0f, 2.0f}, Floats{1.0f}).ok());
  CHECK_FALSE(compare(Floats{}, Floats{1.0f}).ok());
}

TEST_CASE("first_mismatch is nothing or the first") {
  CHECK_FALSE(first_mismatch(Floats{1.0f}, Floats{1.0f}).has_value());
  CHECK(first_mismatch(Floats{1.0f, 3.0f}, Floats{1.0f, 2.0f})->index == 1);
}

TEST_CASE("an SGEMM's tolerance grows with the terms, alpha and beta") {
  constexpr double kUnit = 4.0 * course::kFloatRounding;
  CHECK(course::sgemm_tolerance(0).absolute == doctest::Approx(kUnit));
  CHECK(course::sgemm_tolerance(1023).absolute == doctest::Approx(1024 * kUnit));
  CHECK(course::sgemm_tolerance(1023, -2.0, -3.0).absolute ==
        doctest::Approx((2 * 1024 + 3) * kUnit));
  CHECK(course::sgemm_tolerance(8192, 0.0, 0.0).absolute == 0.0);
  CHECK(course::sgemm_tolerance(8192).relative == 0.0);
}
