/// The ways in that cannot be run here (a dev container, VS Code, a notebook, GitHub's workflows):
/// they are well formed, and call only what there is.

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tools/support/pattern.hpp"
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
    std::set<std::string> found;
    for (const tools::Match& command : tools::Pattern(R"(\./course (\w+))").all(help))
      found.insert(command.str(1));
    return found;
  }();
  return all;
}

/// Every call of the front door in a text is of a command that it has; returns how many there are.
int check_calls(const std::string& text) {
  int calls = 0;
  for (const tools::Match& call : tools::Pattern(R"((?:\./|/)course (\w+))").all(text)) {
    CAPTURE(call.str());
    CHECK(commands().contains(call.str(1)));
    ++calls;
  }
  return calls;
}

}  // namespace

TEST_CASE("the dev container ends with a chapter that has run") {
  const json container = parsed(".devcontainer/devcontainer.json");
  CHECK(container["postCreateCommand"] == "./course run 01");
  CHECK(container["waitFor"] == "postCreateCommand");
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
    for (const tools::Match& link : tools::Pattern(R"(\]\(([^)#:]+)\))").all(text))
      CHECK(fs::exists(tools::source_folder() / "docs" / link[1]));
  }
  CHECK(calls >= 3);
}

TEST_CASE("the workflows call what there is") {
  CHECK(text_of(".github/workflows/test.yml").find("- run: .ci/run\n") != std::string::npos);
  const std::string site = text_of(".github/workflows/site.yml");
  CHECK(check_calls(site) == 1);
  CHECK(site.find("path: build/emulator/docs/html\n") != std::string::npos);
}
