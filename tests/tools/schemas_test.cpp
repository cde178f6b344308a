#include "tools/schemas/schemas.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "course/counter_table.hpp"
#include "course/counters_json.hpp"
#include "engine/hazards.hpp"
#include "support/json_schema.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;

namespace {

json schema_of_counters(const char* file) {
  json schema = json::parse(tools::read_file(tools::source_folder() / "docs" / file));
  return {{"$ref", "#/$defs/counters"}, {"$defs", schema.at("$defs")}};
}

course::Counters all_used() {
  course::Counters counters;
  for (const course::CounterDescription& one : course::counter_table())
    if (one.field) one.field(counters) = 1;
  counters.lane_instructions = 32;
  return counters;
}

}  // namespace

TEST_CASE("the schemas list what the tables hold: if not, run build/emulator/bin/update_schemas") {
  for (const schemas::Schema& schema : schemas::all()) {
    CAPTURE(schema.file);
    CHECK(schema.present == schema.wanted);
  }
}

TEST_CASE("what a table says is what the JSON has, whether nothing or everything occurred") {
  for (const course::Counters& counters : {course::Counters{}, all_used()}) {
    const json report = course::json_of(counters, course::CountersShown::report);
    const json profile = course::json_of(counters, course::CountersShown::profile);
    CHECK(test_support::schema_faults(schema_of_counters("report.schema.json"), report).empty());
    CHECK(test_support::schema_faults(schema_of_counters("profile.schema.json"), profile).empty());
  }
  json unknown = course::json_of({}, course::CountersShown::report);
  unknown["global_load_misses"] = 1;
  CHECK_FALSE(
      test_support::schema_faults(schema_of_counters("report.schema.json"), unknown).empty());
}

TEST_CASE("a finding's kind is one of the table's, and each has a tool that the manual explains") {
  const json schema =
      json::parse(tools::read_file(tools::source_folder() / "docs/findings.schema.json"));
  const json kinds = schema.at("$defs").at("finding").at("properties").at("kind");
  const std::string manual = tools::read_file(tools::source_folder() / "emulator/README.md");
  for (const emu::HazardKind& kind : emu::kHazardKinds) {
    CAPTURE(kind.name);
    CHECK(test_support::schema_faults(kinds, kind.name).empty());
    const std::string heading = std::string(kind.tool) == "schedules"
                                    ? "\n**Schedules**"
                                    : "\n**" + std::string(kind.tool) + "**";
    CHECK(manual.find(heading) != std::string::npos);
    CHECK(emu::finding_of(kind.hazard).kind == kind.name);
  }
  CHECK_FALSE(test_support::schema_faults(kinds, "made_up").empty());
}
