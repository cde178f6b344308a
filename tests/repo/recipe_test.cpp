/// Follows the recipes of CONTRIBUTING.md literally in a copy of the tree.
///
/// Each test invents a name, inserts the lines that the recipe describes, only in the files that it
/// lists, and runs the result in a small program. Only changed sources are compiled; the rest comes
/// from the built emulator. A counter changes a header that most of the engine includes, so its
/// program is built only if COURSE_LONG_TESTS is 1.
#include <doctest/doctest.h>
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

constexpr std::size_t kMostFiles = 3;

/// Returns the files in a recipe's numbered list; `*` stands for any part of a name.
Words files_of(const std::string& recipe) {
  Words files;
  bool is_inside = false;
  for (const std::string& line :
       tools::lines_of(tools::read_file(tools::source_folder() / "CONTRIBUTING.md"))) {
    if (line.starts_with("#")) is_inside = line == "### " + recipe;
    if (!is_inside || line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0)
      continue;
    const std::size_t begin = line.find(". `");
    const std::size_t end = line.find("`:", begin);
    if (begin != std::string::npos && end != std::string::npos)
      files.push_back(line.substr(begin + 3, end - begin - 3));
  }
  return files;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A copy of the tree in which one recipe is followed.
class Copy {
 public:
  explicit Copy(std::string recipe) : recipe_(std::move(recipe)), allowed_(files_of(recipe_)) {
    for (const auto& entry : fs::directory_iterator(tools::source_folder())) {
      const std::string name = entry.path().filename().string();
      if (name == "build" || name == ".git") continue;
      fs::copy(entry.path(), root() / name, fs::copy_options::recursive);
    }
  }

  fs::path root() const { return folder_.path(); }

  /// Inserts `lines` after `anchor`, which must occur exactly once in `file`.
  void add(const std::string& file, const std::string& anchor, const std::string& lines) {
    CAPTURE(recipe_);
    CAPTURE(file);
    const auto fits = [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), file.c_str(), FNM_PATHNAME) == 0;
    };
    REQUIRE(std::ranges::any_of(allowed_, fits));
    std::string text = tools::read_file(root() / file);
    const std::size_t found = text.find(anchor);
    REQUIRE(found != std::string::npos);
    REQUIRE(text.find(anchor, found + 1) == std::string::npos);
    text.insert(found + anchor.size(), lines);
    std::ofstream(root() / file) << text;
    touched_.insert(file);
    CHECK(touched_.size() <= kMostFiles);
  }

  /// Compiles a source of the tree with the copy's headers. Returns "" on success, otherwise the
  /// compiler's output.
  std::string compile(const std::string& source, const Words& more = {}) {
    const fs::path object = root() / (fs::path(source).stem().string() + ".o");
    Words command = {COURSE_CXX_COMPILER, "-std=c++20", "-O0", "-c", (root() / source).string()};
    for (const char* folder : {"emulator/include", "emulator", "common/counters/include"})
      command.push_back("-I" + (root() / folder).string());
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"-o", object.string()});
    const auto result = tools::run_command(command);
    if (result.status == 0) objects_.push_back(object.string());
    return result.status == 0 ? "" : result.err + "the compiler failed";
  }

  /// Compiles and links a CUDA program with the copy's headers, the objects from compile(), and
  /// otherwise the built emulator.
  fs::path build_program(const std::string& text) {
    const fs::path built = fs::path(EMULATOR_NVCC).parent_path();
    std::string configuration;
    const std::string before = "include = " + tools::source_folder().string();
    for (std::string line : tools::lines_of(tools::read_file(built / "emulator-nvcc.conf"))) {
      if (line.starts_with("precompiled = ")) continue;  // made from the tree's own headers
      if (line.starts_with(before)) line.replace(0, before.size(), "include = " + root().string());
      configuration += line + "\n";
    }
    folder_.write("bin/emulator-nvcc.conf", configuration);
    fs::copy_file(EMULATOR_NVCC, root() / "bin/emulator-nvcc");
    return compile_program(root() / "bin/emulator-nvcc", text);
  }

  fs::path compile_program(const fs::path& nvcc, const std::string& text) {
    const fs::path program = root() / "program";
    Words command = {nvcc.string(), "-std=c++20", "-o", program.string(),
                     folder_.write("program.cu", text).string()};
    command.insert(command.end(), objects_.begin(), objects_.end());
    const auto result = tools::run_command(command);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
    return program;
  }

  /// Links a plain program from the objects of compile().
  fs::path link() const {
    const fs::path program = root() / "program";
    Words command = {COURSE_CXX_COMPILER, "-o", program.string()};
    command.insert(command.end(), objects_.begin(), objects_.end());
    const auto result = tools::run_command(command);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
    return program;
  }

  const tools::TemporaryFolder& folder() const { return folder_; }

 private:
  std::string recipe_;
  Words allowed_;
  tools::TemporaryFolder folder_{"recipe"};
  std::set<std::string> touched_;
  Words objects_;
};

tools::CommandResult run_with(const fs::path& program,
                              const std::map<std::string, std::string>& environment) {
  tools::CommandOptions options;
  options.environment = environment;
  return tools::run_command({program.string()}, options);
}

std::string output_of(const fs::path& program) {
  const auto result = tools::run_command({program.string()});
  CAPTURE(result.err);
  CHECK(result.status == 0);
  return result.out;
}

}  // namespace

TEST_CASE("each recipe names at most three files, and there are such files") {
  Words all;
  for (const char* folder : {"chapters", "common", "emulator", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(tools::source_folder() / folder))
      all.push_back(fs::relative(entry.path(), tools::source_folder()).string());
  for (const char* recipe : {"A chapter", "An exercise", "A report format", "An intrinsic",
                             "A runtime call", "A hazard kind", "A counter"}) {
    CAPTURE(recipe);
    const Words files = files_of(recipe);
    CHECK(files.size() >= 1);
    CHECK(files.size() <= kMostFiles);
    for (const std::string& file : files) {
      CAPTURE(file);
      CHECK(std::ranges::any_of(all, [&](const std::string& one) {
        return fnmatch(file.c_str(), one.c_str(), FNM_PATHNAME) == 0;
      }));
    }
  }
}

TEST_CASE("an intrinsic") {
  Copy copy("An intrinsic");
  copy.add("emulator/include/emulator/device_integers.h",
           "constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }\n",
           "constexpr unsigned __made_up(unsigned x) { return x ^ 0x5a5a5a5au; }\n");
  const fs::path program = copy.build_program(R"(
#include <cstdio>
__global__ void ask(unsigned* answer) { *answer = __made_up(*answer); }
int main() {
  unsigned value = 0xffffffffu, *on_device = nullptr;
  cudaMalloc(&on_device, sizeof value);
  cudaMemcpy(on_device, &value, sizeof value, cudaMemcpyHostToDevice);
  ask<<<1, 1>>>(on_device);
  cudaMemcpy(&value, on_device, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("%x\n", value);
}
)");
  CHECK(output_of(program) == "a5a5a5a5\n");
}

TEST_CASE("a runtime call") {
  Copy copy("A runtime call");
  copy.add("emulator/include/cuda_runtime_api.h", "cudaError_t cudaGetDeviceCount(int* count);\n",
           "cudaError_t cudaMadeUp(int* answer);\n");
  copy.add("emulator/runtime/device.cpp", "using runtime::valid_device;\n", R"(
cudaError_t cudaMadeUp(int* answer) {
  return api_call([&] {
    if (answer == nullptr) return cudaErrorInvalidValue;
    *answer = 42;
    return cudaSuccess;
  });
}

)");
  CHECK(copy.compile("emulator/runtime/device.cpp") == "");
  const fs::path program = copy.build_program(R"(
#include <cstdio>
int main() {
  int answer = 0;
  const cudaError_t refused = cudaMadeUp(nullptr), last = cudaGetLastError();
  std::printf("%d %d %d", refused == cudaErrorInvalidValue, last == refused, cudaMadeUp(&answer));
  std::printf(" %d\n", answer);
}
)");
  CHECK(output_of(program) == "1 1 0 42\n");
}

TEST_CASE("a hazard kind") {
  Copy copy("A hazard kind");
  copy.add("emulator/engine/check/hazards.hpp", "  schedule_fails,\n", "  made_up,\n");
  copy.add("emulator/engine/check/hazards.hpp",
           "\"The kernel fails in one order of its threads, though not in every order.\"},\n",
           "    {Hazard::made_up, \"synccheck\", \"made_up\", Severity::warning,\n"
           "     \"A barrier of one thread.\"},\n");
  copy.add("emulator/engine/check/check_sync.cpp",
           "  if (!context_.checks.sync) return;\n"
           "  std::vector<Waiters> calls;  // one for each call site, in the order of their first "
           "threads\n",
           R"(
  if (threads == 1) {
    Finding finding = finding_of(Hazard::made_up);
    finding.title = "a barrier of one thread";
    finding.hint = "nobody else is there to wait for";
    add("made up", std::move(finding));
  }
)");
  copy.add("emulator/README.md", "**synccheck** finds", " a barrier of one thread,");
  CHECK(copy.compile("emulator/engine/check/hazards.cpp") == "");
  CHECK(copy.compile("emulator/engine/check/check_sync.cpp") == "");
  const fs::path program = copy.build_program(R"(
__global__ void wait() { __syncthreads(); }
int main() {
  wait<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
)");
  const auto result = run_with(program, {{"COURSE_CHECK", "all"}, {"COURSE_CHECK_REPORT", "json"}});
  CAPTURE(result.err);
  CHECK(result.status == 1);
  const auto document = tools::parse_json(result.err);
  REQUIRE(document["findings"].size() == 1);
  const auto finding = document["findings"][0];
  CHECK(finding["kind"] == "made_up");
  CHECK(finding["tool"] == "synccheck");
  CHECK(finding["severity"] == "warning");
  CHECK(finding["kernel"] == "wait");
}

/// Adds the field, its table entry and the counting code to the copy.
void add_counter(Copy& copy) {
  copy.add("common/counters/include/course/counters.hpp",
           "  std::uint64_t lane_instructions = 0;    ///< the same, per lane that took part\n",
           "  std::uint64_t made_up = 0;  ///< requests of a single lane\n");
  CHECK(contains(copy.compile("common/counters/src/counters.cpp"),
                 "every field of Counters has a line in the table"));
  copy.add("common/counters/src/counters.cpp",
           "\"The same, once for each lane that took part.\"),\n",
           "    count<&C::made_up>(\"made_up\", always, \"Requests of a single lane.\"),\n");
  copy.add("emulator/engine/count/request_counts.cpp",
           "  counters.lane_instructions += times * static_cast<unsigned>(std::popcount(lanes));\n",
           "  if (std::popcount(lanes) == 1) counters.made_up += times;\n");
}

TEST_CASE("a counter adds up and has a name in JSON") {
  Copy copy("A counter");
  add_counter(copy);
  copy.folder().write("counted.cpp", R"(
#include <cstdio>
#include "course/counters_json.hpp"
int main() {
  course::Counters counters;
  counters.made_up = 2;
  counters += counters;
  std::puts(json_of(counters, course::CountersShown::report)["made_up"].dump().c_str());
}
)");
  CHECK(copy.compile("common/counters/src/counters.cpp") == "");
  CHECK(copy.compile("common/counters/src/counters_json.cpp") == "");
  CHECK(copy.compile("counted.cpp") == "");
  CHECK(output_of(copy.link()) == "4\n");
  CHECK(copy.compile("emulator/engine/count/request_counts.cpp") == "");
}

TEST_CASE("a counter is counted by an emulator built from nothing" *
          doctest::skip(!test_support::is_long_run())) {
  Copy copy("A counter");
  add_counter(copy);
  tools::CommandOptions unless_it_hangs;
  unless_it_hangs.time_limit = std::chrono::minutes(30);
  unless_it_hangs.directory = copy.root();
  const fs::path build = copy.root() / "build/emulator";
  for (const Words& command :
       {Words{COURSE_CMAKE, "--preset", "emulator", "-DCOURSE_BUILD_TESTS=OFF"},
        Words{COURSE_CMAKE, "--build", build.string(), "--target", "emulator-nvcc",
              "update_schemas"},
        Words{(build / "bin/update_schemas").string()}}) {
    const auto result = tools::run_command(command, unless_it_hangs);
    CAPTURE(command.back());
    CAPTURE(result.out);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
  }
  for (const char* schema : {"docs/report.schema.json", "docs/profile.schema.json"})
    CHECK(contains(tools::read_file(copy.root() / schema),
                   "\"made_up\": {\"$ref\": \"#/$defs/count\""));
  const fs::path program = copy.compile_program(build / "bin/emulator-nvcc", R"(
__global__ void store(int* out) {
  if (threadIdx.x == 0) out[0] = 1;
  out[threadIdx.x + 1] = 2;
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 33 * sizeof *out);
  for (int i = 0; i < 5; ++i) store<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
)");
  const auto result = run_with(program, {{"COURSE_COUNTERS", "json"}});
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  const auto counters = tools::parse_json(result.err)["kernels"][0]["counters"];
  CHECK(counters["global_store_requests"] == 20);
  CHECK(counters["made_up"] == 10);
}

TEST_CASE("a machine without ccache compiles, too") {
  const tools::TemporaryFolder build;
  const auto configured = tools::run_command(
      {COURSE_CMAKE, "-S", tools::source_folder().string(), "--preset", "emulator", "-B",
       build.path().string(), "-DCMAKE_CXX_COMPILER=" COURSE_CXX_COMPILER, "-DCCACHE_PROGRAM=OFF"});
  REQUIRE_MESSAGE(configured.status == 0, configured.err);
  const auto listed =
      tools::run_command({COURSE_NINJA, "-C", build.path().string(), "-t", "commands"});
  REQUIRE_MESSAGE(listed.status == 0, listed.err);
  const std::string& commands = listed.out;
  CHECK(contains(commands, "--launcher " COURSE_CXX_COMPILER));
  CHECK_FALSE(contains(commands, "--launcher \"\""));
}
