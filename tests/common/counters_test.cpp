#include "course/counters.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using course::Counters;

TEST_CASE("efficiency is unique bytes by sectors, and nothing of nothing") {
  Counters counters;
  CHECK_FALSE(counters.global_load.efficiency_pct().has_value());
  // 32 lanes, 4 bytes each, 4 bytes off a sector's start: 5 sectors for 128 bytes.
  counters.global_load = {.requests = 1, .sectors = 5, .lines = 2, .bytes = 128};
  CHECK(*counters.global_load.efficiency_pct() == doctest::Approx(80.0));
  CHECK(*course::counter(counters, "global_load_efficiency_pct") == doctest::Approx(80.0));
  CHECK_FALSE(course::counter(counters, "global_store_efficiency_pct").has_value());
}

TEST_CASE("the same bytes by lines: what moving whole lines would waste") {
  Counters counters;
  CHECK_FALSE(counters.global_load.line_efficiency_pct().has_value());
  counters.global_load = {.requests = 1, .sectors = 5, .lines = 2, .bytes = 128};
  CHECK(*counters.global_load.line_efficiency_pct() == 50.0);
}

TEST_CASE("active lanes on average") {
  Counters counters;
  CHECK_FALSE(counters.active_lanes_avg().has_value());
  counters.warp_instructions = 4;
  counters.lane_instructions = 34;
  CHECK(*counters.active_lanes_avg() == 8.5);
  CHECK(*course::counter(counters, "active_lanes_avg") == 8.5);
}

TEST_CASE("every counter has its own name, and the name its own counter") {
  Counters counters;
  counters.global_load = {.requests = 1, .sectors = 2, .lines = 3, .bytes = 4};
  counters.global_store = {.requests = 5, .sectors = 6, .lines = 7, .bytes = 8};
  counters.global_atomic = {.requests = 9, .sectors = 10, .lines = 11, .bytes = 12};
  counters.shared_load = {.requests = 13, .wavefronts = 14, .wavefronts_ideal = 15};
  counters.shared_store = {.requests = 16, .wavefronts = 17, .wavefronts_ideal = 18};
  counters.shared_atomic = {.requests = 19, .wavefronts = 20, .wavefronts_ideal = 21};
  counters.bulk = {.copies = 22, .bytes = 23};
  double expected = 0.0;
  for (const course::NamedCounter& named : course::named_counters(counters)) {
    CAPTURE(named.name);
    CHECK(course::is_counter(named.name));
    CHECK(course::counter(counters, named.name) == named.value);
    if (named.is_whole) CHECK(*named.value == ++expected);
  }
  CHECK(expected == 23.0);
  CHECK(*course::counter(counters, "global_store_lines") == 7.0);
  CHECK(*course::counter(counters, "shared_store_wavefronts_ideal") == 18.0);
  CHECK_FALSE(course::is_counter("global_load"));
  CHECK_THROWS_AS(course::counter(counters, "global_load"), std::out_of_range);
}

TEST_CASE("bulk copies are only told of where there were any") {
  Counters counters;
  for (const course::NamedCounter& named : course::named_counters(counters))
    CHECK_FALSE(named.name.starts_with("bulk"));
  CHECK(*course::counter(counters, "bulk_bytes") == 0.0);
}

TEST_CASE("counters add up") {
  Counters counters;
  counters.global_load = {.requests = 1, .sectors = 2, .lines = 3, .bytes = 4};
  counters.shared_store = {.requests = 5, .wavefronts = 6, .wavefronts_ideal = 7};
  counters.bulk = {.copies = 10, .bytes = 11};
  counters.warp_instructions = 8;
  counters.lane_instructions = 9;
  Counters twice = counters;
  twice += counters;
  CHECK(twice.global_load ==
        course::GlobalCounters{.requests = 2, .sectors = 4, .lines = 6, .bytes = 8});
  CHECK(twice.shared_store ==
        course::SharedCounters{.requests = 10, .wavefronts = 12, .wavefronts_ideal = 14});
  CHECK(twice.bulk == course::BulkCounters{.copies = 20, .bytes = 22});
  CHECK(twice.warp_instructions == 16);
  CHECK(twice.lane_instructions == 18);
  CHECK_FALSE(twice == counters);
}
