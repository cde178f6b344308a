/// Searches points that can be had without learning: judges answers that avoid the lesson, or that
/// add work for show (mutated_answers.hpp).
///
///     cheap_points [CHAPTER [EXERCISE...]]
///
/// Without arguments, judges a few answers to a few exercises; if COURSE_LONG_TESTS is 1, all of
/// them. cheap_points.txt lists answers that keep points for a good reason.

#include <algorithm>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "answers_in_one.hpp"
#include "mutated_answers.hpp"
#include "support/long_tests.hpp"
#include "support/side_by_side.hpp"
#include "tools/coursework/exercises/choose.hpp"
#include "tools/coursework/exercises/kernel_source.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"
#include "wrong_answers.hpp"

namespace {

namespace fs = std::filesystem;
using namespace coursework;
using course_test::MutatedAnswer;

/// Maps "07_5 mask 2 names whoever is there" to the reason why it may keep its points.
using Reasons = std::map<std::string, std::string>;

Reasons read_reasons() {
  Reasons reasons;
  const fs::path file =
      tools::source_folder() / "tests/tools/coursework/exercises/cheap_points.txt";
  for (const std::string& line : tools::read_lines(file)) {
    if (line.empty() || line.starts_with("#")) continue;
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos)
      throw std::runtime_error(file.string() + ": no reason in \"" + line + "\"");
    reasons[line.substr(0, equals)] = line.substr(equals + 3);
  }
  return reasons;
}

/// Returns the verdicts on answers, in order. An answer that does not compile has no points.
std::vector<Verdict> verdicts_on(const Exercise& exercise,
                                 const std::vector<std::string>& answers) {
  const tools::TemporaryFolder folder("cheap points");
  std::vector<fs::path> programs;
  try {
    if (!answers.empty()) {
      const course_test::Answers all = {exercise, answers};
      const fs::path lists = course_test::compile_lists({all}, folder.path());
      programs = course_test::compile_in_one(all, lists, folder.path());
    }
  } catch (const std::runtime_error& error) {
    if (answers.size() == 1)
      return {verdict_without_trials(exercise, Outcome::does_not_compile, error.what())};
    const auto middle = answers.begin() + static_cast<std::ptrdiff_t>(answers.size() / 2);
    auto verdicts = verdicts_on(exercise, {answers.begin(), middle});
    for (Verdict& one : verdicts_on(exercise, {middle, answers.end()}))
      verdicts.push_back(std::move(one));
    return verdicts;
  }
  std::vector<Verdict> verdicts;
  for (const fs::path& program : programs) {
    JudgeOptions options;
    options.draw = true;
    verdicts.push_back(judge(
        exercise, [&] { return start_runner(program); }, options));
  }
  return verdicts;
}

std::string words_of(const Verdict& verdict) {
  std::string text = std::to_string(verdict.points()) + " points";
  for (const RequirementVerdict& one : verdict.requirements)
    text += "; " + one.name + " " + std::to_string(one.points) + "/" + std::to_string(one.of) +
            (one.holds ? "" : " (" + one.found + ")");
  return text + '\n';
}

bool has_right_results(const Exercise& exercise, const Verdict& verdict) {
  for (std::size_t i = 0; i < exercise.requirements.size(); ++i)
    if (exercise.requirements[i].kind == Requirement::Kind::result &&
        exercise.requirements[i].needs.empty() && !verdict.requirements[i].holds)
      return false;
  return true;
}

/// Returns the requirements that one answer meets and another does not.
std::string gained(const Verdict& with, const Verdict& without) {
  std::string names;
  for (std::size_t i = 0; i < with.requirements.size(); ++i)
    if (with.requirements[i].holds && !without.requirements[i].holds)
      names += (names.empty() ? "" : ", ") + with.requirements[i].name;
  return names;
}

struct CheapPointsReport {
  int answers = 0, faults = 0;
  std::string text;
};

class Search {
 public:
  Search(const Exercise& exercise, const Reasons& reasons, std::size_t most)
      : exercise_(exercise), reasons_(reasons), most_(most) {}

  CheapPointsReport run() {
    const std::string solution = solution_of(exercise_);
    const auto mutants = some_of(course_test::without_the_lesson(exercise_, solution));
    const auto verdicts = verdicts_on(exercise_, texts_of(mutants));
    for (std::size_t i = 0; i < mutants.size(); ++i)
      add_answer(mutants[i].name, verdicts[i].is_right() ? "keeps all points" : "", verdicts[i]);

    const fs::path folder = tools::source_folder() / "tests/chapters" / exercise_.chapter /
                            "exercises" / exercise_.folder.filename();
    const auto wrong = course_test::read_wrong_answers(folder);
    std::vector<std::string> bases;
    for (const auto& answer : wrong)
      bases.push_back(answer.is_starter() ? starter_of(exercise_)
                                          : course_test::changed(solution, answer));
    const auto of_bases = verdicts_on(exercise_, bases);
    for (std::size_t i = 0; i < bases.size(); ++i)
      if (has_right_results(exercise_, of_bases[i])) show(wrong[i].title, bases[i], of_bases[i]);
    return report_;
  }

 private:
  static std::vector<std::string> texts_of(const std::vector<MutatedAnswer>& mutants) {
    std::vector<std::string> texts;
    std::ranges::transform(mutants, std::back_inserter(texts), &MutatedAnswer::text);
    return texts;
  }

  /// Returns at most a given number, spread over the whole list.
  std::vector<MutatedAnswer> some_of(std::vector<MutatedAnswer> all) const {
    if (all.size() <= most_) return all;
    std::vector<MutatedAnswer> some;
    for (std::size_t i = 0; i < most_; ++i) some.push_back(std::move(all[i * all.size() / most_]));
    return some;
  }

  void show(const std::string& base, const std::string& answer, const Verdict& without) {
    const auto mutants = some_of(course_test::with_work_for_show(exercise_, answer));
    const auto verdicts = verdicts_on(exercise_, texts_of(mutants));
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      const std::string names = gained(verdicts[i], without);
      add_answer("[" + base + "] " + mutants[i].name, names.empty() ? "" : "wins " + names,
                 verdicts[i]);
    }
  }

  void add_answer(const std::string& name, const std::string& fault, const Verdict& verdict) {
    const std::string whole = exercise_.id + " " + name;
    const bool is_known = reasons_.contains(whole);
    const bool is_fault = fault.empty() == is_known;
    ++report_.answers;
    report_.faults += is_fault;
    report_.text +=
        (is_fault ? "FAULT  " : "       ") + whole + ": " + (fault.empty() ? "" : fault + ": ") +
        (fault.empty() && is_known ? "has a reason to keep points, and loses some: " : "") +
        words_of(verdict);
  }

  const Exercise& exercise_;
  const Reasons& reasons_;
  std::size_t most_;
  CheapPointsReport report_;
};

int search(std::vector<Exercise> exercises, std::size_t most) {
  const Reasons reasons = read_reasons();
  int answers = 0, faults = 0;
  for (const CheapPointsReport& report : test_support::side_by_side(
           exercises.size(),
           [&](std::size_t i) { return Search(exercises[i], reasons, most).run(); })) {
    std::cout << report.text;
    answers += report.answers;
    faults += report.faults;
  }
  std::cout << answers << " answers, " << faults << " faults\n";
  return faults == 0 && answers > 0 ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  constexpr std::size_t kAll = 1000, kFew = 4;
  const auto all = read_exercises(tools::source_folder());
  if (!arguments.empty()) {
    auto chosen = choose_exercises(all, arguments[0]);
    if (arguments.size() > 1)
      std::erase_if(chosen, [&](const Exercise& one) {
        return std::ranges::find(arguments, std::to_string(one.number)) == arguments.end();
      });
    return search(chosen, kAll);
  }
  if (test_support::is_long_run()) return search(all, kAll);
  std::vector<Exercise> few;
  for (const Exercise& one : all)
    if (one.id == "06_1" || one.id == "07_5") few.push_back(one);
  return search(few, kFew);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "cheap_points: " << error.what() << '\n';
    return 2;
  }
}
