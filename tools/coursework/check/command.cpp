/// coursework check: prints verdicts on a student's answers.

#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/answers/progress.hpp"
#include "tools/coursework/check/check_text.hpp"
#include "tools/coursework/check/interruption.hpp"
#include "tools/coursework/check/options.hpp"
#include "tools/coursework/command.hpp"
#include "tools/coursework/exercises/choose.hpp"
#include "tools/coursework/show/hint_lines.hpp"
#include "tools/coursework/show/task_lines.hpp"
#include "tools/coursework/show/verdict_lines.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework::check_command {
namespace {

namespace fs = std::filesystem;

constexpr int kRight = 0, kNotYet = 1, kCouldNotRun = 2;

struct Options {
  std::string chapter;
  std::optional<int> exercise;
  std::string file;
  bool hint = false;
  int hint_level = 1;
  double time_limit_s = kTimeLimitSeconds;
  fs::path answers = answers_folder();
};

const CLI::Validator kLevel(
    [](const std::string& text) {
      const bool is_number = !text.empty() && text.size() < 4 && text != "0" &&
                             text.find_first_not_of("0123456789") == std::string::npos;
      return is_number ? std::string() : "'" + text + "' is no number from 1 on";
    },
    "LEVEL");

/// Checks one exercise after the other, and adds up the points.
class Checks {
 public:
  Checks(const Options& options, std::stop_token stop)
      : options_(options), stop_(std::move(stop)), look_(look_of_output()) {}

  /// Prints the verdict on an answer. If there is no answer yet, creates it and shows the task
  /// instead: a verdict on the starter would reveal what to write.
  /// @throws tools::Cancelled
  void check(const Exercise& exercise) {
    of_ += exercise.points();
    ++exercises_;
    try {
      const Answers answers(options_.answers);
      const bool own = options_.file.empty();
      const fs::path file = own ? answers.file_of(exercise) : fs::path(options_.file);
      if (own && answers.make(exercise)) {
        std::cerr << "course: made " << shown(file) << " for you to fill in\n";
        return show(exercise, task_lines(exercise, shown(file)), false);
      }
      const Verdict verdict = verdict_on(exercise, file, own);
      ++judged_;
      points_ += verdict.points();
      right_ += verdict.is_right() ? 1 : 0;
      show(exercise, lines_of(verdict, exercise.title, look_.signs), verdict.is_right());
    } catch (const tools::Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      std::cout.flush();
      std::cerr << "course: " << error.what() << '\n';
      failed_ = true;
    }
  }

  /// Prints the sum below all exercises of a chapter; nothing if nothing was checked.
  void show_sum() const {
    if (judged_ == 0) return;
    Line line(std::to_string(points_) + " of " + counted(of_, "point") + "; " +
                  std::to_string(right_) + " of " + counted(exercises_, "exercise") + " right",
              Style::strong);
    std::cout << render(std::vector{line}, look_);
  }

  int status() const { return failed_ ? kCouldNotRun : right_ == exercises_ ? kRight : kNotYet; }

 private:
  Verdict verdict_on(const Exercise& exercise, const fs::path& file, bool own) {
    const std::string text = read_answer(file);
    const Verdict verdict = check_text(exercise, text, file.filename().string(),
                                       judge_options(options_.time_limit_s), stop_);
    if (own) Progress(progress_file(options_.answers)).record(exercise, text, verdict.is_right());
    return verdict;
  }

  void show(const Exercise& exercise, std::vector<Line> lines, bool is_right) const {
    if (options_.hint && !is_right) {
      const auto hints = hint_lines(exercise, options_.hint_level);
      lines.insert(lines.end(), hints.begin(), hints.end());
    }
    lines.emplace_back("");
    std::cout << render(lines, look_) << std::flush;
  }

  const Options& options_;
  std::stop_token stop_;
  Look look_;
  int points_ = 0, of_ = 0, right_ = 0, exercises_ = 0, judged_ = 0;
  bool failed_ = false;
};

/// Warns of answers under former numbers: the user may ask for an exercise by its old number.
void warn_of_renumbered(const Options& options, const std::vector<Exercise>& all,
                        const std::vector<Exercise>& chosen) {
  if (!options.file.empty()) return;
  const auto is_chosen = [&](const Exercise& one) {
    return std::ranges::any_of(chosen, [&](const Exercise& other) { return other.id == one.id; });
  };
  std::vector<Exercise> others;
  std::ranges::remove_copy_if(all, std::back_inserter(others), is_chosen);
  const Answers answers(options.answers);
  for (const Exercise& one : chosen)
    for (const std::string& line : answers.renumbered(others, one.id))
      std::cerr << "course: " << line << '\n';
}

int check(const Options& options) {
  const auto all = read_exercises(tools::source_folder());
  const auto chosen = choose_exercises(all, options.chapter, options.exercise);
  if (!options.file.empty() && chosen.size() > 1)
    throw std::runtime_error("--file is the answer to one exercise; --exercise says which");
  warn_of_renumbered(options, all, chosen);
  int signal = 0;
  {
    const Interruption interruption;
    try {
      Checks checks(options, interruption.token());
      for (const Exercise& one : chosen) checks.check(one);
      if (chosen.size() > 1) checks.show_sum();
      return checks.status();
    } catch (const tools::Cancelled&) {
      signal = interruption.signal();
    }
  }
  raise(signal);
  return kCouldNotRun;
}

Action add(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("CHAPTER", options->chapter, "such as 02; or an exercise, 02_1")->required();
  app.add_option("--exercise", options->exercise, "only the chapter's exercise of this number");
  app.add_option("--file", options->file, "the answer, if not the one in answers/");
  CLI::Option* hint =
      app.add_option("--hint", options->hint_level, "also show hints, up to this one (default: 1)")
          ->expected(0, 1)
          ->default_str("1")
          ->check(kLevel);
  add_time_limit(app, options->time_limit_s);
  add_answers_folder(app, options->answers);
  return [options, hint] {
    options->hint = hint->count() > 0;
    return check(*options);
  };
}

const Command command("check", "say how right your answers are", add);

}  // namespace
}  // namespace coursework::check_command
