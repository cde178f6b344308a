/// Checks configurations that cannot run here (a dev container, VS Code, a notebook, GitHub's
/// workflows): they are well formed, and call only existing commands.

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
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

/// Returns the commands that `./course help` lists.
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

/// Checks that every call of the front door in a text uses an existing command; returns the number
/// of calls.
int check_calls(const std::string& text) {
  int calls = 0;
  for (const tools::Match& call : tools::Pattern(R"((?:\./|/)course (\w+))").all(text)) {
    CAPTURE(call.str());
    CHECK(commands().contains(call.str(1)));
    ++calls;
  }
  return calls;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Returns the names of Debian's packages in the front door's table.
std::vector<std::string> packages_of_apt() {
  const std::string course = text_of("course");
  const std::size_t begin = course.find("\ng++ ");
  REQUIRE(begin != std::string::npos);
  std::vector<std::string> packages;
  for (const std::string& line :
       tools::lines_of(course.substr(begin + 1, course.find("\nEND", begin) - begin)))
    packages.push_back(words_of(line).at(1));
  CHECK(packages.size() > 15);
  return packages;
}

/// A command of a workflow on one system, with the values of the job's matrix filled in.
struct Step {
  std::string workflow, job;
  std::string system;  ///< a container image or a machine: `debian:12`, `ubuntu-24.04`
  std::string run;
};

/// Returns the workflows by file name.
std::map<std::string, YAML::Node> workflows() {
  std::map<std::string, YAML::Node> all;
  for (const auto& entry : fs::directory_iterator(tools::source_folder() / ".github/workflows"))
    all[entry.path().filename()] = YAML::LoadFile(entry.path());
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at))
    text.replace(at, from.size(), to);
  return text;
}

/// Returns each combination of values in a job's matrix, as `from` and `to` of replacements.
std::vector<std::map<std::string, std::string>> combinations(const YAML::Node& job) {
  std::vector<std::map<std::string, std::string>> all = {{}};
  const YAML::Node strategy = job["strategy"];
  if (!strategy) return all;
  for (const auto& row : strategy["matrix"]) {
    std::vector<std::map<std::string, std::string>> longer;
    for (const auto& known : all) {
      for (const YAML::Node& value : row.second) {
        longer.push_back(known);
        longer.back()["${{ matrix." + row.first.as<std::string>() + " }}"] =
            value.as<std::string>();
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<Step> steps_of_workflows() {
  std::vector<Step> steps;
  for (const auto& [file, workflow] : workflows()) {
    for (const auto& job : workflow["jobs"]) {
      const YAML::Node container = job.second["container"];
      const std::string system = !container             ? job.second["runs-on"].as<std::string>()
                                 : container.IsScalar() ? container.as<std::string>()
                                                        : container["image"].as<std::string>();
      for (const auto& values : combinations(job.second)) {
        for (const YAML::Node& step : job.second["steps"]) {
          CHECK(step["run"].IsDefined() != step["uses"].IsDefined());
          if (!step["run"]) continue;
          Step one{file, job.first.as<std::string>(), system, step["run"].as<std::string>()};
          for (const auto& [from, to] : values) {
            one.system = replaced(one.system, from, to);
            one.run = replaced(one.run, from, to);
          }
          steps.push_back(std::move(one));
        }
      }
    }
  }
  return steps;
}

/// Splits a line at the shell's separators into commands.
std::vector<std::string> commands_in(const std::string& line) {
  return tools::lines_of(replaced(line, " && ", "\n"));
}

/// Returns whether one of the project's CMake files offers this option.
bool is_option(const std::string& name) {
  for (const auto& entry : fs::recursive_directory_iterator(tools::source_folder() / "emulator"))
    if (entry.path().filename() == "CMakeLists.txt" &&
        contains(tools::read_file(entry.path()), "option(" + name + " "))
      return true;
  return false;
}

/// Returns whether there is a preset of this name for this program.
bool has_preset(const std::string& kind, const std::string& name) {
  const json presets = parsed("CMakePresets.json");
  return std::any_of(presets[kind].begin(), presets[kind].end(),
                     [&](const json& preset) { return preset["name"] == name; });
}

/// Checks a command: the program exists in the project or on the machine, and the project's files
/// and options that it names exist.
void check_command(const std::string& command) {
  CAPTURE(command);
  const std::vector<std::string> words = words_of(command);
  REQUIRE_FALSE(words.empty());
  const std::string& program = words.front();
  if (contains(program, "/")) {
    const fs::path file = tools::source_folder() / program;
    REQUIRE(fs::exists(file));
    CHECK((fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none);
    return;
  }
  static const std::map<std::string, std::string> kPresets = {
      {"cmake", "configurePresets"}, {"cmake --build", "buildPresets"}, {"ctest", "testPresets"}};
  static const std::set<std::string> kOfTheMachine = {"apt-get", "docker"};
  if (kOfTheMachine.contains(program)) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (words[i] == "-f") CHECK(fs::exists(tools::source_folder() / words[i + 1]));
    return;
  }
  REQUIRE(kPresets.contains(program));
  const std::string kind = kPresets.at(contains(command, "--build") ? "cmake --build" : program);
  for (std::size_t i = 1; i < words.size(); ++i) {
    CAPTURE(words[i]);
    if (words[i] == "--preset") CHECK(has_preset(kind, words.at(i + 1)));
    if (words[i].rfind("-DCOURSE_", 0) == 0) {
      const std::string option = words[i].substr(2, words[i].find('=') - 2);
      CHECK(is_option(option));
    }
  }
}

/// Returns the commands in the README's section "Two commands".
std::vector<std::string> readme_commands() {
  const std::string readme = text_of("README.md");
  const std::size_t begin = readme.find("```sh\n", readme.find("\n## Two commands\n")) + 6;
  return tools::lines_of(readme.substr(begin, readme.find("```", begin) - begin));
}

/// Returns the systems in the table of the set-up page, as the workflows name them.
std::vector<std::string> systems_of_setup_page() {
  std::vector<std::string> systems;
  for (const std::string& line : tools::lines_of(text_of("docs/setup.md"))) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 3 || words[0] != "|") continue;
    const std::string version = words[2].substr(0, words[2].find(','));
    if (words[1] == "Debian") systems.push_back("debian:" + version);
    if (words[1] == "Ubuntu") systems.push_back("ubuntu-" + version);
  }
  return systems;
}

}  // namespace

TEST_CASE(
    "the dev container is made from the Containerfile, and ends with a chapter that has run") {
  const json container = parsed(".devcontainer/devcontainer.json");
  const fs::path folder = tools::source_folder() / ".devcontainer";
  const std::string dockerfile = container["build"]["dockerfile"];
  const std::string context = container["build"]["context"];
  CHECK(fs::equivalent(folder / dockerfile, tools::source_folder() / "Containerfile"));
  CHECK(fs::equivalent(folder / context, tools::source_folder()));
  CHECK(text_of("Containerfile").find(" useradd ") != std::string::npos);
  const std::string user = container["remoteUser"];
  CHECK(text_of("Containerfile").find("/bin/bash " + user + " ") != std::string::npos);
  CHECK(check_calls(container["postCreateCommand"]) == 1);
  CHECK(container["waitFor"] == "postCreateCommand");
  const json all = parsed("CMakePresets.json");
  std::set<std::string> presets;
  for (const json& preset : all["configurePresets"])
    presets.insert("cmake --preset " + preset["name"].get<std::string>());
  CHECK(presets.contains(container["postStartCommand"].get<std::string>()));
  for (const std::string file : container["customizations"]["codespaces"]["openFiles"])
    CHECK(fs::exists(tools::source_folder() / file));
}

TEST_CASE("the Containerfile leaves the course's packages to the course") {
  const std::string text = text_of("Containerfile");
  CHECK(check_calls(text) >= 1);
  const std::vector<std::string> words = words_of(text);
  for (const std::string& package : packages_of_apt())
    CHECK_MESSAGE(std::count(words.begin(), words.end(), package) == 0, package);
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

TEST_CASE("fresh_systems: what cannot be meant is one line and exit status 2") {
  const std::string script = (tools::source_folder() / "tests/systems/fresh_systems").string();
  const auto check_refused = [&](std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.begin(), script);
    const tools::CommandResult result = tools::run_command(arguments);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(contains(result.err, part));
  };
  check_refused({"--sytem", "debian-12"}, "no option '--sytem'");
  check_refused({"debian-12"}, "no option 'debian-12'");
  check_refused({"--system", "debian-1"}, "the systems are: debian-12 debian-13");
  check_refused({"--system"}, "--system needs a word");
  check_refused({"--do", ""}, "--do needs a word");
  check_refused({"--as", "nobody"}, "not 'nobody'");
  check_refused({"--containerfile", "--system", "debian-12"}, "the Containerfile names its system");
  // Without a folder it reports that first; it never touches somebody else's folder.
  const std::string folder = tools::source_folder().string();
  const tools::CommandResult result = tools::run_command({script, "--folder", folder});
  CHECK(result.status == 2);
  CHECK(tools::lines_of(result.err).size() == 1);
  CHECK_FALSE(fs::exists(tools::source_folder() / "trials"));

  const tools::CommandResult help = tools::run_command({script, "--help"});
  CHECK(help.status == 0);
  for (const char* option : {"--system", "--as", "--do", "--containerfile", "--mirror", "--folder"})
    CHECK(contains(help.out, option));
}

TEST_CASE("every step of the workflows runs what there is") {
  int calls = 0;
  for (const Step& step : steps_of_workflows()) {
    CAPTURE(step.workflow);
    CAPTURE(step.job);
    CAPTURE(step.run);
    CHECK_FALSE(contains(step.run, "${{"));  // every expression was a value of the job's matrix
    for (const std::string& command : commands_in(step.run)) check_command(command);
    calls += check_calls(step.run);
  }
  CHECK(calls >= 6);
}

TEST_CASE("a workflow's job waits for jobs that there are") {
  for (const auto& [file, workflow] : workflows()) {
    CAPTURE(file);
    REQUIRE(workflow["jobs"].size() > 0);
    for (const auto& job : workflow["jobs"]) {
      CHECK(job.second["runs-on"].IsDefined());
      CHECK(job.second["timeout-minutes"].IsDefined() == !job.second["environment"].IsDefined());
      if (const YAML::Node other = job.second["needs"]) {
        CHECK(workflow["jobs"][other.as<std::string>()].IsDefined());
      }
    }
  }
}

TEST_CASE("each system that the set-up page names is tried with both commands of the README") {
  std::map<std::string, std::set<std::string>> tried;  // commands by system
  for (const Step& step : steps_of_workflows()) tried[step.system].insert(step.run);

  const std::vector<std::string> commands = readme_commands();
  REQUIRE(commands.size() == 2);
  const std::vector<std::string> systems = systems_of_setup_page();
  CHECK(systems.size() >= 5);
  for (const std::string& system : systems) {
    CAPTURE(system);
    for (const std::string& command : commands) {
      CAPTURE(command);
      CHECK(tried[system].contains(command));
    }
  }
}

TEST_CASE("the site that is published is the one that ./course docs makes") {
  int uploads = 0;
  for (const auto& [file, workflow] : workflows()) {
    for (const auto& job : workflow["jobs"]) {
      for (const YAML::Node& step : job.second["steps"]) {
        if (!step["with"] || !step["with"]["path"]) continue;
        ++uploads;
        // The emulator's build folder, and the subfolder that the front door names.
        const std::string path = step["with"]["path"].as<std::string>();
        const std::string build = "build/emulator/";
        REQUIRE(path.rfind(build, 0) == 0);
        CHECK(contains(text_of("course"), "site=$build/" + path.substr(build.size()) + " "));
      }
    }
  }
  CHECK(uploads == 1);
}
