#include "course/divide_up.hpp"

#include <doctest/doctest.h>

#include <climits>

using course::divide_up;

TEST_CASE("divide_up rounds up, and does not overflow") {
  CHECK(divide_up(0, 32) == 0);
  CHECK(divide_up(1, 32) == 1);
  CHECK(divide_up(32, 32) == 1);
  CHECK(divide_up(33, 32) == 2);
  CHECK(divide_up(INT_MAX, 2) == 1 << 30);
  CHECK(divide_up(INT_MAX, INT_MAX) == 1);
}
