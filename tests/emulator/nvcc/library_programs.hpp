/// Programs and projects that use one of CUDA's libraries and know nothing of the emulator: builds
/// and runs them. The including test defines EMULATOR_NVCC, COURSE_CMAKE, COURSE_CTEST and
/// COURSE_CXX_COMPILER.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "in_folder.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace nvcc_tests {

using Words = std::vector<std::string>;

inline tools::CommandResult run(const Words& command, const std::filesystem::path& folder = {},
                                const std::map<std::string, std::string>& environment = {}) {
  return tools::run_command(command, in_folder(folder, environment));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Calls the compiler, which must succeed and say nothing.
inline void compile(const tools::TemporaryFolder& folder, const Words& words) {
  Words command = {EMULATOR_NVCC};
  command.insert(command.end(), words.begin(), words.end());
  const tools::CommandResult result = run(command, folder.path());
  CHECK(result.err == "");
  REQUIRE(result.status == 0);
}

/// Compiles a project's program, which counts its wrong results, runs it plainly, counted, profiled
/// and checked, and compares what the reports say of the library.
/// @param not_counted  the calls as the reports list them
inline void check_program(const std::string& project, const std::string& name,
                          const std::string& option, const std::string& not_counted) {
  const tools::TemporaryFolder folder;
  compile(folder, {project + "/" + name + ".cu", option, "-o", name});
  const tools::CommandResult plain = run({"./" + name}, folder.path());
  CHECK(plain.out == "0 wrong\n");
  CHECK(plain.err == "");
  CHECK(plain.status == 0);
  for (const std::string report : {"COURSE_COUNTERS", "COURSE_PROFILE"}) {
    CAPTURE(report);
    const tools::CommandResult counted =
        run({"./" + name}, folder.path(), {{report, "json:" + report + ".json"}});
    CHECK(counted.err == "emulator: not counted: a library: " + not_counted + "\n");
    CHECK(counted.status == 0);
  }
  const tools::CommandResult checked = run({"./" + name}, folder.path(), {{"COURSE_CHECK", "all"}});
  CAPTURE(checked.err);
  CHECK(checked.out == "0 wrong\n");
  CHECK(checked.status == 0);
}

/// Configures, builds and tests the project in a folder of sources.
inline void build_and_test(const std::string& project) {
  const tools::TemporaryFolder folder;
  const Words lines = tools::lines_of(run({EMULATOR_NVCC, "--print-path"}).out);
  REQUIRE(lines.size() == 1);
  for (const Words& command :
       {Words{COURSE_CMAKE, "-S", project, "-B", "build", "-DCMAKE_CUDA_COMPILER=" + lines[0],
              "-DCMAKE_CXX_COMPILER=" COURSE_CXX_COMPILER},
        Words{COURSE_CMAKE, "--build", "build"},
        Words{COURSE_CTEST, "--test-dir", "build", "--output-on-failure", "--no-tests=error"}}) {
    const tools::CommandResult result = run(command, folder.path());
    CAPTURE(result.out);
    CHECK(result.err == "");
    REQUIRE(result.status == 0);
  }
}

/// Compares what a program printed with the lines of a file.
inline void check_lines(const std::string& printed, const std::filesystem::path& recorded) {
  const Words lines = tools::lines_of(printed), expected = tools::read_lines(recorded);
  for (std::size_t i = 0; i < std::min(lines.size(), expected.size()); ++i)
    CHECK(lines[i] == expected[i]);
  CHECK(lines.size() == expected.size());
}

}  // namespace nvcc_tests
