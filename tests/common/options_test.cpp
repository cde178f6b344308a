#include "course/options.hpp"

#include <doctest/doctest.h>

#include "course/error.hpp"

using course::parse_number;
using course::parse_numbers;
using course::UsageError;

TEST_CASE("whole numbers, to both ends of the range") {
  CHECK(parse_number<int>("--n", "0") == 0);
  CHECK(parse_number<int>("--n", "-2147483648") == std::numeric_limits<int>::min());
  CHECK(parse_number<int>("--n", "2147483647") == std::numeric_limits<int>::max());
  CHECK(parse_number<int>("--n", "7", {.min = 7, .max = 7}) == 7);
  CHECK(parse_number<std::int64_t>("--n", "-9223372036854775808") ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(parse_number<std::uint64_t>("--seed", "18446744073709551615") == ~std::uint64_t{0});
  CHECK(parse_number<int>("--n", "007") == 7);
}

TEST_CASE("what is not a whole number is refused") {
  for (const char* text : {"", " ", "x", "1x", "1 ", " 1", "+1", "--1", "0x10", "1.0", "1e3", "1,2",
                           "2147483648", "-2147483649", "99999999999999999999999"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_number<int>("--n", text), UsageError);
  }
  CHECK_THROWS_AS(parse_number<std::uint64_t>("--seed", "-1"), UsageError);
  CHECK_THROWS_AS(parse_number<std::uint64_t>("--seed", "18446744073709551616"), UsageError);
  CHECK_THROWS_WITH_AS(parse_number<int>("--n", "9", {.min = 0, .max = 8}),
                       "--n takes a whole number from 0 to 8, not '9'", UsageError);
  CHECK_THROWS_AS(parse_number<int>("--n", "-1", {.min = 0, .max = 8}), UsageError);
}

TEST_CASE("real numbers") {
  CHECK(parse_number<float>("--alpha", "0.1") == 0.1f);
  CHECK(parse_number<float>("--alpha", "-2") == -2.0f);
  CHECK(parse_number<double>("--alpha", "1e-3") == 1e-3);
  CHECK(parse_number<double>("--alpha", ".5") == 0.5);
  for (const char* text : {"", "inf", "-inf", "nan", "infinity", "1e400", "0x1p3", "1.0f", "one"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_number<double>("--alpha", text), UsageError);
  }
  CHECK_THROWS_AS(parse_number<float>("--alpha", "1e39"), UsageError);
}

TEST_CASE("a refusal names the range as far as there is one") {
  CHECK_THROWS_WITH(parse_number<double>("--x", "y"), "--x takes a number, not 'y'");
  CHECK_THROWS_WITH(parse_number<double>("--x", "-1", {.min = 0.0}),
                    "--x takes a number of at least 0, not '-1'");
  CHECK_THROWS_WITH(parse_number<double>("--x", "2", {.max = 1.5}),
                    "--x takes a number of at most 1.5, not '2'");
  CHECK_THROWS_WITH(parse_number<double>("--x", "2", {.min = 0.0, .max = 1.0}),
                    "--x takes a number from 0 to 1, not '2'");
  CHECK_THROWS_WITH(parse_number<int>("--x", "y"),
                    "--x takes a whole number from -2147483648 to 2147483647, not 'y'");
}

TEST_CASE("lists") {
  CHECK(parse_numbers<int>("--stride", "4") == std::vector<int>{4});
  CHECK(parse_numbers<int>("--stride", "1,2,32") == std::vector<int>{1, 2, 32});
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "1, 2", "1;2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_numbers<int>("--stride", text), UsageError);
  }
  CHECK_THROWS_WITH(parse_numbers<int>("--stride", "1,0", {.min = 1, .max = 32}),
                    "--stride takes a whole number from 1 to 32, not '0'");
}
