#include "tools/coursework/grade/workshop.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/sandboxed_runner.hpp"
#include "tools/coursework/grade/search.hpp"
#include "tools/coursework/judging/compile.hpp"
#include "tools/coursework/sandbox/sandbox.hpp"
#include "tools/support/subprocess.hpp"

namespace coursework {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::chrono::seconds kCompileCpu{60};
/// Wall time is no measure on a machine that is busy; it is for a compiler that waits for
/// something.
constexpr int kPatience = 10;
constexpr std::uint64_t kCompileMemory = std::uint64_t{2} << 30;
constexpr std::size_t kMostProgram = std::size_t{64} << 20;
constexpr std::size_t kMostReport = std::size_t{4} << 20;

fs::path program(const char* name) { return fs::path(COURSE_PROGRAM_FOLDER) / name; }

/// What emulator-nvcc's own list of include folders and link inputs names.
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
  policy.executable = toolchain_files();  // shared libraries among them
  policy.readable.push_back(parts_folder());
  for (const fs::path& one : system_compiler()) policy.executable.push_back(one);
  for (const fs::path& one : system_libraries()) policy.executable.push_back(one);
  for (const char* name : {"emulator-nvcc", "coursework-compile"})
    policy.executable.push_back(program(name));
  policy.writable = folder;
  // The compiler's words are to be the same everywhere.
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

/// What a compilation that did not come to its end means.
Prepared ended_early(const Result& result) {
  switch (result.end) {
    case End::cpu_limit:
    case End::wall_limit:
      return stopped(Outcome::time_limit, "The compiler had not ended after " +
                                              std::to_string(kCompileCpu.count()) +
                                              " s of CPU time.");
    case End::memory_limit:
      return stopped(Outcome::memory_limit, "The compiler took more memory than it may have.");
    case End::process_limit:
    case End::folder_limit:
      return stopped(Outcome::refused, "Compiling it goes beyond a limit of the sandbox: " +
                                           name_of(result.end) + ".");
    default:
      throw GraderFault("compiling ended with " + name_of(result.end) + " " +
                        std::to_string(result.status) + ": " + result.message + result.err);
  }
}

/// Brings the files of a policy's writable folder to `to`, as what they are: somebody else's.
FoundFile fetch(const fs::path& folder, const char* name, std::size_t most_bytes) {
  FoundFile file = read_file_in(folder, name, most_bytes);
  if (!file.fault.empty()) throw GraderFault(std::string(name) + ": " + file.fault);
  return file;
}

class SandboxedWorkshop : public Workshop {
 public:
  explicit SandboxedWorkshop(std::chrono::milliseconds time_limit) : time_limit_(time_limit) {}

  Prepared prepare(const Exercise& exercise, const fs::path& source,
                   const fs::path& folder) override {
    const fs::path inside = folder / "compile";
    make_folder(inside, 0700);
    const json request = {{"exercise", exercise.id},
                          {"kernels", exercise.kernels},
                          {"source", source.filename().string()}};
    write_durably(inside / "request.json", request.dump());
    fs::copy_file(source, inside / source.filename());
    const Result result =
        run_sandboxed({program("coursework-compile").string()}, compile_policy(inside));
    if (result.end != End::exited || result.status != 0) return ended_early(result);
    Prepared prepared = read_report(inside);
    if (prepared.outcome != Outcome::points) return prepared;
    const fs::path runner = folder / "submission";
    put_program(runner, fetch(inside, "submission", kMostProgram).bytes);
    fs::remove_all(inside);
    prepared.start = [runner, folder, limit = time_limit_, started = 0]() mutable {
      const fs::path own = folder / ("run" + std::to_string(started++));
      make_folder(own, 0700);
      return start_sandboxed(runner, own, limit);
    };
    return prepared;
  }

 private:
  /// A sandbox's user is another one, and has to find its way.
  static void make_folder(const fs::path& path, mode_t mode) {
    if (mkdir(path.c_str(), mode) != 0)
      throw GraderFault("cannot make the folder " + path.string() + ": " + std::strerror(errno));
    chmod(path.c_str(), mode);
  }

  static void put_program(const fs::path& path, const std::string& bytes) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    const bool well = descriptor >= 0 && write(descriptor, bytes.data(), bytes.size()) ==
                                             static_cast<ssize_t>(bytes.size());
    if (descriptor >= 0) close(descriptor);
    if (!well || chmod(path.c_str(), 0755) != 0)
      throw GraderFault("cannot write " + path.string() + ": " + std::strerror(errno));
  }

  static Prepared read_report(const fs::path& inside) {
    const json report =
        json::parse(fetch(inside, "report.json", kMostReport).bytes, nullptr, false);
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

  std::chrono::milliseconds time_limit_;
};

}  // namespace

std::vector<std::string> missing_protections() { return sandbox_report().missing; }

std::unique_ptr<Workshop> make_workshop(std::chrono::milliseconds time_limit) {
  return std::make_unique<SandboxedWorkshop>(time_limit);
}

}  // namespace coursework
