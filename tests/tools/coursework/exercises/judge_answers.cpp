/// Judges answers to a chapter's exercises that are known to be right or wrong.
///
///     judge_answers NN_name         the solution and the starter
///     judge_answers NN_name others  unusual right answers, and wrong ones
///
/// The solution gets all points with all drawn cases, and no hazard is found in it. The unusual
/// right answers in tests/chapters/NN_name/exercises/K_name/right get all points, too. The starter
/// and the wrong answers lose points with every seed, and the verdict says why.
///
/// By default uses one seed, and every second of the others. If COURSE_LONG_TESTS is 1, uses three
/// seeds and all answers.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "answers_in_one.hpp"
#include "support/long_tests.hpp"
#include "support/side_by_side.hpp"
#include "tools/coursework/exercises/choose.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"
#include "wrong_answers.hpp"

namespace {

namespace fs = std::filesystem;
using namespace coursework;
using course_test::WrongAnswer;

std::vector<std::uint64_t> seeds() {
  if (test_support::is_long_run()) return {1, 2, 3};
  return {1};
}

/// Which answers are judged.
enum class Kind { usual, others };

/// Returns those of the other answers that this run judges.
template <class Answer>
std::vector<Answer> some_of(const std::vector<Answer>& all) {
  if (test_support::is_long_run()) return all;
  std::vector<Answer> some;
  for (std::size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

/// Returns everything that a student could read, in a few lines.
std::string words_of(const Verdict& verdict) {
  std::string text = name_of(verdict.outcome) + ": " + verdict.message + '\n';
  for (const RequirementVerdict& one : verdict.requirements)
    text += "  " + one.name + " " + std::to_string(one.points) + "/" + std::to_string(one.of) +
            ": " + one.found + "; wanted: " + one.wanted + "; " + one.advice + '\n';
  return text;
}

/// A generous limit: all answers end, but some take longer than a student's may when other tests
/// run at the same time.
constexpr std::chrono::minutes kTimeLimit{2};

Verdict judged(const Exercise& exercise, const fs::path& program, JudgeOptions options) {
  options.time_limit = kTimeLimit;
  return judge(
      exercise, [&] { return start_runner(program); }, options);
}

/// Returns what is wrong with the verdict on an answer that deserves all points; empty if nothing.
std::string fault_of_right(const Exercise& exercise, const fs::path& program) {
  for (const std::uint64_t seed : seeds()) {
    JudgeOptions options;
    options.seed = seed;
    options.draw = true;
    const Verdict verdict = judged(exercise, program, options);
    if (!verdict.is_right())
      return "is right, but with seed " + std::to_string(seed) + ":\n" + words_of(verdict);
  }
  return {};
}

/// Returns the exercise with a further requirement: the hazard checker reports nothing, not even
/// warnings.
Exercise without_hazards(Exercise exercise) {
  Requirement one;
  one.name = "no hazard";
  one.kind = Requirement::Kind::clean;
  one.points = 1;
  one.tools = {"memcheck", "initcheck", "racecheck", "synccheck"};
  exercise.requirements.push_back(one);
  return exercise;
}

/// Returns what is wrong with the verdict on a wrong answer; empty if nothing.
std::string fault_of_wrong(const WrongAnswer& answer, const Verdict& verdict) {
  const std::string words = words_of(verdict);
  if (verdict.is_right()) return "is accepted:\n" + words;
  if (words.find(answer.words) == std::string::npos)
    return "is not told \"" + answer.words + "\":\n" + words;
  if (answer.lost.empty()) return {};
  for (const RequirementVerdict& one : verdict.requirements) {
    const bool expected = std::ranges::find(answer.lost, one.name) != answer.lost.end();
    if (expected == one.holds)
      return (one.holds ? "has the points for " : "loses the points for ") + one.name + ":\n" +
             words;
  }
  return {};
}

/// Checks the verdicts on a wrong answer. Students see only public cases; an answer that only drawn
/// cases detect is a file of its own.
std::string fault_of_wrong(const Exercise& exercise, const WrongAnswer& answer,
                           const fs::path& program) {
  if (answer.text.empty()) return fault_of_wrong(answer, judged(exercise, program, {}));
  for (const std::uint64_t seed : seeds()) {
    JudgeOptions options;
    options.seed = seed;
    options.draw = true;
    const std::string fault = fault_of_wrong(answer, judged(exercise, program, options));
    if (!fault.empty()) return "with seed " + std::to_string(seed) + " " + fault;
  }
  return {};
}

/// Judges a right answer alone, compiled as a student's file is.
std::string fault_of_file(const Exercise& exercise, const fs::path& file) {
  const tools::TemporaryFolder folder("course answer");
  const Compiled compiled = compile_plain(exercise, file, folder.path());
  if (!compiled.ok) return "does not compile:\n" + compiled.output;
  const bool warns = tools::read_file(file).find("// The compiler warns") != std::string::npos;
  if (warns == compiled.output.empty())
    return "has other warnings than it says:\n" + compiled.output;
  return fault_of_right(exercise, compiled.program);
}

struct AnswersReport {
  int answers = 0;
  int faults = 0;
  std::string text;

  void add(const std::string& title, const std::string& fault) {
    ++answers;
    faults += !fault.empty();
    text += (fault.empty() ? "as it should be  " : "FAULT            ") + title + '\n' + fault;
  }
};

fs::path tests_of(const Exercise& exercise) {
  return tools::source_folder() / "tests/chapters" / exercise.chapter / "exercises" /
         exercise.folder.filename();
}

/// An exercise and its answers to judge.
struct Trial {
  Exercise exercise;
  bool has_solution = false;
  std::vector<WrongAnswer> wrong;
  std::vector<fs::path> right;

  Trial(const Exercise& one, Kind kind) : exercise(one), has_solution(kind == Kind::usual) {
    std::vector<WrongAnswer> others = course_test::read_wrong_answers(tests_of(one));
    const auto starter = std::ranges::find_if(others, &WrongAnswer::is_starter);
    if (starter == others.end())
      throw std::runtime_error(one.id + ": [the starter] is not in wrong_answers.txt");
    if (kind == Kind::usual) {
      wrong = {*starter};
      return;
    }
    others.erase(starter);
    wrong = some_of(others);
    const fs::path folder = tests_of(one) / "right";
    if (!exists(folder)) return;
    for (const auto& file : fs::directory_iterator(folder)) right.push_back(file.path());
    std::ranges::sort(right);
    right = some_of(right);
  }

  /// Returns the answers that are compiled together: the solution, if it is judged, and the wrong
  /// ones.
  course_test::Answers answers() const {
    const std::string solution = solution_of(exercise);
    course_test::Answers all{exercise, {}};
    if (has_solution) all.texts.push_back(solution);
    for (const WrongAnswer& answer : wrong)
      all.texts.push_back(answer.is_starter() ? starter_of(exercise)
                                              : course_test::changed(solution, answer));
    return all;
  }
};

AnswersReport report_on(const Trial& trial, const course_test::Answers& answers,
                        const fs::path& lists) {
  const Exercise& exercise = trial.exercise;
  const tools::TemporaryFolder build("course answers");
  AnswersReport report;
  if (!answers.texts.empty()) {
    const auto programs = course_test::compile_in_one(answers, lists, build.path());
    auto program = programs.begin();
    if (trial.has_solution)
      report.add(exercise.id + " the solution",
                 fault_of_right(without_hazards(exercise), *program++));
    for (const WrongAnswer& wrong : trial.wrong)
      report.add(exercise.id + " [" + wrong.title + "]",
                 fault_of_wrong(exercise, wrong, *program++));
  }
  for (const fs::path& file : trial.right)
    report.add(exercise.id + " " + file.filename().string(), fault_of_file(exercise, file));
  return report;
}

int judge_chapter(const std::string& chapter, Kind kind) {
  std::vector<Trial> trials;
  std::vector<course_test::Answers> answers;
  for (const Exercise& exercise :
       choose_exercises(read_exercises(tools::source_folder()), chapter)) {
    trials.emplace_back(exercise, kind);
    answers.push_back(trials.back().answers());
  }
  const tools::TemporaryFolder build("course answers");
  const fs::path lists = course_test::compile_lists(answers, build.path());
  int total = 0, faults = 0;
  for (const AnswersReport& report : test_support::side_by_side(
           trials.size(), [&](std::size_t i) { return report_on(trials[i], answers[i], lists); })) {
    std::cout << report.text;
    total += report.answers;
    faults += report.faults;
  }
  std::cout << total << " answers, " << faults << " faults\n";
  return faults == 0 && total > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2) return judge_chapter(argv[1], Kind::usual);
    if (argc == 3 && argv[2] == std::string("others")) return judge_chapter(argv[1], Kind::others);
    throw std::runtime_error("usage: judge_answers NN_name [others]");
  } catch (const std::exception& error) {
    std::cerr << "judge_answers: " << error.what() << '\n';
    return 2;
  }
}
