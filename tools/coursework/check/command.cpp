/// coursework check: a verdict on a student's answers.

#include "tools/coursework/command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "tools/coursework/check/check_file.hpp"
#include "tools/coursework/show/verdict_lines.hpp"
#include "tools/support/project.hpp"

namespace {

using namespace coursework;

struct Options {
  std::string id;
  std::string file;
};

int check(const Options& options) {
  for (const Exercise& one : read_exercises(tools::source_folder())) {
    if (one.id != options.id) continue;
    const Verdict verdict = check_file(one, options.file, JudgeOptions{});
    const Look look = look_of_output();
    std::cout << render(lines_of(verdict, one.title, look.signs), look);
    return verdict.is_right() ? 0 : 1;
  }
  throw std::runtime_error("there is no exercise " + options.id);
}

Action add(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("EXERCISE", options->id, "such as 02_1")->required();
  app.add_option("--file", options->file, "the answer")->required();
  return [options] { return check(*options); };
}

const Command command("check", "say how right your answers are", add);

}  // namespace
