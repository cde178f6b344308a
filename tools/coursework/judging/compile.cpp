#include "tools/coursework/judging/compile.hpp"

#include <chrono>

#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kTimeLimit{60};

fs::path part(const std::string& name) { return fs::path(COURSEWORK_PARTS) / name; }

}  // namespace

std::string cut_to(const std::string& source_name, const std::string& output) {
  std::string cut;
  bool concerns = false;
  for (const std::string& line : tools::lines_of(output)) {
    // A message begins with "file:line:column:"; what follows, until the next, belongs to it.
    const bool begins = !line.empty() && line[0] != ' ' && line.find(": ") != std::string::npos;
    if (begins) {
      const std::string file = line.substr(0, line.find(':'));
      concerns = fs::path(file).filename() == source_name &&
                 (line.find(": error: ") != std::string::npos ||
                  line.find(": warning: ") != std::string::npos ||
                  line.find(": note: ") != std::string::npos ||
                  line.find(": fatal error: ") != std::string::npos);
    }
    if (!concerns) continue;
    cut += begins ? source_name + line.substr(line.find(':')) : line;
    cut += '\n';
  }
  return cut.empty() ? output : cut;
}

Compiled compile_plain(const Exercise& exercise, const fs::path& source, const fs::path& folder,
                       std::stop_token stop) {
  const fs::path object = folder / "submission.o";
  const fs::path program = folder / "submission";
  tools::CommandOptions options;
  options.time_limit = kTimeLimit;
  options.stop = std::move(stop);
  const auto compiled = tools::run_command({COURSEWORK_NVCC, "-c", "-Xcompiler", "-Wall,-Wextra",
                                            source.string(), "-o", object.string()},
                                           options);
  Compiled result;
  result.output = cut_to(source.filename().string(), compiled.err);
  if (compiled.status != 0) return result;
  const auto linked = tools::run_command(
      {COURSEWORK_NVCC, object.string(), part("kernels_" + exercise.id + ".o").string(),
       part("libcoursework_runner.a").string(), "-o", program.string()},
      options);
  if (linked.status != 0) {
    result.output += "The kernels of the exercise are not all there, as they were declared:\n";
    for (const std::string& kernel : exercise.kernels) result.output += "  " + kernel + "\n";
    return result;
  }
  result.ok = true;
  result.program = program;
  return result;
}

}  // namespace coursework
