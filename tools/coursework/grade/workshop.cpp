#include "tools/coursework/grade/workshop.hpp"

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>

#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/limits.hpp"
#include "tools/coursework/grade/sandboxed_runner.hpp"
#include "tools/coursework/grade/search.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"
#include "tools/support/json.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kMostProgram = std::size_t{64} << 20;
constexpr std::size_t kMostAssembly = std::size_t{32} << 20;
constexpr std::size_t kMostReport = std::size_t{4} << 20;

fs::path program(const char* name) { return fs::path(COURSE_PROGRAM_FOLDER) / name; }

/// Returns the include folders and link inputs listed by emulator-nvcc.
std::vector<fs::path> toolchain_files() {
  const fs::path list = program("emulator-nvcc.conf");
  std::vector<fs::path> files = {list};
  for (const std::string& line : tools::lines_of(tools::read_file(list)))
    if (const std::size_t at = line.find(" = /"); at != std::string::npos)
      files.emplace_back(line.substr(at + 3));
  return files;
}

Policy compile_policy(const fs::path& folder) {
  Policy policy;
  policy.profile = Profile::compile;
  policy.executable = toolchain_files();  // including shared libraries
  policy.readable.push_back(parts_folder());
  for (const fs::path& one : system_compiler()) policy.executable.push_back(one);
  for (const fs::path& one : system_libraries()) policy.executable.push_back(one);
  for (const char* name : {"emulator-nvcc", "coursework-compile"})
    policy.executable.push_back(program(name));
  policy.writable = folder;
  // The compiler's messages must be the same everywhere.
  policy.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C"}};
  policy.limits.cpu = kCompileCpu;
  policy.limits.wall = kCompileCpu * kPatience;
  policy.limits.memory_bytes = kCompileMemory;
  return policy;
}

Prepared stopped(Outcome outcome, const std::string& message) {
  Prepared prepared;
  prepared.outcome = outcome;
  prepared.message = message;
  return prepared;
}

/// Returns what a compilation that did not finish means for the student.
Prepared ended_early(const Result& result) {
  switch (result.end) {
    case End::cpu_limit:
    case End::wall_limit:
      return stopped(Outcome::time_limit, compiler_limit_message(result.end) + ".");
    case End::memory_limit:
      return stopped(Outcome::memory_limit, compiler_limit_message(result.end) + ".");
    case End::process_limit:
    case End::folder_limit:
      return stopped(Outcome::refused, "Compiling it goes beyond a limit of the sandbox: " +
                                           name_of(result.end) + ".");
    default:
      throw GraderFault("compiling ended with " + name_of(result.end) + " " +
                        std::to_string(result.status) + ": " + result.message + result.err);
  }
}

/// Creates a folder accessible to the sandbox's user, which is another user.
void make_folder(const fs::path& path, mode_t mode) {
  if (mkdir(path.c_str(), mode) != 0 || chmod(path.c_str(), mode) != 0)
    throw GraderFault("cannot make the folder " + path.string() + ": " + std::strerror(errno));
}

void put_program(const fs::path& path, const std::string& bytes) {
  write_whole(path, bytes, 0700);
  if (chmod(path.c_str(), 0755) != 0)
    throw GraderFault("cannot write " + path.string() + ": " + std::strerror(errno));
}

/// Runs coursework-compile once, in a sandbox with its own folder.
class Stage {
 public:
  Stage(fs::path folder, std::string name, const json& request, const std::string& input,
        const std::string& text)
      : folder_(std::move(folder)), name_(std::move(name)) {
    make_folder(folder_, 0700);
    write_whole(folder_ / "request.json", request.dump());
    write_whole(folder_ / input, text);
  }
  ~Stage() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// @throws GraderFault
  Prepared run() const {
    const Result result =
        run_sandboxed({program("coursework-compile").string(), name_}, compile_policy(folder_));
    if (result.end != End::exited || result.status != 0) return ended_early(result);
    const json report =
        tools::parse_ordered_json(fetch("report.json", kMostReport), /*allow_exceptions=*/false);
    try {
      Prepared prepared;
      prepared.outcome = outcome_named(report.at("outcome"));
      prepared.message = report.at("message");
      prepared.compiler_output = report.at("output");
      return prepared;
    } catch (const std::exception& error) {
      throw GraderFault(std::string("the compiler's report is none: ") + error.what());
    }
  }

  /// Reads a file that the stage wrote; the file is not trusted.
  std::string fetch(const char* name, std::size_t most_bytes) const {
    FoundFile file = read_file_in(folder_, name, most_bytes);
    if (!file.fault.empty()) throw GraderFault(std::string(name) + ": " + file.fault);
    return std::move(file.bytes);
  }

 private:
  fs::path folder_;
  std::string name_;
};

class SandboxedWorkshop : public Workshop {
 public:
  explicit SandboxedWorkshop(std::chrono::milliseconds time_limit) : time_limit_(time_limit) {}

  Prepared prepare(const Exercise& exercise, const fs::path& source,
                   const fs::path& folder) override {
    const json request = {{"exercise", exercise.id},
                          {"kernels", exercise.kernels},
                          {"source", source.filename().string()}};
    // Two stages: the compiler reads the student's text, the second stage reads the compiler's
    // output. A submission that takes over the compiler has gained nothing else.
    const std::string text = tools::read_file(source);
    Stage compile(folder / "compile", "assembly", request, source.filename().string(), text);
    Prepared prepared = compile.run();
    if (prepared.outcome != Outcome::points) return prepared;
    Stage confine(folder / "confine", "program", request, "submission.s",
                  compile.fetch("submission.s", kMostAssembly));
    Prepared confined = confine.run();
    confined.compiler_output = std::move(prepared.compiler_output);
    if (confined.outcome != Outcome::points) return confined;
    prepared = std::move(confined);
    const fs::path runner = folder / "submission";
    put_program(runner, confine.fetch("submission", kMostProgram));
    prepared.start = [runner, folder, limit = time_limit_, started = 0]() mutable {
      const fs::path own = folder / ("run" + std::to_string(started++));
      make_folder(own, 0700);
      return start_sandboxed(runner, own, limit);
    };
    return prepared;
  }

 private:
  std::chrono::milliseconds time_limit_;
};

}  // namespace

std::vector<std::string> missing_protections() { return sandbox_report().missing; }

std::unique_ptr<Workshop> make_workshop(std::chrono::milliseconds time_limit) {
  return std::make_unique<SandboxedWorkshop>(time_limit);
}

}  // namespace coursework
