/// coursework handout CHAPTER... --out DIR

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "tools/coursework/command.hpp"
#include "tools/coursework/handout/handout.hpp"
#include "tools/coursework/handout/repository.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework::handout_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> words;
  std::string out;
  bool without_hints = false;
  std::string hand_in;  ///< path of a file
};

/// Prints warnings for the instructor to stderr.
void print_warnings(const Handout& handout) {
  for (const Leak& leak : handout.leaks)
    std::cerr << "course: the solution of " << leak.exercise << " can be seen in "
              << leak.file.string() << (leak.renamed ? ", with other names" : "")
              << "; docs/teaching.md says what to do\n";
}

int hand_out(const Options& options) {
  const fs::path root = tools::source_folder();
  require_empty(options.out);
  const Handout handout =
      make_handout(root, {options.words, !options.without_hints,
                          options.hand_in.empty() ? "" : tools::read_file(options.hand_in)});
  fs::create_directories(options.out);
  write_files(handout.files, options.out);
  commit_everything(options.out, "Exercises");
  print_warnings(handout);
  int points = 0;
  for (const Exercise& one : handout.exercises) points += one.points();
  const std::size_t exercises = handout.exercises.size();
  std::cout << options.out << ": " << exercises << (exercises == 1 ? " exercise, " : " exercises, ")
            << points << " points\n";
  return 0;
}

Action add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("CHAPTER", options->words, "chapters, or exercises such as 02_1")->required();
  app.add_option("--out", options->out, "a folder that is empty or not there yet")->required();
  app.add_flag("--no-hints", options->without_hints, "leave out the hints");
  app.add_option("--hand-in", options->hand_in, "a Markdown file that says how to hand in");
  return [options] { return hand_out(*options); };
}

const Command command("handout", "make a repository for students, without solutions", add);

}  // namespace
}  // namespace coursework::handout_command
