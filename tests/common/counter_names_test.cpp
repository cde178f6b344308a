#include "course/counters.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "course/counter_table.hpp"
#include "course/counters_json.hpp"

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

TEST_CASE("of shared memory: wavefronts without conflicts by those that there were") {
  Counters counters;
  CHECK_FALSE(counters.shared_load.efficiency_pct().has_value());
  counters.shared_load = {.requests = 1, .wavefronts = 32, .wavefronts_ideal = 4};
  CHECK(*counters.shared_load.efficiency_pct() == 12.5);
}

TEST_CASE("of constant memory: requests by the addresses that they were served for") {
  Counters counters;
  CHECK_FALSE(counters.constant_load.efficiency_pct().has_value());
  counters.constant_load = {.requests = 2, .addresses = 64};
  CHECK(*counters.constant_load.efficiency_pct() == 3.125);
  CHECK(*course::counter(counters, "constant_load_addresses") == 64);
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
  counters.dshared_load = {.requests = 22, .sectors = 23, .sectors_ideal = 24};
  counters.dshared_store = {.requests = 25, .sectors = 26, .sectors_ideal = 27};
  counters.dshared_atomic = {.requests = 28, .sectors = 29, .sectors_ideal = 30};
  counters.constant_load = {.requests = 31, .addresses = 32};
  counters.bulk = {.copies = 33, .bytes = 34, .sectors = 35};
  counters.bulk_store = {.copies = 36, .bytes = 37, .sectors = 38};
  counters.tensor = {
      .instructions = 39, .operations = 40, .shared_bytes = 41, .shared_wavefronts = 42};
  counters.sectors_ideal = {.global_load = 43, .global_store = 44, .global_atomic = 45};
  counters.warp_instructions = 46;
  counters.lane_instructions = 47;
  counters.barriers = 48;
  counters.warp_shuffles = 49;
  counters.warp_reductions = 50;
  counters.mbarrier_operations = 51;
  counters.busiest_warp = {.global = 52, .shared = 53};
  counters.uneven_global_loads = 54;
  counters.repeated_global_loads = 55;
  double expected = 0.0;
  for (const course::CounterDescription& one : course::counter_table()) {
    CAPTURE(one.name);
    CHECK(course::is_counter(one.name));
    CHECK(course::counter(counters, one.name) == one.value(counters));
    CHECK(one.is_used(counters));
    CHECK_FALSE(one.meaning.empty());
    CHECK((one.unit == course::CounterUnit::count) == (one.field != nullptr));
    if (one.field == nullptr) continue;
    CHECK(*one.value(counters) == ++expected);
    CHECK(static_cast<double>(one.field(counters)) == expected);
  }
  CHECK(expected == 55.0);
  CHECK(*course::counter(counters, "global_store_lines") == 7.0);
  CHECK(*course::counter(counters, "shared_store_wavefronts_ideal") == 18.0);
  CHECK_FALSE(course::is_counter("global_load"));
  CHECK_THROWS_AS(course::counter(counters, "global_load"), std::out_of_range);
}

TEST_CASE("bulk copies, tensor cores and other blocks' memory are told of where there were any") {
  Counters counters;
  for (const auto shown : {course::CountersShown::report, course::CountersShown::profile}) {
    const auto json = course::json_of(counters, shown);
    for (const auto& [name, value] : json.items()) {
      CHECK_FALSE(name.starts_with("bulk"));
      CHECK_FALSE(name.starts_with("constant"));
      CHECK_FALSE(name.starts_with("dshared"));
      CHECK_FALSE(name.starts_with("tensor"));
    }
  }
  counters.dshared_load = {.requests = 2, .sectors = 16, .sectors_ideal = 8};
  const auto report = course::json_of(counters, course::CountersShown::report);
  CHECK(report["dshared_load_requests"] == 2);
  CHECK(report["dshared_load_sectors"] == 16);
  CHECK_FALSE(report.contains("dshared_load_sectors_ideal"));
  CHECK_FALSE(report.contains("dshared_store_requests"));
  CHECK(course::json_of(counters, course::CountersShown::profile)["dshared_load_sectors_ideal"] ==
        8);
  CHECK(*course::counter(counters, "dshared_load_efficiency_pct") == 50.0);
  CHECK(*course::counter(counters, "bulk_bytes") == 0.0);
  counters.tensor.instructions = 3;
  CHECK(course::json_of(counters, course::CountersShown::report)["tensor_instructions"] == 3);
  // mma.sync takes both matrices from registers: wgmma alone reads shared memory.
  CHECK_FALSE(
      course::json_of(counters, course::CountersShown::report).contains("tensor_shared_bytes"));
  counters.tensor.shared_bytes = 1024;
  CHECK(course::json_of(counters, course::CountersShown::report)["tensor_shared_bytes"] == 1024);
}

TEST_CASE("as JSON: in order, whole numbers as such, null for nothing of nothing") {
  Counters counters;
  counters.global_load = {.requests = 1, .sectors = 5, .lines = 2, .bytes = 128};
  counters.shared_store = {.requests = 6, .wavefronts = 7, .wavefronts_ideal = 6};
  counters.sectors_ideal.global_load = 4;
  counters.warp_instructions = 7;
  counters.lane_instructions = 7 * 32;
  const auto usual = course::json_of(counters, course::CountersShown::report);
  CHECK(usual.begin().key() == "global_load_requests");
  CHECK(usual["global_load_sectors"].is_number_unsigned());
  CHECK(usual["global_load_efficiency_pct"] == 80.0);
  CHECK(usual["global_store_sectors"] == 0);
  CHECK(usual["global_store_efficiency_pct"].is_null());
  CHECK_FALSE(usual.contains("bulk_copies"));
  CHECK_FALSE(usual.contains("global_load_sectors_ideal"));
  CHECK_FALSE(usual.contains("warp_instructions"));

  CHECK(course::json_of(counters, course::CountersShown::profile).dump() ==
        R"({"global_load_requests":1,"global_load_sectors":5,"global_load_lines":2,)"
        R"("global_load_bytes":128,"global_load_efficiency_pct":80.0,"shared_store_requests":6,)"
        R"("shared_store_wavefronts":7,"shared_store_wavefronts_ideal":6,"active_lanes_avg":32.0,)"
        R"("global_load_sectors_ideal":4,"warp_instructions":7,"lane_instructions":224})");
  counters.bulk = {.copies = 1, .bytes = 16, .sectors = 1};
  counters.lane_instructions = (std::uint64_t{1} << 53) + 1;  // no double is this number
  CHECK(course::json_of(counters, course::CountersShown::profile)["lane_instructions"] ==
        counters.lane_instructions);
  CHECK(course::json_of(counters, course::CountersShown::report)["bulk_bytes"] == 16);
  CHECK(course::json_of({}, course::CountersShown::profile).dump() ==
        R"({"active_lanes_avg":null,"warp_instructions":0,"lane_instructions":0})");
}

TEST_CASE("counters add up, and can be taken away again") {
  Counters counters;
  counters.global_load = {.requests = 1, .sectors = 2, .lines = 3, .bytes = 4};
  counters.shared_store = {.requests = 5, .wavefronts = 6, .wavefronts_ideal = 7};
  counters.bulk = {.copies = 10, .bytes = 11, .sectors = 15};
  counters.sectors_ideal = {.global_load = 12, .global_store = 13, .global_atomic = 14};
  counters.warp_instructions = 8;
  counters.lane_instructions = 9;
  Counters twice = counters;
  twice += counters;
  CHECK(twice.global_load ==
        course::GlobalCounters{.requests = 2, .sectors = 4, .lines = 6, .bytes = 8});
  CHECK(twice.shared_store ==
        course::SharedCounters{.requests = 10, .wavefronts = 12, .wavefronts_ideal = 14});
  CHECK(twice.bulk == course::BulkCounters{.copies = 20, .bytes = 22, .sectors = 30});
  CHECK(twice.sectors_ideal ==
        course::IdealSectors{.global_load = 24, .global_store = 26, .global_atomic = 28});
  CHECK(twice.warp_instructions == 16);
  CHECK(twice.lane_instructions == 18);
  CHECK_FALSE(twice == counters);
  CHECK((twice -= counters) == counters);
}
