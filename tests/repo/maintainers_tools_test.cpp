/// Tests that tests without the label `maintainers` need no program that only ./course setup and
/// ./course test --all install: readers run them without.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tools/support/json.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using nlohmann::json;
using tools::CommandResult;

namespace {

using Names = std::set<std::string>;

const fs::path kRefused = fs::path(COURSE_BINARY_DIR) / "refused_tools";

/// Returns the programs that `./course` wants for a command, where none is installed. Headers and
/// other files are left out.
Names tools_for(const std::string& command) {
  const std::string script = R"sh(
    eval "$(sed -n '/^\(has_part\|tools\|browser\|site_tools\)() {/,/}$/p' "$0/course")"
    root=$0 backend=emulator
    read -ra words <<<"$1"
    command=${words[0]} arguments=("${words[@]:1}")
    have() { false; }
    grep() { false; }  # asks for Ubuntu, which has another browser
    tools)sh";
  const CommandResult result =
      tools::run_command({"bash", "-euc", script, tools::source_folder().string(), command});
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
  Names names;
  for (const std::string& line : tools::lines_of(result.out)) {
    const std::string name = line.substr(0, line.find(' '));
    if (name.find('.') == name.npos) names.insert(name);
  }
  return names;
}

/// Returns what CTest knows of the tests of this build.
json tests_of_build() {
  const CommandResult result =
      tools::run_command({COURSE_CTEST, "--test-dir", COURSE_BINARY_DIR, "--show-only=json-v1"});
  REQUIRE(result.status == 0);
  return tools::parse_json(result.out).at("tests");
}

json property(const json& test, const std::string& name) {
  for (const json& one : test.value("properties", json::array()))
    if (one.at("name") == name) return one.at("value");
  return json::array();
}

bool has(const json& list, const std::string& word) {
  for (const json& one : list)
    if (one == word) return true;
  return false;
}

}  // namespace

TEST_CASE(
    "the refused programs are those that ./course test does without, and other commands want") {
  const Names of_reader = tools_for("test");
  CHECK(of_reader.contains("git"));
  Names wanted = {"chromium-browser", "google-chrome", "firefox-esr"};  // other names of browsers
  for (const char* command :
       {"setup", "test --all", "docs", "docs --open", "docs --watch", "docs --pdf", "docs --epub"})
    for (const std::string& name : tools_for(command))
      if (!of_reader.contains(name)) wanted.insert(name);
  CHECK(wanted.contains("clangd"));
  CHECK(wanted.contains("pandoc"));
  Names refused;
  for (const auto& entry : fs::directory_iterator(kRefused))
    refused.insert(entry.path().filename().string());
  for (const std::string& name : refused) {
    CAPTURE(name);
    CHECK(wanted.contains(name));
  }
  for (const std::string& name : wanted) {
    CAPTURE(name);
    CHECK(refused.contains(name));
  }
}

TEST_CASE("tests without the label cannot call these programs") {
  const std::string first = "PATH=path_list_prepend:" + kRefused.string();
  int readers = 0, maintainers = 0;
  for (const json& test : tests_of_build()) {
    CAPTURE(test.at("name").get<std::string>());
    const bool is_refused = has(property(test, "ENVIRONMENT_MODIFICATION"), first);
    if (has(property(test, "LABELS"), "maintainers")) {
      ++maintainers;
      CHECK_FALSE(is_refused);
      continue;
    }
    ++readers;
    CHECK(is_refused);
    // A command is found when CMake runs, whatever PATH is later.
    for (const json& word : test.value("command", json::array())) {
      const std::string name = fs::path(word.get<std::string>()).filename().string();
      CAPTURE(name);
      CHECK_FALSE(fs::exists(kRefused / name));
    }
  }
  CHECK(readers > 10);
  CHECK(maintainers > 0);
}

TEST_CASE("a program that is refused says what to do") {
  const CommandResult result = tools::run_command({"node", "--version"});
  CHECK(result.status == 127);
  CHECK(result.err ==
        "node is for tests with the label maintainers; a test without it must do without it\n");
}
