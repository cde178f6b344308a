/// Compiles one submission confined; runs in a sandbox. Prints its answer as one JSON object; exit
/// status 0 means that there is an answer.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>

#include "confine.hpp"
#include "source_rules.hpp"

namespace {

using namespace coursework::confine;

nlohmann::json json_of(const ConfinedObject& result) {
  nlohmann::json json = {{"ok", result.ok()},
                         {"compiles", result.compiles},
                         {"output", result.compiler_output},
                         {"object", result.object.string()},
                         {"refusal", nullptr}};
  if (result.refusal)
    json["refusal"] = {{"line", result.refusal->line},
                       {"rule", result.refusal->rule},
                       {"message", result.refusal->message}};
  return json;
}

void print_rules() {
  std::cout << "| Rule | It refuses | Because |\n|---|---|---|\n";
  for (const Rule& rule : rules())
    std::cout << fmt::format("| {} | {} | {} |\n", rule.name, rule.refuses, rule.why);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compiles a submission so that it is harmless when it runs.");
  Submission submission;
  std::string stage = "all";
  bool only_rules = false;
  app.add_option("source", submission.source, "the student's .cu file");
  app.add_option("--kernel", submission.kernels, "a signature: \"void scale(int n, float* data)\"");
  app.add_option("--folder", submission.folder, "takes everything that comes of it");
  app.add_option("--toolchain", submission.toolchain, "emulator-nvcc.conf of another place");
  app.add_option("--stage", stage, "all, or one half: assembly, or object from that assembly")
      ->check(CLI::IsMember({"all", "assembly", "object"}));
  app.add_flag("--rules", only_rules, "print the table of rules and end");
  try {
    app.parse(argc, argv);
    if (only_rules) return print_rules(), 0;
    if (submission.source.empty() || submission.folder.empty())
      throw CLI::ValidationError("a source and --folder are needed");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const auto result = stage == "assembly" ? compile_to_assembly(submission)
                        : stage == "object"
                            ? confine_assembly(submission, submission.folder / "submission.s")
                            : compile_confined(submission);
    std::cout << json_of(result).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "coursework-confine: " << error.what() << '\n';
    return 2;
  }
}
