#include "tools/coursework/judging/compile.hpp"

#include <algorithm>
#include <chrono>

#include "tools/coursework/judging/compiler_output.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kTimeLimit{60};

fs::path part(const std::string& name) { return parts_folder() / name; }

/// Why an answer that compiles does not fit to the judge's calls.
std::string why_not_linked(const Exercise& exercise, const std::string& source,
                           const std::string& output) {
  std::string missing, others;
  for (const std::string& line : tools::lines_of(output)) {
    if (line.find("multiple definition of `main'") != std::string::npos)
      return "An answer has no main(): the judge launches its kernels.\n";
    const std::string words = "undefined reference to `";
    const std::size_t at = line.find(words);
    if (at == std::string::npos) continue;
    const std::string symbol = line.substr(at + words.size());
    const auto wanted = std::ranges::find_if(exercise.kernels, [&](const std::string& signature) {
      return symbol.starts_with(kernel_name(signature) + "(");
    });
    if (wanted == exercise.kernels.end()) {
      others += "There is no definition of " + symbol.substr(0, symbol.rfind('\'')) + ".\n";
    } else if (missing.find(*wanted) == std::string::npos) {
      const bool is_there = source.find(kernel_name(*wanted)) != std::string::npos;
      missing += (is_there ? "This kernel is wanted with just these parameters:\n  __global__ "
                           : "This kernel is missing:\n  __global__ ") +
                 *wanted + "\n";
    }
  }
  const std::string known = missing + others;
  return known.empty() ? output : known;
}

}  // namespace

fs::path parts_folder() { return COURSEWORK_PARTS; }

tools::CommandResult link_runner(const std::string& exercise, const fs::path& object,
                                 const std::vector<fs::path>& more, const fs::path& program,
                                 std::stop_token stop) {
  std::vector<std::string> command = {COURSEWORK_NVCC, object.string(),
                                      part("kernels_" + exercise + ".o").string()};
  const auto to_linker = [&](const std::string& word) {
    command.insert(command.end(), {"-Xlinker", word});
  };
  // All of the runner, its main too: that of an answer would take its place. The archives go the
  // way of the switches, as the driver would put those behind all files.
  to_linker("--whole-archive");
  to_linker(part("libcoursework_runner.a").string());
  for (const fs::path& one : more) to_linker(one.string());
  to_linker("--no-whole-archive");
  command.insert(command.end(), {"-o", program.string()});
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  options.stop = std::move(stop);
  return tools::run_command(command, options);
}

Compiled compile_plain(const Exercise& exercise, const fs::path& source, const fs::path& folder,
                       std::stop_token stop) {
  const fs::path object = folder / "submission.o";
  const fs::path program = folder / "submission";
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  options.stop = std::move(stop);
  const auto compiled = tools::run_command(
      {COURSEWORK_NVCC, "-c", "-Xcompiler", "-Wall,-Wextra,-Wno-unused-parameter", source.string(),
       "-o", object.string()},
      options);
  Compiled result;
  result.output = cut_to(source.filename().string(), compiled.err);
  if (compiled.status != 0) return result;
  const auto linked = link_runner(exercise.id, object, {}, program, options.stop);
  if (linked.status != 0) {
    result.output += why_not_linked(exercise, tools::read_file(source), linked.err);
    return result;
  }
  result.ok = true;
  result.program = program;
  return result;
}

}  // namespace coursework
