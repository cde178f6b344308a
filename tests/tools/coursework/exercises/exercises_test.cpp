/// Tests exercises as data: what each description must contain, and which are refused.

#include "tools/coursework/exercises/exercise.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "support/json_schema.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"
#include "tools/coursework/judging/draw_cases.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
using nlohmann::json;

namespace {

constexpr int kPoints = 10;  // for every exercise, as docs/teaching.md states

const std::vector<Exercise>& all() {
  static const std::vector<Exercise> exercises = read_exercises(tools::source_folder());
  return exercises;
}

bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

std::set<std::string> names_of(const Case& one) {
  std::set<std::string> names;
  for (const auto& [name, value] : one) names.insert(name);
  return names;
}

/// Returns whether the grader may draw `value`.
bool is_in(const Range& range, std::int64_t value) {
  if (!range.choices.empty()) return std::ranges::find(range.choices, value) != range.choices.end();
  return value >= range.from && value <= range.to && (value - range.from) % range.step == 0;
}

/// An exercise in a temporary folder.
struct MadeUp {
  tools::TemporaryFolder root{"made-up exercise"};
  std::filesystem::path folder = root.path() / "chapters/09_made_up/exercises/2_nothing";

  Exercise read(const std::string& description) const {
    root.write("chapters/09_made_up/exercises/2_nothing/exercise.json", description);
    return read_exercise(folder);
  }
  std::string refusal(const json& description) const {
    try {
      read(description.dump());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

json good() {
  return tools::parse_json(R"json({
    "title": "Nothing", "kernels": ["void nothing(int n)"], "hints": [],
    "cases": {"cost": [{"n": 1}]}, "grading": {"cost": {"draw": 3, "n": {"from": 2, "to": 9}}},
    "requirements": [
      {"name": "loads", "points": 3, "text": "None.", "cases": "cost", "measure": "read_sectors",
       "at_least": 0, "at_most": "n", "unit": "sectors"}
    ]})json");
}

}  // namespace

TEST_CASE("every exercise is what the schema says, and a schema notices what is not") {
  const json schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/coursework.schema.json"));
  const auto faults_in = [&](const json& description) {
    return test_support::schema_faults(schema, description);
  };
  for (const Exercise& exercise : all()) {
    CAPTURE(exercise.folder.string());
    const auto faults =
        faults_in(tools::parse_json(tools::read_file(exercise.folder / "exercise.json")));
    CHECK_MESSAGE(faults.empty(), (faults.empty() ? "" : faults.front()));
  }
  CHECK(faults_in(good()).empty());
  for (const char* key : {"title", "kernels", "cases", "requirements", "hints"}) {
    json without = good();
    without.erase(key);
    CHECK_FALSE(faults_in(without).empty());
  }
  for (const char* key : {"at_least", "at_most", "unit", "points", "text"}) {
    json without = good();
    without["requirements"][0].erase(key);
    CHECK_FALSE(faults_in(without).empty());
  }
}

TEST_CASE("every exercise gives ten points, and more than one thing has to be right") {
  std::set<std::string> chapters;
  for (const Exercise& exercise : all()) {
    CAPTURE(exercise.id);
    chapters.insert(exercise.chapter);
    CHECK(exercise.points() == kPoints);
    CHECK(exercise.requirements.size() >= 2);
    CHECK(exercise.hints.size() >= 2);
    std::set<std::string> names;
    for (const Requirement& one : exercise.requirements) {
      CHECK(names.insert(one.name).second);
      CHECK(one.points >= 1);
    }
  }
  for (const auto& folder : tools::chapter_folders())
    CHECK(chapters.contains(folder.filename().string()));
}

TEST_CASE("no two exercises share a name: it tells whose an answer is whose number has changed") {
  std::set<std::string> names;
  for (const Exercise& exercise : all()) {
    CAPTURE(exercise.id);
    CHECK(names.insert(exercise.name).second);
  }
}

TEST_CASE("a starter says what is to be done, a solution has nothing left to do") {
  for (const Exercise& exercise : all()) {
    CAPTURE(exercise.id);
    const std::string starter = starter_of(exercise), solution = solution_of(exercise);
    const std::string number = exercise.id.substr(0, 2) + "." + std::to_string(exercise.number);
    CHECK(starter.starts_with("// Exercise " + number + ": "));
    CHECK(contains(starter, "// TODO: "));
    CHECK_FALSE(contains(solution, "TODO"));
    for (const std::string& text : {starter, solution}) {
      CHECK_FALSE(contains(text, "COURSE_SOLUTION"));
      for (const std::string& kernel : exercise.kernels)
        CHECK(contains(text, "__global__ void " + read_signature(kernel).name + "("));
    }
  }
}

// A question has the same answer for everybody: where kernels give answers, nothing is drawn.
TEST_CASE("what the grader draws is in its ranges, the same for a seed, and other for another") {
  for (const Exercise& exercise : all()) {
    CAPTURE(exercise.id);
    bool draws = false;
    for (const auto& [name, group] : exercise.groups) {
      CAPTURE(name);
      REQUIRE(!group.cases.empty());
      for (const Case& one : group.cases) CHECK(names_of(one) == names_of(group.cases.front()));
      for (const std::uint64_t seed : {1, 2, 3}) {
        const auto drawn = draw_cases(exercise, name, seed);
        CHECK(static_cast<int>(drawn.size()) == group.drawn);
        for (const Case& one : drawn) {
          CHECK(names_of(one) == names_of(group.cases.front()));
          for (const auto& [size, value] : one) CHECK(is_in(group.ranges.at(size), value));
        }
        draws |= !drawn.empty();
      }
    }
    const bool asks_questions = std::ranges::any_of(exercise.kernels, [](const std::string& one) {
      return read_signature(one).name == "answers";
    });
    CHECK((draws || asks_questions));
  }
}

TEST_CASE("two seeds draw different cases, one seed the same") {
  const MadeUp made_up;
  json description = good();
  description["grading"]["cost"] = {{"draw", 20}, {"n", {{"from", 5}, {"to", 5000}, {"step", 5}}}};
  const Exercise exercise = made_up.read(description.dump());
  const auto sizes = [&](std::uint64_t seed) {
    std::vector<std::int64_t> all;
    for (const Case& one : draw_cases(exercise, "cost", seed)) all.push_back(one.at("n"));
    return all;
  };
  CHECK(sizes(4) == sizes(4));
  CHECK(sizes(4) != sizes(5));
  for (const std::int64_t n : sizes(4)) CHECK(n % 5 == 0);
}

TEST_CASE("what is drawn comes in layers: small, large, and every part of the range in between") {
  const MadeUp made_up;
  json description = good();
  description["cases"]["cost"] = {{{"n", 1}, {"m", 1}, {"block", 8}}};
  description["grading"]["cost"] = {{"draw", 5},
                                    {"n", {{"from", 1}, {"to", 500}}},
                                    {"m", {{"from", 0}, {"to", 40}, {"step", 10}}},
                                    {"block", {8, 16}}};
  const Exercise exercise = made_up.read(description.dump());
  std::set<std::vector<std::int64_t>> orders;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto drawn = draw_cases(exercise, "cost", seed);
    CHECK(drawn.front().at("n") <= 100);
    CHECK(drawn.front().at("m") == 0);
    CHECK(drawn.back().at("n") > 400);
    CHECK(drawn.back().at("m") == 40);
    std::set<std::int64_t> hundreds;
    std::vector<std::int64_t> order;
    int eights = 0;
    for (const Case& one : drawn) {
      hundreds.insert((one.at("n") - 1) / 100);
      order.push_back(one.at("m"));
      eights += one.at("block") == 8;
    }
    CHECK(hundreds.size() == 5);
    CHECK(std::set<std::int64_t>(order.begin(), order.end()).size() == 5);
    CHECK((eights == 2 || eights == 3));
    orders.insert(order);
  }
  CHECK(orders.size() == 6);  // orders of the three in the middle
}

TEST_CASE("a description that is wrong is refused in a line that names the file") {
  const MadeUp made_up;
  CHECK(made_up.read(good().dump()).file_name() == "09_2_nothing.cu");
  const auto refused = [&](const json& description, const std::string& words) {
    const std::string refusal = made_up.refusal(description);
    CAPTURE(refusal);
    CHECK(contains(refusal, "2_nothing/exercise.json: "));
    CHECK(contains(refusal, words));
    CHECK(std::ranges::count(refusal, '\n') == 0);
  };
  json wrong = good();
  wrong["hint"] = json::array();
  refused(wrong, "unknown key hint");
  wrong = good();
  wrong["requirements"][0].erase("at_least");
  refused(wrong, "needs two bounds");
  wrong = good();
  wrong["requirements"][0]["points"] = 2.5;
  refused(wrong, "needs whole points");
  wrong = good();
  wrong["requirements"][0]["cases"] = "costs";
  refused(wrong, "measured in cases \"costs\"");
  for (const char* needed : {"stores", "loads"}) {
    wrong = good();
    wrong["requirements"][0]["needs"] = {needed};
    refused(wrong, "which is no other requirement");
  }
  wrong = good();
  wrong["grading"]["cost"].erase("n");
  refused(wrong, "draws no \"n\"");
  wrong = good();
  wrong["kernels"] = json::array();
  refused(wrong, "there are no kernels");
  wrong["kernels"] = {"void nothing(int n)", "int nothing(int n)"};
  refused(wrong, "no declaration of a kernel: int nothing(int n)");
  wrong["kernels"] = {"void nothing(float4 v)"};
  refused(wrong, "a kernel's parameters are numbers and pointers: void nothing(float4 v)");
}

TEST_CASE("where the judge is left out, nothing runs, and the verdict says who judges") {
  const MadeUp made_up;
  json description = good();
  CHECK(made_up.read(description.dump()).judge == JudgeIs::open);
  description["judge"] = "telling";
  CHECK(made_up.read(description.dump()).judge == JudgeIs::telling);
  description["judge"] = "left in";
  CHECK(contains(made_up.refusal(description), "\"judge\" is neither"));
  description["judge"] = "left out";
  const auto start = []() -> std::unique_ptr<RunnerProcess> { throw std::logic_error("it runs"); };
  const Verdict verdict = judge(made_up.read(description.dump()), start, {});
  CHECK(verdict.points() == 0);
  REQUIRE_FALSE(verdict.requirements.empty());
  for (const RequirementVerdict& one : verdict.requirements) {
    CHECK_FALSE(one.assessed);
    CHECK(one.found == "only the grader judges this");
  }
}

TEST_CASE("what a requirement needs is said in its text, for students read no JSON") {
  for (const Exercise& exercise : all()) {
    for (const Requirement& one : exercise.requirements) {
      CAPTURE(exercise.id);
      CAPTURE(one.name);
      for (const std::string& needed : one.needs) {
        CAPTURE(needed);
        const std::size_t begin = one.text.find("No points without ");
        REQUIRE(begin != std::string::npos);
        CHECK(one.text.find("`" + needed + "`", begin) != std::string::npos);
      }
    }
  }
}

TEST_CASE("conditions that are nested or not closed are refused") {
  const MadeUp made_up;
  const Exercise exercise = made_up.read(good().dump());
  const auto text = [&](const std::string& source) {
    made_up.root.write("chapters/09_made_up/exercises/2_nothing/exercise.cu", source);
    return starter_of(exercise) + "|" + solution_of(exercise);
  };
  CHECK(text("a\n#ifdef COURSE_SOLUTION\nb\n#else\nc\n#endif\nd\n") == "a\nc\nd\n|a\nb\nd\n");
  CHECK(text("#ifdef COURSE_SOLUTION\nb\n#endif\n#ifdef X\n#endif\n") ==
        "#ifdef X\n#endif\n|b\n#ifdef X\n#endif\n");
  CHECK_THROWS_WITH_AS(text("#ifdef COURSE_SOLUTION\n"), doctest::Contains("is not closed"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(text("#ifdef COURSE_SOLUTION\n#ifdef COURSE_SOLUTION\n"),
                       doctest::Contains("stands inside another"), std::runtime_error);
}
