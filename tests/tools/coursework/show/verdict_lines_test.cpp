/// Tests verdicts as text.

#include "tools/coursework/show/verdict_lines.hpp"

#include <doctest/doctest.h>

#include "tools/coursework/show/task_lines.hpp"

using namespace coursework;

namespace {

Verdict verdict_of_everything() {
  Verdict verdict;
  verdict.exercise = "02_1";
  verdict.requirements = {
      {"result", "It is right.", 4, 4, true, true, "right in 7 trials", "", ""},
      {"loads", "It loads little.", 0, 4, false, true, "33 sectors", "at most 5", "Look at A."},
      {"stores", "It stores little.", 0, 2, false, false, "not assessed: the results are wrong", "",
       ""}};
  verdict.compiler_output = "a.cu:2:7: warning: unused variable\n";
  return verdict;
}

}  // namespace

TEST_CASE("every requirement has its points, what was found and what is wanted") {
  CHECK(text_of(verdict_of_everything(), "A row") ==
        "02.1  A row: not yet, 4 of 10 points\n"
        "  + 4/4  result: It is right.\n"
        "         right in 7 trials\n"
        "  - 0/4  loads: It loads little.\n"
        "         found: 33 sectors\n"
        "         wanted: at most 5\n"
        "         Look at A.\n"
        "  . 0/2  stores: It stores little.\n"
        "         not assessed: the results are wrong\n"
        "a.cu:2:7: warning: unused variable\n");
}

TEST_CASE("what holds is said shortly") {
  Verdict verdict = verdict_of_everything();
  verdict.requirements.resize(2);
  verdict.requirements[1].holds = true;
  verdict.requirements[1].points = 4;
  verdict.compiler_output.clear();
  const std::string text = text_of(verdict, "A row");
  CHECK(text.starts_with("02.1  A row: right, 8 of 8 points\n"));
  CHECK(text.find("         33 sectors; wanted: at most 5\n") != std::string::npos);
}

TEST_CASE("what is met and waits for another has no minus, and says for which") {
  Verdict verdict = verdict_of_everything();
  verdict.requirements = {{"stores", "It stores little.", 0, 2, false, false, "4 sectors",
                           "at most 5", "This waits for \"loads\"."}};
  verdict.compiler_output.clear();
  CHECK(text_of(verdict, "A row") ==
        "02.1  A row: not yet, 0 of 2 points\n"
        "  . 0/2  stores: It stores little.\n"
        "         4 sectors; wanted: at most 5\n"
        "         This waits for \"loads\".\n");
}

TEST_CASE("a task is its title, what points are given for, and where to write") {
  Exercise exercise;
  exercise.id = "02_1";
  exercise.title = "A row";
  exercise.requirements.resize(2);
  exercise.requirements[0].name = "result";
  exercise.requirements[0].points = 4;
  exercise.requirements[0].text = "It is right.";
  exercise.requirements[1].name = "loads";
  exercise.requirements[1].points = 1;
  exercise.requirements[1].text = "It loads little.";
  CHECK(
      render(task_lines(exercise, "answers/02_1_a_row.cu"), Look{}) ==
      "02.1  A row, for 5 points\n"
      "    4  result: It is right.\n"
      "    1  loads: It loads little.\n"
      "  answers/02_1_a_row.cu says what to write. The same command then says how far you are.\n");
}

TEST_CASE("no trial, no requirements: only why") {
  Verdict verdict = verdict_of_everything();
  for (RequirementVerdict& one : verdict.requirements) one.points = 0;
  verdict.outcome = Outcome::does_not_compile;
  verdict.message = "a.cu:1:1: error: no\n    1 | x\n";
  CHECK(text_of(verdict, "A row") ==
        "02.1  A row: does not compile, 0 of 10 points\na.cu:1:1: error: no\n    1 | x\n");
  verdict.outcome = Outcome::time_limit;
  verdict.message = "it was at a.cu:3";
  CHECK(text_of(verdict, "A row")
            .starts_with("02.1  A row: time limit, 0 of 10 points\n  it was at a.cu:3.\n"));
}

TEST_CASE("signs only where they can be shown") {
  const Look look{.signs = true};
  const std::string text = render(lines_of(verdict_of_everything(), "A row", true), look);
  CHECK(text.find("\u2713 4/4") != std::string::npos);
  CHECK(text.find("\u2717 0/4") != std::string::npos);
}

TEST_CASE("a remark at the end of a requirement is for whom it cost points") {
  Verdict verdict;
  verdict.exercise = "02_1";
  const std::string text = "It loads (once) little. (More (a bit) at edges.)";
  verdict.requirements = {{"loads", text, 4, 4, true, true, "4 sectors", "", ""},
                          {"stores", text, 0, 4, false, true, "9 sectors", "", ""},
                          {"rest", "Nothing else (at all)", 2, 2, true, true, "none", "", ""}};
  const std::string shown = text_of(verdict, "A row");
  CHECK(shown.find("+ 4/4  loads: It loads (once) little.\n") != std::string::npos);
  CHECK(shown.find("- 0/4  stores: " + text + "\n") != std::string::npos);
  CHECK(shown.find("+ 2/2  rest: Nothing else\n") != std::string::npos);
}
