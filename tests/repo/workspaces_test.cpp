/// The ways in that cannot be run here (a dev container, VS Code, a notebook, GitHub's workflows):
/// they are well formed, and call only what there is.

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string text_of(const std::string& file) {
  return tools::read_file(tools::source_folder() / file);
}

json parsed(const std::string& file) {
  return json::parse(text_of(file), nullptr, true, /*ignore_comments=*/true);
}

/// The commands that `./course help` lists.
const std::set<std::string>& commands() {
  static const std::set<std::string> all = [] {
    const auto help =
        tools::run_command({(tools::source_folder() / "course").string(), "help"}).out;
    static const std::regex kCommand(R"(\./course (\w+))");
    std::set<std::string> found;
    for (std::sregex_iterator it(help.begin(), help.end(), kCommand), end; it != end; ++it)
      found.insert((*it)[1]);
    return found;
  }();
  return all;
}

/// Every call of the front door in a text is of a command that it has; returns how many there are.
int check_calls(const std::string& text) {
  static const std::regex kCall(R"((?:\./|/)course (\w+))");
  int calls = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), kCall), end; it != end; ++it, ++calls) {
    CAPTURE(it->str());
    CHECK(commands().contains((*it)[1]));
  }
  return calls;
}

}  // namespace

TEST_CASE("the dev container ends with a chapter that has run") {
  const json container = parsed(".devcontainer/devcontainer.json");
  CHECK(container["postCreateCommand"] == "./course run 01");
  CHECK(container["waitFor"] == "postCreateCommand");
  const json all = parsed("CMakePresets.json");
  std::set<std::string> presets;
  for (const json& preset : all["configurePresets"])
    presets.insert("cmake --preset " + preset["name"].get<std::string>());
  CHECK(presets.contains(container["postStartCommand"].get<std::string>()));
  for (const std::string file : container["customizations"]["codespaces"]["openFiles"])
    CHECK(fs::exists(tools::source_folder() / file));
}

TEST_CASE("VS Code's tasks call the front door, and offer every chapter") {
  const json tasks = parsed(".vscode/tasks.json");
  std::set<std::string> called;
  for (const json& task : tasks["tasks"]) {
    CAPTURE(task["label"]);
    CHECK(task["command"] == "./course");
    CHECK(commands().contains(task["args"].at(0)));
    CHECK(called.insert(task["args"].at(0)).second);
  }
  CHECK(called.size() >= 5);
  json chapters = json::array();
  for (const fs::path& folder : tools::chapter_folders())
    chapters.push_back(folder.filename().string().substr(0, 2));
  CHECK(tasks["inputs"].at(0)["options"] == chapters);
}

TEST_CASE("the notebook runs what there is, and its links lead somewhere") {
  const json notebook = parsed("docs/hosted_gpu.ipynb");
  CHECK(notebook["nbformat"] == 4);
  int calls = 0;
  std::set<std::string> names;
  for (const json& cell : notebook["cells"]) {
    CHECK(names.insert(cell["id"]).second);
    std::string text;
    for (const std::string line : cell["source"]) text += line;
    CAPTURE(text);
    calls += check_calls(text);
    if (cell["cell_type"] == "code") CHECK(cell["outputs"].empty());
    static const std::regex kLink(R"(\]\(([^)#:]+)\))");
    for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it)
      CHECK(fs::exists(tools::source_folder() / "docs" / (*it)[1].str()));
  }
  CHECK(calls >= 3);
}

TEST_CASE("the workflows call what there is") {
  CHECK(text_of(".github/workflows/test.yml").find("- run: .ci/run\n") != std::string::npos);
  const std::string site = text_of(".github/workflows/site.yml");
  CHECK(check_calls(site) == 1);
  CHECK(site.find("path: build/emulator/docs/html\n") != std::string::npos);
}
