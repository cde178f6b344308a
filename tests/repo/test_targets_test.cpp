/// Tests that the target of each test builds everything that the test runs: each test must pass
/// while all other build products are hidden.
///
/// This takes as long as all tests one after the other, so it runs only if COURSE_LONG_TESTS is 1.
/// COURSE_TARGETS_OF, a pattern for ctest -R, selects some tests:
///
///     COURSE_LONG_TESTS=1 COURSE_TARGETS_OF='trace|mutants_0' ./course test -R test_targets

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/support/subprocess.hpp"

using namespace tools;
namespace fs = std::filesystem;

namespace {

const fs::path kBuild = COURSE_BINARY_DIR;

using Names = std::set<std::string>;

/// Runs a command in the build folder, with long tests disabled.
CommandResult run(const std::vector<std::string>& command) {
  CommandOptions options;
  options.directory = kBuild;
  options.unset = {"COURSE_LONG_TESTS"};
  options.time_limit = std::chrono::hours(1);
  return run_command(command, options);
}

std::string output_of(const std::vector<std::string>& command) {
  const CommandResult result = run(command);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

/// Returns the tests that match a pattern, except this one.
std::vector<std::string> tests_matching(const std::string& pattern) {
  std::vector<std::string> names;
  for (const std::string& line :
       lines_of(output_of({COURSE_CTEST, "-N", "-R", pattern, "-E", "^test_targets$"}))) {
    const std::size_t colon = line.find(": ");  // "  Test  #7: test_text"
    if (line.find(" #") < colon && colon != std::string::npos)
      names.push_back(line.substr(colon + 2));
  }
  return names;
}

/// Returns the files of the build folder that Ninja makes for all targets, except CMake's own.
Names files_made() {
  Names files;
  for (const std::string& line : lines_of(output_of({COURSE_NINJA, "-t", "targets", "all"})))
    if (!line.ends_with(": phony") && !line.ends_with(": RERUN_CMAKE"))
      files.insert(line.substr(0, line.rfind(": ")));
  return files;
}

/// Returns the files that Ninja makes for one target.
Names files_made_for(const std::string& target) {
  const std::string label = "\" [label=\"", end = "\"]";
  Names files;
  for (const std::string& line : lines_of(output_of({COURSE_NINJA, "-t", "graph", target}))) {
    const std::size_t begin = line.find(label);  // "0x55d0" [label="bin/01_warps"]
    if (begin == std::string::npos || !line.ends_with(end)) continue;
    const std::size_t first = begin + label.size();
    files.insert(line.substr(first, line.size() - end.size() - first));
  }
  return files;
}

/// Moves files of the build folder away, and back at the end.
class Hidden {
 public:
  Hidden() { give_back(); }  // restores files that a killed run left hidden
  ~Hidden() { give_back(); }
  Hidden(const Hidden&) = delete;
  Hidden& operator=(const Hidden&) = delete;

  void hide(const fs::path& file) {
    if (!fs::exists(kBuild / file)) return;
    fs::create_directories((kFolder / file).parent_path());
    fs::rename(kBuild / file, kFolder / file);
  }

 private:
  static inline const fs::path kFolder = kBuild / "hidden by test_targets";

  static void give_back() {
    if (!fs::exists(kFolder)) return;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(kFolder))
      if (!entry.is_directory()) files.push_back(fs::relative(entry.path(), kFolder));
    for (const fs::path& file : files) {
      fs::create_directories((kBuild / file).parent_path());
      fs::rename(kFolder / file, kBuild / file);
    }
    fs::remove_all(kFolder);
  }
};

}  // namespace

TEST_CASE("a test passes with nothing built but its own target" *
          doctest::skip(!test_support::is_long_run())) {
  const char* const chosen = std::getenv("COURSE_TARGETS_OF");
  const std::vector<std::string> tests = tests_matching(chosen ? chosen : ".");
  REQUIRE_FALSE(tests.empty());
  const Names all = files_made();
  for (const std::string& test : tests) {
    CAPTURE(test);
    const CommandResult built = run({COURSE_NINJA, test});
    CAPTURE(built.out);
    REQUIRE(built.status == 0);

    Hidden hidden;
    const Names needed = files_made_for(test);
    // Ninja knows only one file of the site.
    if (!needed.contains("docs/html/search_index.js")) hidden.hide("docs");
    for (const std::string& file : all)
      if (!file.starts_with("/") && !needed.contains(file)) hidden.hide(file);

    const CommandResult result =
        run({COURSE_CTEST, "-R", "^" + test + "$", "--output-on-failure", "--no-tests=error"});
    CAPTURE(result.out);
    CHECK(result.status == 0);
    MESSAGE(test, ": ", needed.size(), " files and commands");
  }
}
