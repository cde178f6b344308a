/// Tests the list of exercises.

#include "tools/coursework/list/listing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;

namespace {

const std::filesystem::path kRoot = tools::source_folder();

/// Returns the output of the front door's `list --exercises`.
std::string printed(std::vector<std::string> more = {}) {
  std::vector<std::string> command = {(kRoot / "course").string(), "list", "--exercises"};
  command.insert(command.end(), more.begin(), more.end());
  const tools::CommandResult result = tools::run_command(command);
  CAPTURE(result.err);
  CHECK(result.status == 0);
  return result.out;
}

}  // namespace

TEST_CASE("docs/exercises.json is up to date: if not, run build/emulator/bin/update_exercises") {
  const bool is_up_to_date =  // a failed comparison would print the whole text
      tools::read_file(kRoot / kListingFile) == listing_of(read_exercises(kRoot));
  CHECK(is_up_to_date);
}

TEST_CASE("./course list --exercises prints one exercise a line, its points in columns") {
  const std::vector<Exercise> all = read_exercises(kRoot);
  std::size_t id_columns = 0, point_columns = 0;
  for (const Exercise& one : all) {
    id_columns = std::max(id_columns, one.id.size());
    point_columns = std::max(point_columns, std::to_string(one.points()).size());
  }
  std::string expected;
  for (const Exercise& one : all) {
    const std::string points = std::to_string(one.points());
    expected += one.id + std::string(id_columns - one.id.size() + 2, ' ') +
                std::string(point_columns - points.size(), ' ') + points +
                (one.points() == 1 ? " point   " : " points  ") + one.title + '\n';
  }
  CHECK(printed() == expected);
  const bool is_same_json = printed({"--json", "-"}) == listing_of(all);
  CHECK(is_same_json);
}

TEST_CASE("JSON has everything but what gives an answer or a grader's case away") {
  const auto all = read_exercises(kRoot);
  const auto document = tools::parse_json(listing_of(all));
  REQUIRE(document["exercises"].size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& listed = document["exercises"][i];
    CAPTURE(all[i].id);
    CHECK(listed["id"] == all[i].id);
    CHECK(listed["points"] == all[i].points());
    CHECK(listed["hints"] == all[i].hints.size());
    CHECK(listed["kernels"] == all[i].kernels);
    CHECK(listed["requirements"].size() == all[i].requirements.size());
    int points = 0;
    for (const auto& one : listed["requirements"]) points += one["points"].get<int>();
    CHECK(points == all[i].points());

    const std::string text = listed.dump();
    for (const std::string& hint : all[i].hints) CHECK(text.find(hint) == std::string::npos);
    CHECK_FALSE(listed.contains("grading"));
    for (const auto& [name, group] : all[i].groups)
      CHECK(listed["cases"][name].size() == group.cases.size());
  }
}

TEST_CASE("the list of exercises is valid by docs/exercises.schema.json") {
  const auto schema = tools::parse_json(tools::read_file(kRoot / "docs/exercises.schema.json"));
  nlohmann::json document = tools::parse_json(listing_of(read_exercises(kRoot)));
  CHECK(test_support::schema_faults(schema, document).empty());
  document["exercises"][0]["solution"] = "";
  CHECK_FALSE(test_support::schema_faults(schema, document).empty());
}
