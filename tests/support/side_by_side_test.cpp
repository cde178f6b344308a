#include "side_by_side.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using test_support::side_by_side;

TEST_CASE("every piece of work is done once, and results keep their order") {
  for (const std::size_t count : {0u, 1u, 2u, 100u}) {
    std::atomic<int> calls = 0;
    const std::vector<std::string> results = side_by_side(count, [&](std::size_t i) {
      ++calls;
      return std::to_string(i);
    });
    CHECK(calls == static_cast<int>(count));
    REQUIRE(results.size() == count);
    for (std::size_t i = 0; i < count; ++i) CHECK(results[i] == std::to_string(i));
  }
}

TEST_CASE("an exception comes out") {
  CHECK_THROWS_AS(side_by_side(3,
                               [](std::size_t i) {
                                 if (i == 1) throw std::runtime_error("one");
                                 return i;
                               }),
                  std::runtime_error);
}
