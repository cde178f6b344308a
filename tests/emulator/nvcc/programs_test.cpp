/// Compiles other people's programs with emulator-nvcc and runs them. tests/repo/nvcc_test.cpp
/// checks that nvcc accepts them, too.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::run_command;
using tools::TemporaryFolder;

namespace {

std::vector<fs::path> programs() {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator(COURSE_PROGRAMS_FOLDER)) {
    if (entry.path().extension() == ".cu") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// Returns the words after `// flags:` in the first line.
std::vector<std::string> flags_of(const fs::path& program) {
  std::ifstream in(program);
  std::string line;
  std::getline(in, line);
  std::vector<std::string> flags;
  const std::string mark = "// flags: ";
  if (line.rfind(mark, 0) != 0) return flags;
  std::istringstream words(line.substr(mark.size()));
  for (std::string word; words >> word;) flags.push_back(word);
  return flags;
}

/// Returns the sorted lines: blocks print in any order.
std::vector<std::string> sorted_lines(const std::string& text) {
  auto lines = tools::lines_of(text);
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Compiles every program, as many at a time as there are cores.
std::vector<CommandResult> compile_all(const fs::path& folder) {
  const std::vector<fs::path> sources = programs();
  return test_support::side_by_side(sources.size(), [&](std::size_t i) {
    std::vector<std::string> words = {EMULATOR_NVCC, "-O3", "-Xcompiler", "-Wall", "-std=c++17"};
    words.insert(words.end(), {sources[i].string(), "-o", (folder / sources[i].stem()).string()});
    for (const std::string& flag : flags_of(sources[i])) words.push_back(flag);
    return run_command(words, nvcc_tests::in_folder({}));
  });
}

}  // namespace

TEST_CASE("every program compiles without a word and finds its own result right") {
  const std::vector<fs::path> sources = programs();
  REQUIRE(sources.size() >= 10);
  const TemporaryFolder folder;
  const auto compiled = compile_all(folder.path());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string name = sources[i].stem().string();
    CAPTURE(name);
    CHECK(compiled[i].err == "");
    REQUIRE(compiled[i].status == 0);
    for (const char* threads : {"1", "3"}) {
      const CommandResult ran =
          run_command({(folder.path() / name).string()},
                      nvcc_tests::in_folder({}, {{"COURSE_THREADS", threads}}));
      CHECK(ran.err == "");
      CHECK(ran.out.find(name + ": 0 wrong") != std::string::npos);
      CHECK(ran.status == 0);
      // Run the other form of its kernels.
      const std::string counters = (folder.path() / "counters.json").string();
      const CommandResult counted = run_command(
          {(folder.path() / name).string()},
          nvcc_tests::in_folder(
              {}, {{"COURSE_THREADS", threads}, {"COURSE_COUNTERS", "json:" + counters}}));
      CHECK(counted.err == "");
      CHECK(sorted_lines(counted.out) == sorted_lines(ran.out));
      CHECK(counted.status == 0);
    }
  }
}

TEST_CASE("templates of dynamic shared memory are names of that memory, too") {
  if (!EMULATOR_HAS_PLUGIN) return;
  const TemporaryFolder folder;
  const fs::path source = folder.write("pools.cu", R"(
    #include <cstdio>
    template <int alignment> extern __shared__ char __align__(alignment) pool[];
    template <class T> struct Row { T first, second; };
    namespace inner { template <class T> extern __shared__ Row<T> rows[]; }
    extern __shared__ int plain[];
    template <class T> __device__ T* begin_of_pool() { return (T*)pool<128>; }
    template <int alignment> __global__ void fill(int* out) {
      for (int byte = 0; byte < 4; ++byte)
        pool<alignment>[4 * threadIdx.x + byte] = byte == 0 ? threadIdx.x : 0;
      __syncthreads();
      const int mine = plain[threadIdx.x];
      out[threadIdx.x] = mine + (begin_of_pool<char>() == &pool<alignment>[0] ? 100 : 0)
          + ((size_t)pool<alignment> % alignment == 0 ? 1000 : 0);
    }
    __global__ void rows(int* out) {
      inner::rows<int>[threadIdx.x] = {1, int(threadIdx.x)};
      __syncthreads();
      out[threadIdx.x] = plain[2 * threadIdx.x + 1] + inner::rows<float>[0].first * 0;
    }
    int main() {
      int *out, host[32];
      cudaMalloc(&out, sizeof host);
      fill<16><<<1, 32, 128>>>(out);
      cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
      int sum = 0;
      for (int one : host) sum += one;
      rows<<<1, 32, 256>>>(out);
      cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
      for (int one : host) sum += one;
      std::printf("%d\n", sum);
      cudaFree(out);
    }
  )");
  const std::string output = (folder.path() / "pools").string();
  const CommandResult compiled = run_command(
      {EMULATOR_NVCC, "-std=c++17", source.string(), "-o", output}, nvcc_tests::in_folder({}));
  REQUIRE_MESSAGE(compiled.status == 0, compiled.err);
  for (const char* check : {"off", "all"}) {
    const CommandResult ran =
        run_command({output}, nvcc_tests::in_folder({}, {{"COURSE_CHECK", check}}));
    CHECK_MESSAGE(ran.status == 0, ran.err);
    CHECK(tools::lines_of(ran.out).front() == std::to_string(32 * 1100 + 2 * 496));
  }
}

TEST_CASE("a kernel may be launched before main() begins") {
  const TemporaryFolder folder;
  folder.write("early.cu",
               "#include <cstdio>\n"
               "__device__ int answer;\n"
               "__global__ void set_answer() { answer = 42; }\n"
               "struct Early { Early() { set_answer<<<1, 1>>>(); } };\n"
               "static Early early;\n"
               "int main() {\n"
               "  int value = 0;\n"
               "  cudaMemcpyFromSymbol(&value, answer, sizeof value);\n"
               "  std::printf(\"%d\\n\", value);\n"
               "}\n");
  const std::string program = (folder.path() / "early").string();
  REQUIRE(
      run_command({EMULATOR_NVCC, (folder.path() / "early.cu").string(), "-o", program}).status ==
      0);
  for (const char* const checks : {"off", "all"}) {
    const CommandResult ran =
        run_command({program}, nvcc_tests::in_folder({}, {{"COURSE_CHECK", checks}}));
    CHECK(ran.out == "42\n");
    CHECK(ran.status == 0);
  }
}

TEST_CASE("a kernel's printf comes out, each thread's line whole") {
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "printing").string();
  REQUIRE(run_command(
              {EMULATOR_NVCC, std::string(COURSE_PROGRAMS_FOLDER) + "/printing.cu", "-o", output},
              nvcc_tests::in_folder({}))
              .status == 0);
  CHECK(sorted_lines(run_command({output}).out) ==
        std::vector<std::string>{"a block 0 thread 0 of 2: 1099511627776 0.25 done",
                                 "a block 0 thread 1 of 2: 1099511627777 0.25 done",
                                 "a block 1 thread 0 of 2: 1099511627776 0.50 done",
                                 "a block 1 thread 1 of 2: 1099511627777 0.50 done",
                                 "printing: 0 wrong"});
}
