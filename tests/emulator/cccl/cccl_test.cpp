/// Tests programs that include CCCL's headers (Thrust, CUB and libcu++), which the emulator
/// compiles like other device code. If CCCL is not installed, the test uses a stand-in of its own.

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../nvcc/in_folder.hpp"
#include "cccl.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using nvcc_tests::in_folder;
using tools::CommandResult;
using tools::run_command;
using tools::TemporaryFolder;

namespace {

const std::string kStandIn = COURSE_STAND_IN_FOLDER;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

CommandResult compile(const TemporaryFolder& folder, const std::string& source,
                      const std::vector<std::string>& flags,
                      const std::map<std::string, std::string>& environment) {
  std::vector<std::string> command = {EMULATOR_NVCC, source, "-o",
                                      (folder.path() / "program").string()};
  command.insert(command.end(), flags.begin(), flags.end());
  return run_command(command, in_folder(folder.path(), environment));
}

bool is_installed() {
  const auto is_there = [](const std::string& header) {
    return !emulator_nvcc::cccl_with(header, {}).empty() || fs::exists("/usr/include/" + header);
  };
  return is_there("thrust/version.h") && is_there("cuda/atomic");
}

/// Returns what a right program prints besides its output.
std::string expected_stderr(const std::string& checks) {
  return checks == "off" ? "" : "========= checked: 0 errors, 0 warnings\n";
}

}  // namespace

TEST_CASE("a library's headers are compiled as the program's, and take what is theirs") {
  for (const bool is_named : {true, false}) {
    CAPTURE(is_named);
    const TemporaryFolder folder("cccl test");
    // Found by -I, or because the program includes a header that exists nowhere else.
    const std::vector<std::string> flags =
        is_named ? std::vector<std::string>{"-I", kStandIn} : std::vector<std::string>{};
    const CommandResult compiled = compile(folder, COURSE_PROGRAM_WITH_STAND_IN, flags,
                                           {{"COURSE_CCCL", is_named ? "" : kStandIn}});
    CHECK(compiled.err == "");
    REQUIRE(compiled.status == 0);
    for (const char* const checks : {"off", "all"}) {
      const CommandResult ran = run_command({(folder.path() / "program").string()},
                                            in_folder(folder.path(), {{"COURSE_CHECK", checks}}));
      CHECK(ran.out == "32 42 900 4 100 42 5 4 42 host 4 cudaSuccess\n");
      CHECK(ran.err == expected_stderr(checks));
    }
  }
}

TEST_CASE("what a library would do and the emulator cannot, whoever calls it is told") {
  const TemporaryFolder folder("cccl test");
  folder.write("a.cu",
               "#include <cub/tools.cuh>\n"
               "__global__ void k() { tools::unknown_instruction(); }\n"
               "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n");
  const CommandResult compiled = compile(folder, "a.cu", {}, {{"COURSE_CCCL", kStandIn}});
  CHECK(compiled.err == "");
  REQUIRE(compiled.status == 0);
  const CommandResult ran = run_command({(folder.path() / "program").string()}, in_folder({}));
  CHECK(ran.err ==
        "emulator: not supported: the PTX instruction tcgen05.fence::before_thread_sync\n");
  CHECK(ran.status == 2);
}

TEST_CASE("a header of CCCL's that is nowhere: whose it is, and where it comes from") {
  const TemporaryFolder folder("cccl test");
  for (const std::string header : {"thrust/no_such.h", "cub/no_such.cuh", "cuda/no_such"}) {
    CAPTURE(header);
    folder.write("a.cu", "#include <" + header + ">\nint main() {}\n");
    const CommandResult compiled = compile(folder, "a.cu", {}, {{"COURSE_CCCL", kStandIn}});
    CHECK(contains(compiled.err, "a.cu:1:"));
    CHECK(
        contains(compiled.err, "emulator-nvcc: <" + header + "> belongs to CCCL, whose headers "));
    CHECK(compiled.status == 1);
  }
}

TEST_CASE("which folders are CCCL's") {
  using emulator_nvcc::cccl_folders_in;
  CHECK(cccl_folders_in({"-I", kStandIn, "-DX", "-I/usr"}) == std::vector<std::string>{kStandIn});
  CHECK(cccl_folders_in({"-I" + kStandIn + "/", "-isystem", "/nowhere"}) ==
        std::vector<std::string>{kStandIn});
  CHECK(cccl_folders_in({"-isystem", kStandIn}) == std::vector<std::string>{kStandIn});
  const TemporaryFolder toolkit("cccl test");  // CUDA's own headers would come with it here
  toolkit.write("thrust/version.h", "");
  CHECK(cccl_folders_in({"-I", toolkit.path().string()}).size() == 1);
  toolkit.write("cuda_runtime.h", "");
  CHECK(cccl_folders_in({"-I", toolkit.path().string()}).empty());
}

TEST_CASE("programs with the installed CCCL are right") {
  if (!is_installed()) {
    MESSAGE("left out: no CCCL is installed");
    return;
  }
  std::vector<fs::path> programs;
  for (const auto& entry : fs::directory_iterator(COURSE_PROGRAMS_FOLDER))
    programs.push_back(entry.path());
  CHECK(programs.size() == 3);
  const TemporaryFolder folder("cccl test");
  const auto compiled = test_support::side_by_side(programs.size(), [&](std::size_t i) {
    return run_command({EMULATOR_NVCC, "-std=c++17", programs[i].string(), "-o",
                        (folder.path() / programs[i].stem()).string()},
                       in_folder(folder.path()));
  });
  for (std::size_t i = 0; i < programs.size(); ++i) {
    CAPTURE(programs[i]);
    CHECK(compiled[i].err == "");
    REQUIRE(compiled[i].status == 0);
    for (const char* const checks : {"off", "all"}) {
      const CommandResult ran =
          run_command({(folder.path() / programs[i].stem()).string()},
                      in_folder(folder.path(), {{"COURSE_CHECK", checks}, {"COURSE_SEED", "3"}}));
      CHECK(ran.out == "right\n");
      CHECK(ran.err == expected_stderr(checks));
      CHECK(ran.status == 0);
    }
  }
  // Their kernels have names of hundreds of characters.
  const CommandResult counted = run_command(
      {(folder.path() / "cub").string()}, in_folder(folder.path(), {{"COURSE_COUNTERS", "table"}}));
  CHECK(contains(counted.err + counted.out, "Kernel<...> "));
  for (const std::string& line : tools::lines_of(counted.err + counted.out))
    CHECK(line.size() < 180);
}
