/// coursework watch: shows verdicts while students edit their answers.

#include <CLI/CLI.hpp>
#include <memory>

#include "tools/coursework/check/options.hpp"
#include "tools/coursework/command.hpp"
#include "tools/coursework/exercises/choose.hpp"
#include "tools/coursework/watch/loop.hpp"

namespace coursework::watch_command {
namespace {

struct Options {
  std::string chapter;
  double time_limit_s = kTimeLimitSeconds;
  std::filesystem::path answers = answers_folder();
};

int watch_chosen(const Options& options) {
  auto exercises = read_exercises(tools::source_folder());
  if (!options.chapter.empty()) exercises = choose_exercises(exercises, options.chapter);
  if (exercises.empty()) throw std::runtime_error("there are no exercises");
  return watch(std::move(exercises), Answers(options.answers), judge_options(options.time_limit_s));
}

Action add(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("CHAPTER", options->chapter, "such as 02 (default: all chapters)");
  add_time_limit(app, options->time_limit_s);
  add_answers_folder(app, options->answers);
  return [options] { return watch_chosen(*options); };
}

const Command command("watch", "check your answers whenever you save them", add);

}  // namespace
}  // namespace coursework::watch_command
