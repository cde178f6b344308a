/// coursework: checks a student's exercises, and grades a class.
///
///     coursework check 02 --exercise 1 [--hint [LEVEL]]

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/judging/judge.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace {

using namespace coursework;
namespace fs = std::filesystem;

Verdict check_file(const Exercise& exercise, const fs::path& file) {
  const tools::TemporaryFolder folder("course check");
  const Compiled compiled = compile_plain(exercise, file, folder.path());
  if (!compiled.ok) {
    Verdict verdict;
    verdict.exercise = exercise.id;
    verdict.outcome = Outcome::does_not_compile;
    verdict.message = compiled.output;
    return verdict;
  }
  Verdict verdict = judge(
      exercise, [&] { return start_runner(compiled.program); }, JudgeOptions{});
  verdict.compiler_output = compiled.output;
  return verdict;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Exercises of Warp by Warp");
  std::string id, file;
  auto* check = app.add_subcommand("check");
  check->add_option("id", id)->required();
  check->add_option("--file", file);
  CLI11_PARSE(app, argc, argv);
  try {
    for (const Exercise& one : read_exercises(tools::source_folder())) {
      if (one.id != id) continue;
      const Verdict verdict = check_file(one, file);
      std::cout << verdict.compiler_output << text_of(verdict, one.title);
      return verdict.is_right() ? 0 : 1;
    }
  } catch (const std::exception& error) {
    std::cerr << "coursework: " << error.what() << '\n';
  }
  return 2;
}
