/// Programs whose kernels launch kernels, and know nothing of the emulator.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "in_folder.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::TemporaryFolder;

namespace {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

const fs::path kFolder = DYNAMIC_PARALLELISM_FOLDER;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

CommandResult run(const Words& command, const fs::path& folder = {},
                  const Environment& environment = {}) {
  return tools::run_command(command, nvcc_tests::in_folder(folder, environment));
}

CommandResult compile(const TemporaryFolder& folder, const Words& words) {
  Words command = {EMULATOR_NVCC, "-g"};
  command.insert(command.end(), words.begin(), words.end());
  return run(command, folder.path());
}

/// One of the programs of this folder, compiled.
class Program {
 public:
  explicit Program(const std::string& name) {
    const CommandResult result = compile(
        folder_, {"-rdc=true", (kFolder / "programs" / (name + ".cu")).string(), "-o", "program"});
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
  CommandResult run(const Environment& environment = {}, const Words& arguments = {}) const {
    Words command = {"./program"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return ::run(command, folder_.path(), environment);
  }

 private:
  TemporaryFolder folder_;
};

/// All the ways of running a program in which its results are the same.
const Environment kWays[] = {{},
                             {{"COURSE_THREADS", "1"}},
                             {{"COURSE_SEED", "5"}},
                             {{"COURSE_LOCKSTEP", "1"}},
                             {{"COURSE_COUNTERS", "json:counters.json"}},
                             {{"COURSE_PROFILE", "text:profile.txt"}},
                             {{"COURSE_CHECK", "all"}},
                             {{"COURSE_CHECK", "all"}, {"COURSE_THREADS", "1"}}};

void check_in_all_ways(const Program& program, const std::string& out) {
  for (const Environment& way : kWays) {
    for (const auto& [name, value] : way) CAPTURE(name + "=" + value);
    const CommandResult result = program.run(way);
    CAPTURE(result.err);
    CHECK(result.out == out);
    CHECK(result.status == 0);
    if (way.count("COURSE_CHECK"))
      CHECK(contains(result.err, "checked: 0 errors, 0 warnings"));
    else
      CHECK(result.err == "");
  }
}

}  // namespace

TEST_CASE("streams, arguments, and what the host waits for") {
  const Program program("order");
  check_in_all_ways(program,
                    "streams: 1 10 11 20 100 101 200\n"
                    "exchanges: 32 lanes, 32 marks, sum 496\n"
                    "objects and both sides: 7 55 56\n"
                    "sum 2016\n"
                    "graph, twice: 1 10 11 20 100 101 300 1 10 11 20 100 101 300\n");
  const CommandResult again = program.run({{"COURSE_SCHEDULES", "2"}});
  CAPTURE(again.err);
  CHECK(contains(again.out, "sum 2016\n"));
  CHECK(again.status == 0);
}

TEST_CASE("recursion with streams of its own") {
  check_in_all_ways(Program("quicksort"),
                    "1: sorted sorted\n2: sorted sorted\n33: sorted sorted\n1000: sorted sorted\n"
                    "5000: sorted sorted\n");
}

TEST_CASE("recursion in the tail, with shared memory") {
  check_in_all_ways(Program("quadtree"), "as many leaves: 2000 points, depth 6, cudaSuccess\n");
}

TEST_CASE("a launch from each of many threads is counted under the kernel's own name") {
  const Program program("bezier");
  check_in_all_ways(program, "cudaSuccess: 100 of 100 curves\n");
  const CommandResult counted = program.run({{"COURSE_COUNTERS", "table"}});
  CAPTURE(counted.err);
  const auto has_line = [&](const std::string& kernel, const std::string& launches) {
    const tools::Pattern line("\n" + kernel + " +" + launches + " +global store");
    return static_cast<bool>(line.search(counted.err));
  };
  CHECK(has_line("tessellate", "1"));
  CHECK(has_line("compute", "100"));
}

TEST_CASE("kernels that print") {
  const Program program("print_tree");
  for (const Environment& way : kWays) {
    const std::string out = program.run(way).out;
    CAPTURE(out);
    const auto lines_at = [&](const std::string& depth) {
      std::size_t count = 0;
      for (std::size_t at = 0; (at = out.find("at depth " + depth, at)) != std::string::npos; ++at)
        ++count;
      return count;
    };
    CHECK(lines_at("0") == 2);
    CHECK(lines_at("1") == 4);
    CHECK(lines_at("2") == 8);
    CHECK(out.ends_with("\n14 blocks, cudaSuccess\n"));
  }
}

TEST_CASE("the answers of an H200") {
  const Program program("answers");
  std::ifstream record(kFolder / "answers_h200.txt");
  std::vector<std::pair<std::string, std::string>> cases;
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with("#")) continue;
    if (line.starts_with("== "))
      cases.emplace_back(line.substr(3), "");
    else
      cases.back().second += line + "\n";
  }
  CHECK(cases.size() == 33);
  for (const auto& [name, expected] : cases) {
    CAPTURE(name);
    CHECK(program.run({}, {name}).out == expected);
    CHECK(program.run({{"COURSE_THREADS", "1"}}, {name}).out == expected);
    CHECK(program.run({{"COURSE_COUNTERS", "json:counters.json"}}, {name}).out == expected);
  }
}

TEST_CASE("what is wrong in a kernel that a kernel launches has that kernel's name") {
  const Program program("answers");
  CHECK(contains(program.run({}, {"child faults"}).err, "emulator: kernel writer, block (0,0,0)"));
  CHECK(contains(program.run({}, {"local argument"}).err,
                 "an address in local memory of the thread that launched the kernel"));
  const CommandResult checked = program.run({{"COURSE_CHECK", "memcheck"}}, {"child faults"});
  CAPTURE(checked.err);
  CHECK(contains(checked.err, "kernel   writer"));
  CHECK(checked.status == 1);
  const CommandResult refused =
      program.run({{"COURSE_CHECK", "memcheck"}}, {"error left to the host"});
  CAPTURE(refused.err);
  CHECK(contains(refused.err, "Program hit cudaErrorInvalidConfiguration (error 9)"));
  CHECK(contains(refused.err, "launch at answers.cu:"));
}

TEST_CASE("what nvcc refuses") {
  struct Wrong {
    std::string source;
    bool is_separate;
    std::string message;
  };
  const Wrong wrongs[] = {
      {"__global__ void k() {}\n__global__ void p() { k<<<1, 1>>>(); }\n", false,
       "a.cu:2: error: a kernel launch in device code needs separate compilation: -rdc=true\n"},
      {"__global__ void k() {}\n__host__ __device__ void f() { k<<<1, 1>>>(); }\n", false,
       "a.cu:2: error: a kernel launch in device code needs separate compilation: -rdc=true\n"},
      {"__global__ void k(int* p) { *p = cudaGetLastError(); }\n", false,
       "device code that calls 'cudaError_t cudaGetLastError()' needs separate compilation: "
       "'-rdc=true'"},
      {"__global__ void k() { cudaDeviceSynchronize(); }\n", true,
       "device code cannot call 'cudaError_t cudaDeviceSynchronize()', a host function"},
      {"struct S { __device__ S() {} __device__ S(const S&) {} };\n"
       "__global__ void k(S) {}\n"
       "__global__ void p() { S s; k<<<1, 1>>>(s); }\n",
       true, "a type that has a copy constructor or a destructor of its own"},
      {"__global__ void k() {}\n__global__ void p() { k(); }\n", true,
       "device code cannot call the kernel 'void k()': only a launch runs it"},
      {"__global__ void k() { cudaLaunchDevice(0, 0, 1, 1, 0, 0); }\n", true,
       "a.cu:1: error: the emulator does not support launches from device code without <<<...>>>"},
  };
  for (const Wrong& wrong : wrongs) {
    CAPTURE(wrong.source);
    const TemporaryFolder folder;
    folder.write("a.cu", wrong.source);
    const CommandResult result =
        run({EMULATOR_NVCC, "-c", "a.cu", wrong.is_separate ? "-rdc=true" : "-rdc=false"},
            folder.path(), {{"LC_ALL", "C"}});
    CAPTURE(result.err);
    CHECK(contains(result.err, wrong.message));
    CHECK(result.status != 0);
  }
}

TEST_CASE("device code in several files, and a project with CMake") {
  const fs::path project = kFolder / "projects/nested";
  const TemporaryFolder folder;
  for (const Words& words :
       {Words{"-dc", (project / "adding.cu").string(), (project / "nested.cu").string()},
        Words{"-rdc=true", "adding.o", "nested.o", "-o", "nested", "-lcudadevrt"}}) {
    const CommandResult result = compile(folder, words);
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
  const std::string expected = "16014 cudaSuccess\n";
  CHECK(run({"./nested"}, folder.path()).out == expected);

  std::string path = run({EMULATOR_NVCC, "--print-path"}).out;
  path.erase(std::remove(path.begin(), path.end(), '\n'), path.end());
  for (const Words& command :
       {Words{COURSE_CMAKE, "-S", project.string(), "-B", "build", "-DCMAKE_CUDA_COMPILER=" + path,
              "-DCMAKE_CUDA_HOST_COMPILER=" COURSE_CXX_COMPILER},
        Words{COURSE_CMAKE, "--build", "build"}}) {
    const CommandResult result = run(command, folder.path());
    CAPTURE(result.out);
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
  CHECK(run({"build/nested"}, folder.path()).out == expected);
}

TEST_CASE("a module's kernels launch kernels") {
  const TemporaryFolder folder;
  folder.write("kernels.cu",
               "__global__ void add(int* sum, int n) { atomicAdd(sum, n); }\n"
               "extern \"C\" __global__ void parent(int* sum) {\n"
               "  add<<<1, 4>>>(sum, static_cast<int>(threadIdx.x));\n}\n");
  folder.write("main.cu",
               "#include <cstdio>\n#include <cuda.h>\n"
               "int main() {\n"
               "  int* sum;\n"
               "  cudaMallocManaged(&sum, sizeof *sum);\n"
               "  *sum = 0;\n"
               "  CUmodule module;\n"
               "  CUfunction parent;\n"
               "  cuModuleLoad(&module, \"kernels.cubin\");\n"
               "  cuModuleGetFunction(&parent, module, \"parent\");\n"
               "  void* arguments[] = {&sum};\n"
               "  const CUresult launched =\n"
               "      cuLaunchKernel(parent, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr);\n"
               "  const cudaError_t done = cudaDeviceSynchronize();\n"
               "  std::printf(\"%d %d %d\\n\", *sum, launched, done);\n"
               "  cuModuleUnload(module);\n"
               "  cudaFree(sum);\n"
               "}\n");
  for (const Words& words :
       {Words{EMULATOR_NVCC, "-rdc=true", "-cubin", "kernels.cu", "-o", "kernels.cubin"},
        Words{EMULATOR_NVCC, "main.cu", "-o", "main", "-lcuda"}}) {
    const CommandResult result = run(words, folder.path());
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
  CHECK(run({"./main"}, folder.path()).out == "24 0 0\n");
  CHECK(run({"./main"}, folder.path(), {{"COURSE_CHECK", "all"}}).status == 0);
}
