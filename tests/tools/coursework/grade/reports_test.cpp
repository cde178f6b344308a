#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "class_for_test.hpp"
#include "support/json_schema.hpp"
#include "support/markup.hpp"
#include "tools/coursework/grade/marks.hpp"
#include "tools/coursework/grade/results.hpp"
#include "tools/coursework/grade/summary.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/json.hpp"

using namespace coursework;

namespace {

const std::string kNasty = "</script><b>\"&'";

/// A class with every outcome, whose texts contain characters special to HTML and CSV.
class NastyClass {
 public:
  NastyClass() {
    plan.chapter = "02_coalescing";
    plan.exercises = {"02_1"};
    plan.exercise_digests = {"digest"};
    for (int i = 0; i <= static_cast<int>(Outcome::not_handed_in); ++i) {
      const auto outcome = static_cast<Outcome>(i);
      const std::string folder = "student" + std::to_string(i);
      Student student{"=" + kNasty + std::to_string(i), folder, {}, {}};
      student.people.push_back({"+" + kNasty, "a@b.c", "1,2"});
      const bool is_graded = outcome != Outcome::not_handed_in;
      student.files.push_back({"02_1",
                               kNasty,
                               is_graded ? std::string(64, 'a') : "",
                               is_graded ? Outcome::points : outcome,
                               kNasty,
                               {kNasty}});
      Verdict verdict = verdict_without_trials(exercise, outcome, kNasty);
      verdict.compiler_output = kNasty + "\n" + kNasty;
      for (RequirementVerdict& one : verdict.requirements) {
        one.found = one.wanted = one.advice = kNasty;
        if (outcome == Outcome::points) one.holds = one.assessed = true, one.points = one.of;
      }
      plan.all.students.push_back(student);
      if (is_graded) entries[{folder, "02_1"}] = {folder, plan.basis_of(student.files[0]), verdict};
    }
    plan.all.notes = {kNasty};
    marks = collect(plan, {exercise}, entries);
  }

  Exercise exercise = grade_test::exercise();
  Plan plan;
  Entries entries;
  Marks marks;
};

std::vector<std::string> faults(const char* schema, const nlohmann::json& value) {
  return test_support::schema_faults(
      tools::parse_json(tools::read_file(tools::source_folder() / "docs" / schema)), value);
}

}  // namespace

TEST_CASE("results and summary are what their schemas say, whatever came out") {
  const NastyClass nasty;
  REQUIRE(nasty.marks.sheets.size() == 8);
  for (const Sheet& sheet : nasty.marks.sheets) {
    nlohmann::json result = result_json(nasty.marks, sheet);
    CHECK(faults("grade.schema.json", result).empty());
    result["exercises"][0]["seed"] = 1;
    CHECK_FALSE(faults("grade.schema.json", result).empty());
  }
  nlohmann::json summary = summary_json(nasty.marks);
  CHECK(faults("grade_summary.schema.json", summary).empty());
  summary["distribution"][0] = -1;
  CHECK_FALSE(faults("grade_summary.schema.json", summary).empty());
}

TEST_CASE("nothing that a student wrote becomes part of a page") {
  const NastyClass nasty;
  std::vector<std::string> pages = {summary_page(nasty.marks)};
  for (const Sheet& sheet : nasty.marks.sheets) pages.push_back(feedback_page(nasty.marks, sheet));
  for (const std::string& page : pages) {
    CHECK(page.find(kNasty) == std::string::npos);
    CHECK(page.find("</script><b>") == std::string::npos);
    CHECK(page.find("&lt;/script&gt;&lt;b&gt;") != std::string::npos);
    for (const char* other : {"http:", "https:", "src=", "@import", "url("})
      CHECK(page.find(other) == std::string::npos);  // the page is self-contained
  }
}

TEST_CASE("the table has a line for each person, and as many fields in each") {
  const NastyClass nasty;
  const std::string csv = grades_csv(nasty.marks);
  std::vector<std::vector<std::string>> rows(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (c == '"' && quoted && i + 1 < csv.size() && csv[i + 1] == '"') {
      rows.back().back() += csv[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (c == '\r' && !quoted) {
      REQUIRE(csv[++i] == '\n');
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  REQUIRE(rows.size() == 1 + 8);
  for (const auto& row : rows) CHECK(row.size() == rows[0].size());
  CHECK(rows[0] == std::vector<std::string>{"student", "name", "email", "id", "02_1 result",
                                            "02_1 loads", "02_1 stores", "02_1 all warps", "02_1",
                                            "02_1 outcome", "points", "of"});
  CHECK(rows[1][0] == "'=" + kNasty + "0");
  CHECK(rows[1][1] == "'+" + kNasty);
  CHECK(rows[1][10] == std::to_string(nasty.exercise.points()));
  CHECK(rows[8][9] == "not handed in");
}

TEST_CASE("who handed nothing in is told so, and not what else is asked for") {
  const NastyClass nasty;
  for (const Sheet& sheet : nasty.marks.sheets) {
    const bool is_there = sheet.verdicts.at(0).outcome != Outcome::not_handed_in;
    const std::string wanted = nasty.exercise.requirements.at(1).name + ":";
    CHECK((feedback_text(nasty.marks, sheet).find(wanted) != std::string::npos) == is_there);
    CHECK((feedback_page(nasty.marks, sheet).find(wanted) != std::string::npos) == is_there);
  }
}

TEST_CASE("counts are of the class") {
  const NastyClass nasty;
  const ClassCount all = count(nasty.marks);
  CHECK(all.full_marks == 1);
  CHECK(all.median == 0);
  CHECK(all.mean == doctest::Approx(10 / 8.0).epsilon(0.01));
  CHECK(all.distribution.front() == 7);
  CHECK(all.distribution.back() == 1);
  CHECK(all.exercises.at(0).requirements.at(0).holds == 1);
  CHECK(all.exercises.at(0).requirements.at(0).not_assessed == 7);
}

TEST_CASE("a submission without an entry, or with one on another basis, is not passed over") {
  NastyClass nasty;
  nasty.entries.erase({"student0", "02_1"});
  nasty.entries.at({"student1", "02_1"}).basis.seed = "another";
  const Marks marks = collect(nasty.plan, {nasty.exercise}, nasty.entries);
  CHECK(marks.sheets.at(0).verdicts.at(0).outcome == Outcome::grader_fault);
  CHECK(marks.sheets.at(1).verdicts.at(0).outcome == Outcome::grader_fault);
}
