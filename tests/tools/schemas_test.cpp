#include "tools/schemas/schemas.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "course/counter_table.hpp"
#include "course/counters_json.hpp"
#include "engine/check/hazards.hpp"
#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using nlohmann::json;

namespace {

json schema_of_counters(const char* file) {
  json schema = tools::parse_json(tools::read_file(tools::source_folder() / "docs" / file));
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

TEST_CASE("what the manual and the page on nvprof call a counter is one") {
  // Our names are in the last column of that page's table; nvprof's look similar.
  std::string text = tools::read_file(tools::source_folder() / "emulator/README.md");
  for (const std::string& line :
       tools::lines_of(tools::read_file(tools::source_folder() / "docs/nvprof.md")))
    if (line.starts_with("|")) text += line.substr(line.rfind('|', line.size() - 2)) + "\n";
  const tools::Pattern name(R"(`((?:global|shared|dshared|bulk|active)_\w+)`)");
  int names = 0;
  for (const tools::Match& match : name.all(text)) {
    CAPTURE(match.str(1));
    CHECK(course::is_counter(match.str(1)));
    ++names;
  }
  CHECK(names >= 10);
}

TEST_CASE(
    "a finding's kind is one of the table's, with a test, and a tool that the manual explains and "
    "COURSE_CHECK understands") {
  const json schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/findings.schema.json"));
  const json kinds = schema.at("$defs").at("finding").at("properties").at("kind");
  const std::string manual = tools::read_file(tools::source_folder() / "emulator/README.md");
  std::string tests;
  for (const auto& entry :
       std::filesystem::directory_iterator(tools::source_folder() / "tests/emulator/check"))
    tests += tools::read_file(entry.path());
  for (const emu::HazardKind& kind : emu::kHazardKinds) {
    CAPTURE(kind.name);
    CHECK(tests.find("\"" + std::string(kind.name) + "\"") != std::string::npos);
    const bool is_schedule = std::string(kind.tool) == "schedules";
    emu::Checks checks;
    CHECK(emu::parse_checks(kind.tool, checks) == !is_schedule);
    CHECK(test_support::schema_faults(kinds, kind.name).empty());
    const std::string heading =
        is_schedule ? "\n**Schedules**" : "\n**" + std::string(kind.tool) + "**";
    CHECK(manual.find(heading) != std::string::npos);
    CHECK(emu::finding_of(kind.hazard).kind == kind.name);
  }
  CHECK_FALSE(test_support::schema_faults(kinds, "made_up").empty());
}
