/// Programs of a stranger's, compiled with emulator-nvcc and run; the real nvcc takes them too.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::CommandResult;
using tools::run_command;
using tools::TemporaryFolder;

namespace {

std::vector<fs::path> programs() {
  std::vector<fs::path> result;
  for (const auto& entry : fs::directory_iterator(PROGRAMS)) {
    if (entry.path().extension() == ".cu") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The words after `// flags:` in the first line.
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

}  // namespace

TEST_CASE("every program compiles without a word and finds its own result right") {
  REQUIRE(programs().size() >= 10);
  const TemporaryFolder folder;
  for (const fs::path& program : programs()) {
    CAPTURE(program.string());
    const std::string output = (folder.path() / program.stem()).string();
    std::vector<std::string> command = {EMULATOR_NVCC, program.string(), "-o",         output,
                                        "-O3",         "-std=c++17",     "-Xcompiler", "-Wall"};
    for (const std::string& flag : flags_of(program)) command.push_back(flag);
    const CommandResult compiled = run_command(command, nvcc_tests::in_folder({}));
    CHECK(compiled.err == "");
    REQUIRE(compiled.status == 0);
    for (const char* threads : {"1", "3"}) {
      const CommandResult ran =
          run_command({output}, nvcc_tests::in_folder({}, {{"COURSE_THREADS", threads}}));
      CHECK(ran.err == "");
      CHECK(ran.out.find(program.stem().string() + ": 0 wrong") != std::string::npos);
      CHECK(ran.status == 0);
    }
  }
}

TEST_CASE("a kernel's printf comes out, each thread's line whole") {
  const TemporaryFolder folder;
  const std::string output = (folder.path() / "printing").string();
  REQUIRE(run_command({EMULATOR_NVCC, std::string(PROGRAMS) + "/printing.cu", "-o", output},
                      nvcc_tests::in_folder({}))
              .status == 0);
  auto lines = tools::lines_of(run_command({output}).out);
  std::sort(lines.begin(), lines.end());
  CHECK(lines == std::vector<std::string>{"a block 0 thread 0 of 2: 1099511627776 0.25 done",
                                          "a block 0 thread 1 of 2: 1099511627777 0.25 done",
                                          "a block 1 thread 0 of 2: 1099511627776 0.50 done",
                                          "a block 1 thread 1 of 2: 1099511627777 0.50 done",
                                          "printing: 0 wrong"});
}

TEST_CASE("the real nvcc, where there is one, compiles every program") {
  if (!fs::exists(NVCC)) return;
  const TemporaryFolder folder;
  for (const fs::path& program : programs()) {
    CAPTURE(program.string());
    std::vector<std::string> command = {
        NVCC, "-c", "-std=c++17", "-o", (folder.path() / "x.o").string(), program.string()};
    for (const std::string& flag : flags_of(program)) command.push_back(flag);
    const CommandResult compiled = run_command(command, nvcc_tests::in_folder({}));
    CHECK(compiled.err == "");
    CHECK(compiled.status == 0);
  }
}
