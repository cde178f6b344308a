/// The list of exercises.

#include "tools/coursework/list/listing.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/json_schema.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;

TEST_CASE("one exercise a line, its points in columns") {
  Exercise one, other;
  one.id = "02_1";
  one.title = "A row";
  one.requirements.resize(1);
  one.requirements[0].points = 1;
  other = one;
  other.id = "02_10";
  other.requirements[0].points = 12;
  CHECK(listing_text({one, other}) ==
        "02_1    1 point   A row\n"
        "02_10  12 points  A row\n");
  CHECK(listing_text({}).empty());
}

TEST_CASE("JSON has everything but what gives an answer or a grader's case away") {
  const auto all = read_exercises(tools::source_folder());
  const auto document = listing_json(all);
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
  const auto schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/exercises.schema.json"));
  nlohmann::json document = listing_json(read_exercises(tools::source_folder()));
  CHECK(test_support::schema_faults(schema, document).empty());
  document["exercises"][0]["solution"] = "";
  CHECK_FALSE(test_support::schema_faults(schema, document).empty());
}
