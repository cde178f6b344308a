/// Tests the preset `ide` as editors use it: compile_commands.json has every source.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "repo/sources.hpp"
#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using repo_tests::is_without_command;
using repo_tests::sources_known_to_git;

namespace {

namespace fs = std::filesystem;

/// Configures the preset, generates the header that sources include, and returns the commands.
nlohmann::json commands() {
  tools::CommandOptions options;
  options.directory = tools::source_folder();
  const auto configured =
      tools::run_command({COURSE_CMAKE, "--preset", "ide", "-B", COURSE_IDE_FOLDER,
                          std::string("-DCMAKE_CXX_COMPILER=") + COURSE_CXX_COMPILER},
                         options);
  CAPTURE(configured.err);
  REQUIRE(configured.status == 0);
  if (EMULATOR_HAS_CUBLAS) {
    const auto made = tools::run_command(
        {COURSE_CMAKE, "--build", COURSE_IDE_FOLDER, "--target", "cublas_calls"}, options);
    CAPTURE(made.err);
    REQUIRE(made.status == 0);
  }
  return tools::parse_json(tools::read_file(fs::path(COURSE_IDE_FOLDER) / "compile_commands.json"));
}

}  // namespace

TEST_CASE("the preset ide has a command for every source, but for those that cannot have one") {
  std::set<std::string> known;
  for (const auto& command : commands()) {
    const std::string file = command["file"].get<std::string>();
    known.insert(fs::path(file).lexically_relative(tools::source_folder()).generic_string());
    CAPTURE(file);
    const std::string words = command["command"].get<std::string>();
    CHECK(words.find("/Unity/") == std::string::npos);
    CHECK(words.find("cmake_pch") == std::string::npos);
    CHECK(words.find(" -g ") != std::string::npos);
  }
  const std::vector<std::string> sources = sources_known_to_git({"*.cpp", "*.cu"});
  REQUIRE(sources.size() > 1000);
  for (const std::string& source : sources) {
    CAPTURE(source);
    if (repo_tests::needs_missing_library(source)) continue;
    CHECK(known.contains(source) != is_without_command(source));
  }
}
