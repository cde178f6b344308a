/// Tests that an editor with clangd, which reads .clangd, shows no false errors.
///
/// Opens some files of each kind; with COURSE_LONG_TESTS=1, all files.

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "repo/sources.hpp"
#include "support/long_tests.hpp"
#include "support/side_by_side.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using repo_tests::sources_known_to_git;

namespace {

using Files = std::vector<std::string>;

/// Kinds of files by git's patterns. Together they cover all files that clangd may be asked about.
const std::vector<Files> kKinds = {
    {"chapters/*.cuh"},
    {"chapters/*.cu", ":!*/exercise.cu"},
    {"chapters/*exercise.cu"},
    {"chapters/*judge.cpp"},
    {"chapters/*.hpp"},
    {"common/*.cpp", "common/*.hpp"},
    {"emulator/*.cpp"},
    {"emulator/*.hpp"},
    {"emulator/include/*.h"},
    {"tests/*.cpp"},
    {"tests/*.hpp", "tests/*.cuh"},
    {"tests/chapters/*.cu"},
    {"tests/common/*.cu", "tests/docs/*.cu", "tests/emulator/*.cu", "tests/tools/*.cu"},
    {"tools/*.cpp", "tools/*.hpp", "tools/*.cu", "tools/*.cuh"}};
constexpr std::size_t kOfEachKind = 4;

/// Returns all files of a kind, or some that are far apart in the list.
Files chosen(const Files& patterns) {
  Files files = sources_known_to_git(patterns);
  std::erase_if(files, [](const std::string& file) {
    return repo_tests::is_made_to_be_refused(file) || repo_tests::is_for_gpu(file) ||
           repo_tests::is_of_other_project(file) || repo_tests::needs_missing_library(file);
  });
  REQUIRE(files.size() >= kOfEachKind);
  if (test_support::is_long_run()) return files;
  Files some;
  for (std::size_t i = 0; i < kOfEachKind; ++i)
    some.push_back(files[(2 * i + 1) * files.size() / (2 * kOfEachKind)]);
  return some;
}

/// Returns the errors that clangd reports for a file; empty if there are none.
std::string errors_in(const std::string& file, const std::string& no_settings) {
  tools::CommandOptions options;
  options.directory = tools::source_folder();
  options.environment["XDG_CONFIG_HOME"] = no_settings;
  options.time_limit = std::chrono::minutes(30);  // seconds on a quiet machine
  const auto result = tools::run_command(
      {"clangd", "--check=" + file,
       "--check-lines=1-1",  // checking every token is useful for clangd's authors only
       std::string("--compile-commands-dir=") + COURSE_IDE_FOLDER, "--log=error"},
      options);
  if (result.status == 0) return "";
  constexpr std::size_t kShown = 5;
  std::string errors = file + ": clangd ended with " + std::to_string(result.status) + '\n';
  std::size_t shown = 0;
  for (const std::string& line : tools::lines_of(result.err))
    if (line.starts_with("E[") && ++shown <= kShown) errors += "  " + line + '\n';
  return errors;
}

}  // namespace

TEST_CASE("clangd finds no error in any kind of source") {
  if (tools::run_command({"sh", "-c", "command -v clangd"}).status != 0) {
    REQUIRE_MESSAGE(std::getenv("CI") == nullptr, "there is no clangd");
    std::cout << "left out: there is no clangd\n";
    return;
  }
  Files files;
  for (const Files& patterns : kKinds) {
    const Files some = chosen(patterns);
    files.insert(files.end(), some.begin(), some.end());
  }
  const tools::TemporaryFolder no_settings;
  const auto errors = test_support::side_by_side(
      files.size(), [&](std::size_t i) { return errors_in(files[i], no_settings.path()); });
  for (const std::string& of_one : errors) {
    const bool has_errors = !of_one.empty();
    CHECK_MESSAGE(!has_errors, of_one);
  }
}
