#include "tools/coursework/judging/compile.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <vector>

#include "course/cpp_functions.hpp"
#include "tools/coursework/exercises/kernel_signature.hpp"
#include "tools/coursework/judging/compiler_output.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kTimeLimit{60};

fs::path part(const std::string& name) { return parts_folder() / name; }

/// Explains why an answer that compiles does not fit the judge's calls.
std::string why_not_linked(const Exercise& exercise, const std::string& source,
                           const std::string& output) {
  std::string missing, others;
  for (std::string line : tools::lines_of(output)) {
    std::ranges::replace(line, '`', '\'');  // GNU ld quotes with `, gold with '
    if (line.find("multiple definition of 'main'") != std::string::npos)
      return "An answer has no main(): the judge launches its kernels.\n";
    const std::string words = "undefined reference to '";
    const std::size_t at = line.find(words);
    if (at == std::string::npos) continue;
    const std::string symbol = line.substr(at + words.size());
    const auto wanted = std::ranges::find_if(exercise.kernels, [&](const std::string& signature) {
      return symbol.starts_with(read_signature(signature).name + "(");
    });
    if (wanted == exercise.kernels.end()) {
      others += "There is no definition of " + symbol.substr(0, symbol.rfind('\'')) + ".\n";
    } else if (missing.find(*wanted) == std::string::npos) {
      const bool is_there = source.find(read_signature(*wanted).name) != std::string::npos;
      missing += (is_there ? "This kernel is wanted with just these parameters:\n  __global__ "
                           : "This kernel is missing:\n  __global__ ") +
                 *wanted + "\n";
    }
  }
  const std::string known = missing + others;
  return known.empty() ? output : known;
}

/// Returns "k.cu:3: error: ..." if the exercise's kernel is defined without `__global__`; launching
/// such a function would crash. Definitions written by macros are not found.
std::string kernels_not_global(const Exercise& exercise, const std::string& text,
                               const std::string& name) {
  using namespace course::cpp;
  static const std::set<std::string_view> plain = {
      "void",     "static",     "inline",          "extern",
      "__host__", "__device__", "__forceinline__", "__noinline__"};
  const Source source(text, name);
  const Functions functions = find_functions(source, std::vector<bool>(source.size(), true));
  std::string complaints;
  for (const std::string& signature : exercise.kernels) {
    const std::string kernel = read_signature(signature).name;
    const auto is_kernel = [&](const Definition& one) {
      return source.is(one.name, kernel) && has_word(source, one.begin, one.name, "__global__");
    };
    if (std::ranges::any_of(functions.definitions, is_kernel)) continue;  // one of several is
    for (const Definition& one : functions.definitions) {
      if (!one.is_global || !source.is(one.name, kernel)) continue;
      bool is_plain = true;
      for (std::size_t i = one.begin; i < one.name; ++i)
        is_plain &= plain.contains(source.spelling(i));
      if (is_plain)
        complaints += name + ":" + std::to_string(source.tokens()[one.name].line) + ": error: `" +
                      kernel + "` has to be a __global__ function: the judge launches it\n";
    }
  }
  return complaints;
}

}  // namespace

fs::path parts_folder() { return COURSEWORK_PARTS; }

tools::CommandResult link_runner(const std::string& exercise, const fs::path& object,
                                 const std::vector<std::string>& more, const fs::path& program,
                                 const tools::CommandOptions& options) {
  std::vector<std::string> command = {COURSEWORK_NVCC, object.string(),
                                      part("kernels_" + exercise + ".o").string()};
  const auto to_linker = [&](const std::string& word) {
    command.insert(command.end(), {"-Xlinker", word});
  };
  // Link the runner's archives whole, main included, so that a main in the answer cannot replace
  // it. Archives are passed as switches, because the driver would move file names behind all
  // objects; and by name with -L, because the driver splits linker arguments at blanks in a path.
  command.insert(command.end(), {"-L", parts_folder().string()});
  to_linker("--whole-archive");
  to_linker("-l:libcoursework_runner.a");
  for (const std::string& one : more) to_linker("-l:" + one);
  to_linker("--no-whole-archive");
  command.insert(command.end(), {"-o", program.string()});
  return tools::run_command(command, options);
}

Compiled compile_plain(const Exercise& exercise, const fs::path& source, const fs::path& folder,
                       std::stop_token stop) {
  const std::string text = tools::read_file(source);
  Compiled result;
  result.output = kernels_not_global(exercise, text, source.filename().string());
  if (!result.output.empty()) return result;
  const fs::path object = folder / "submission.o";
  const fs::path program = folder / "submission";
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  options.stop = std::move(stop);
  // The runner counts and checks every launch, so forms of kernels that do neither are not
  // compiled.
  const auto compiled = tools::run_command(
      {COURSEWORK_NVCC, "-c", "-std=c++20", "--expt-relaxed-constexpr", "--extended-lambda",
       "-Xcompiler", "-Wall,-Wextra,-Wno-unused-parameter,-Wno-volatile,-fno-quick-forms",
       source.string(), "-o", object.string()},
      options);
  result.output = cut_to(source.filename().string(), compiled.err);
  if (compiled.status != 0) return result;
  const auto linked = link_runner(exercise.id, object, {}, program, options);
  if (linked.status != 0) {
    result.output += why_not_linked(exercise, text, linked.err);
    return result;
  }
  result.ok = true;
  result.program = program;
  return result;
}

}  // namespace coursework
