/// Tests the front door `course` with stand-ins for the tools that it runs.
///
/// Each test creates a small project with the real script, and a folder of tools that is all of
/// PATH: links to the usual Unix tools, and scripts that stand in for cmake, ctest, g++, apt-get
/// and sudo and log how they were called. Nothing is built or installed.

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tools/support/subprocess.hpp"

using namespace tools;
namespace fs = std::filesystem;

namespace {

const fs::path kSource = COURSE_SOURCE_DIR;

using Lines = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Returns whether this is Ubuntu, which has no browsers for apt to install.
bool is_ubuntu() {
  const std::string release = "/etc/os-release";
  return fs::exists(release) && contains("\n" + tools::read_file(release), "\nID=ubuntu");
}

Lines words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Checks that a failure prints one line, nothing on standard output, and ends with 2.
void check_one_line_failure(const CommandResult& result, const std::string& part) {
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  REQUIRE(lines_of(result.err).size() == 1);
  CHECK(result.err.rfind("course: ", 0) == 0);
  CHECK(contains(result.err, part));
}

fs::path real_tool(const std::string& name) {
  const CommandResult found = run_command({"sh", "-c", "command -v " + name});
  REQUIRE_MESSAGE(found.status == 0, "this test needs the tool ", name);
  return lines_of(found.out).front();
}

/// Variables that the machine's owner may have set and the script would use.
const Lines kUnset = {"COURSE_BUILD_DIR", "CXX",     "CUDA_HOME",      "CMAKE_PREFIX_PATH",
                      "BUILD_FAILS",      "DISPLAY", "WAYLAND_DISPLAY"};

class FrontDoor {
 public:
  FrontDoor() : folder_("front door") {
    fs::permissions(folder_.path().parent_path(), fs::perms::all);
    fs::permissions(folder_.path(), fs::perms::all);
    folder_.write_program("project/course", read_file(kSource / "course"));
    folder_.write("project/CMakePresets.json", "{}\n");
    add_chapter("01_warps", "# Who runs with whom\n");
    add_chapter("02_coalescing", "# How many sectors\n");
    for (const char* part : {"tests", "tools/site", "tools/coursework/sandbox",
                             "tools/coursework/grade", "tools/coursework/handout"})
      fs::create_directories(path("project") / part);
    fs::create_directories(path("tools"));
    fs::create_directories(path("elsewhere"));
    fs::permissions(path("project"), fs::perms::all);

    for (const char* name :
         {"awk", "basename", "bash", "cat",  "cut",   "date",  "df",    "dirname",
          "env", "flock",    "grep", "head", "mkdir", "nproc", "paste", "readlink",
          "rm",  "sed",      "sh",   "sort", "touch", "tr"}) {
      fs::create_symlink(real_tool(name), path("tools") / name);
    }
    tool("true", "exit 0");  // the first command run by sudo
    tool("ninja", "exit 0");
    // Builds each target once; CMAKE_FAILS and BUILD_FAILS make it fail as cmake would.
    tool("cmake", R"(
case "$*" in
  --version) echo 'cmake version 3.25.1'; exit ;;
  *' -n') if [ -e "$2/$4.done" ]; then echo 'ninja: no work to do.'; else echo '[1/1] x'; fi; exit ;;
  '--build '*)
    if [ -n "$BUILD_FAILS" ]; then echo 'main.cu:3: error: expected ;' >&2; exit 1; fi
    echo '[1/1] Linking'; touch "$2/$4.done"; exit ;;
esac
if [ -n "$CMAKE_FAILS" ]; then echo '-- status'; echo 'CMake Error: no such thing' >&2; exit 1; fi
while [ "$1" != -B ]; do shift; done
touch "$2/build.ninja")");
    for (const char* name :
         {"cmark-gfm", "doxygen", "pygmentize", "pandoc", "gnuplot", "xmllint", "node", "npm",
          "chromium", "firefox-esr", "clangd", "git", "make", "python3"})
      tool(name, "exit 0");
    folder_.write("share/doxygen-awesome-css/doxygen-awesome.css", "");
    fs::permissions(path("share"), fs::perms(0755));
    fs::permissions(path("share/doxygen-awesome-css"), fs::perms(0755));
    tool("ctest", "echo \"tests ran\"; exit \"${CTEST_STATUS:-0}\"");
    tool("g++", kCompiler);
    folder_.write("plugin/include/gcc-plugin.h", "");
  }

  fs::path path(const fs::path& relative) const { return folder_.path() / relative; }
  fs::path build() const { return path("project/build/emulator"); }

  void add_chapter(const std::string& name, const std::string& readme) {
    folder_.write("project/chapters/" + name + "/main.cu", "int main() {}\n");
    folder_.write("project/chapters/" + name + "/README.md", readme);
  }

  struct Listed {
    std::string id, title;  ///< the title as JSON escapes it
    int points;
  };

  /// Writes a list of exercises in the format of update_exercises, and returns it.
  std::string write_exercises(const std::vector<Listed>& exercises) {
    std::string text;
    for (const Listed& one : exercises)
      text += (text.empty() ? "" : ",\n") +
              ("    {\n      \"id\": \"" + one.id + "\",\n      \"title\": \"" + one.title +
               "\",\n      \"points\": " + std::to_string(one.points) +
               ",\n      \"requirements\": [\n        {\n          \"points\": 7,\n"
               "          \"title\": \"none\",\n        }\n      ]\n    }");
    text = "{\n  \"schema\": 1,\n  \"exercises\": [\n" + text + "\n  ]\n}\n";
    folder_.write("project/docs/exercises.json", text);
    return text;
  }

  /// Puts a program into the build folder, as a finished build would.
  void built(const std::string& name, const std::string& script) {
    folder_.write_program("project/build/emulator/bin/" + name, "#!/bin/sh\n" + script + "\n");
  }

  /// Puts a program into the folder for the user's own programs.
  void own_program(const std::string& name, const std::string& script) {
    folder_.write_program("elsewhere/" + name, "#!/bin/sh\n" + script + "\n");
  }

  /// Adds a tool to PATH that first logs its name and arguments.
  void tool(const std::string& name, const std::string& script) {
    folder_.write_program("tools/" + name,
                          "#!/bin/sh\necho \"" + name + " $*\" >>\"$LOG\"\n" + script + "\n");
    fs::permissions(path("tools") / name, fs::perms(0755));
  }
  void remove_tool(const std::string& name) { fs::remove(path("tools") / name); }

  CommandResult run(const Lines& arguments, std::map<std::string, std::string> environment = {}) {
    return run_as({}, arguments, std::move(environment));
  }

  /// Runs the script without root's rights; changes nothing if the tests do not run as root.
  CommandResult run_unprivileged(const Lines& arguments) {
    Lines prefix;
    if (geteuid() == 0) {
      prefix = {real_tool("setpriv").string(), "--reuid=65534", "--regid=65534", "--clear-groups"};
    }
    return run_as(prefix, arguments, {});
  }

  /// Returns the logged calls, without probes for versions and headers.
  Lines calls() const {
    Lines calls;
    if (!fs::exists(log())) return calls;
    for (const std::string& line : lines_of(read_file(log()))) {
      const bool probe = line.rfind("g++ ", 0) == 0 || line == "cmake --version" ||
                         (line.size() > 3 && line.substr(line.size() - 3) == " -n");
      if (!probe) calls.push_back(line);
    }
    return calls;
  }
  void forget_calls() { fs::remove(log()); }
  int count_calls(const std::string& prefix) const {
    int count = 0;
    for (const std::string& line : calls()) count += line.rfind(prefix, 0) == 0 ? 1 : 0;
    return count;
  }

  /// Stands in for g++ 12 with every library and the headers for plugins.
  static constexpr const char* kCompiler = R"(
case "$*" in
  *-dumpfullversion*) echo 12.2.0 ;;
  *-print-file-name=plugin) echo "${0%/*}/../plugin" ;;
  *-print-file-name*) echo /usr/lib/libboost_context.so ;;
  *) cat >/dev/null ;;
esac)";

 private:
  fs::path log() const { return path("elsewhere/log"); }

  CommandResult run_as(Lines command, const Lines& arguments,
                       std::map<std::string, std::string> environment) {
    fs::permissions(path("elsewhere"), fs::perms::all);
    command.push_back(path("project/course").string());
    command.insert(command.end(), arguments.begin(), arguments.end());
    environment["PATH"] = path("tools").string();
    environment["LOG"] = log().string();
    environment["XDG_DATA_DIRS"] = path("nowhere").string() + ":" + path("share").string();
    environment.try_emplace("CUDA_VISIBLE_DEVICES", "");  // no GPU, even if the machine has one
    CommandOptions options;
    options.directory = path("elsewhere");
    options.environment = std::move(environment);
    options.unset = kUnset;
    for (const auto& [name, value] : options.environment) std::erase(options.unset, name);
    return run_command(command, options);
  }

  TemporaryFolder folder_;
};

bool machine_has_gpu() {
  return run_command({"bash", "-c", "compgen -G '/dev/nvidia[0-9]*'"}).status == 0;
}

/// Returns whether nvcc is in the folder that the script searches besides PATH.
bool machine_has_nvcc() { return fs::exists("/usr/local/cuda/bin/nvcc"); }

}  // namespace

TEST_CASE("help names every command, asked for in any way") {
  FrontDoor door;
  for (const Lines& arguments :
       {Lines{}, Lines{"help"}, Lines{"--help"}, Lines{"-h"}, Lines{"run", "--help"}}) {
    const CommandResult result = door.run(arguments);
    CHECK(result.status == 0);
    CHECK(result.err.empty());
    for (const char* command : {"run", "test", "profile", "check", "watch", "grade", "handout",
                                "bundle", "nvcc", "docs", "list", "setup", "help", "--backend"}) {
      CHECK(contains(result.out, command));
    }
  }
  CHECK(door.calls().empty());
}

TEST_CASE("list gives each chapter's name and title, in order") {
  FrontDoor door;
  const CommandResult result = door.run({"list"});
  CHECK(result.status == 0);
  const Lines lines = lines_of(result.out);
  REQUIRE(lines.size() == 2);
  CHECK(contains(lines[0], "01_warps"));
  CHECK(contains(lines[0], "Who runs with whom"));
  CHECK(contains(lines[1], "02_coalescing"));
  CHECK(door.calls().empty());
}

TEST_CASE("list knows the project's own chapters") {
  std::set<std::string> expected;
  for (const auto& entry : fs::directory_iterator(kSource / "chapters")) {
    if (fs::exists(entry.path() / "main.cu")) expected.insert(entry.path().filename());
  }
  const CommandResult result = run_command({(kSource / "course").string(), "list"});
  CHECK(result.status == 0);
  std::set<std::string> listed;
  for (const std::string& line : lines_of(result.out)) {
    listed.insert(line.substr(0, line.find(' ')));
    CHECK_MESSAGE(line.find_last_not_of(' ') > line.find(' '), "no title: ", line);
  }
  CHECK(listed == expected);
}

TEST_CASE("list --exercises reads one file: nothing is built, whatever the machine lacks") {
  FrontDoor door;
  for (const char* tool : {"cmake", "ninja", "g++"}) door.remove_tool(tool);
  const auto listed = [&](const Lines& more) {
    Lines arguments = {"list", "--exercises"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = door.run(arguments);
    CAPTURE(result.err);
    CHECK(result.status == 0);
    return result.out;
  };
  check_one_line_failure(door.run({"list", "--exercises"}), "docs/exercises.json");
  door.write_exercises({});
  CHECK(listed({}).empty());

  const std::string index = door.write_exercises(
      {{"02_1", R"(A \"row\" of\\ C: 100 % \\\"\t1/3é)", 1}, {"02_10", " Two  blanks ", 12}});
  CHECK(listed({}) ==
        "02_1    1 point   A \"row\" of\\ C: 100 % \\\"\t1/3é\n"
        "02_10  12 points   Two  blanks \n");
  for (const Lines& arguments : {Lines{"--json"}, Lines{"--json", "-"}, Lines{"--json=-"}})
    CHECK(listed(arguments) == index);
  for (const Lines& arguments : {Lines{"--json", "a  b"}, Lines{"--json=a  b"}}) {
    CHECK(listed(arguments).empty());
    CHECK(read_file(door.path("elsewhere/a  b")) == index);
    fs::remove(door.path("elsewhere/a  b"));
  }
  check_one_line_failure(door.run({"list", "--exercises", "02"}), "does not know '02'");
  check_one_line_failure(door.run({"list", "--exercises", "--json", "-", "x"}), "not know 'x'");
  check_one_line_failure(door.run({"list", "--exercises", "--json="}), "not know '--json='");
  check_one_line_failure(door.run({"list", "--exercises", "--json", "--all"}), "'--all'");
  check_one_line_failure(door.run({"list", "--exercises", "--json", "none/x"}), "write none/x");
  CHECK(door.calls().empty());
}

TEST_CASE("what cannot be meant is one line and exit status 2") {
  FrontDoor door;
  check_one_line_failure(door.run({"run", "42"}), "'42'");
  check_one_line_failure(door.run({"run", "42"}), "01_warps 02_coalescing");
  check_one_line_failure(door.run({"run", "02_coalescin"}), "'02_coalescin'");
  check_one_line_failure(door.run({"run", "0"}), "'0'");
  check_one_line_failure(door.run({"check"}), "check needs a chapter");
  check_one_line_failure(door.run({"run", "--json"}), "follow --");
  check_one_line_failure(door.run({"profile"}), "profile needs a chapter or a program");
  check_one_line_failure(door.run({"profile", "42"}), "'42'");
  check_one_line_failure(door.run({"profile", "1", "2"}), "one chapter or program at a time");
  check_one_line_failure(door.run({"profile", "1", "--kernel"}), "--kernel needs a word");
  check_one_line_failure(door.run({"profile", "1", "--json", "a", "--html", "b"}), "one file at a");
  check_one_line_failure(door.run({"profile", "1", "--n", "3"}), "follow --");
  check_one_line_failure(door.run({"--backend", "cuda", "profile", "1"}), "needs the emulator");
  check_one_line_failure(door.run({"list", "02"}), "list does not know '02'");
  check_one_line_failure(door.run({"docs", "02"}), "docs does not know '02'");
  check_one_line_failure(door.run({"docs", "--open", "x"}), "docs does not know 'x'");
  check_one_line_failure(door.run({"docs", "--watch", "x"}), "docs does not know 'x'");
  check_one_line_failure(door.run({"docs", "--backend", "cuda"}), "no other back end");
  check_one_line_failure(door.run({"dance"}), "'dance'");
  check_one_line_failure(door.run({"--backend", "vulkan", "run"}), "'vulkan'");
  check_one_line_failure(door.run({"run", "--backend=vulkan"}), "cuda or emulator");
  check_one_line_failure(door.run({"run", "--backend"}), "--backend needs");
  CHECK(door.calls().empty());
}

TEST_CASE("run configures, builds what was named, and runs it where the caller stands") {
  FrontDoor door;
  door.built("01_warps", "pwd; for word in \"$@\"; do echo \"[$word]\"; done");
  const CommandResult result = door.run({"run", "1", "--", "--json", "a  b", "--backend"});
  CHECK(result.status == 0);
  CHECK(lines_of(result.out) ==
        Lines{door.path("elsewhere").string(), "[--json]", "[a  b]", "[--backend]"});
  CHECK(contains(result.err, "configuring the emulator build"));
  CHECK(contains(result.err, "building 01_warps"));

  const Lines calls = door.calls();
  REQUIRE(calls.size() == 2);
  CHECK(contains(calls[0], "--preset emulator -B " + door.build().string()));
  CHECK(calls[1] == "cmake --build " + door.build().string() + " --target 01_warps -- --quiet");
}

TEST_CASE("run --check hands the switch to every chapter, before its arguments") {
  FrontDoor door;
  door.built("01_warps", "echo \"$@\"");
  CHECK(door.run({"run", "1", "--check", "--", "--n", "3"}).out == "--check --n 3\n");
  CHECK(door.run({"run", "--check", "1"}).out == "--check\n");
  CHECK(door.run({"run", "1"}).out == "\n");
}

TEST_CASE("profile lists a chapter: the listing alone on standard output, arguments passed on") {
  FrontDoor door;
  door.built("01_warps",
             "echo table; echo progress >&2; echo \"$COURSE_PROFILE|$COURSE_PROFILE_KERNEL|$*\" "
             ">\"${COURSE_PROFILE#*:}\"");
  const auto profiled = [&](const Lines& arguments) {
    const CommandResult result = door.run(arguments);
    CHECK(result.status == 0);
    return result.out;
  };
  CHECK(profiled({"profile", "1"}) == "text:/dev/fd/3||\n");
  CHECK(profiled({"profile", "01_warps", "--kernel", "k<int, 2>", "--", "--n", "3"}) ==
        "text:/dev/fd/3|k<int, 2>|--n 3\n");
  CHECK(profiled({"profile", "--json", "-", "1"}) == "json:/dev/fd/3||\n");
  CHECK(profiled({"profile", "1", "--html", "-"}) == "html:/dev/fd/3||\n");
  CHECK(profiled({"profile", "1", "--json", "my file.json"}).empty());
  CHECK(read_file(door.path("elsewhere/my file.json")) == "json:my file.json||\n");
  CHECK(contains(door.run({"profile", "1"}).err, "progress"));
  CHECK(door.count_calls("cmake --build " + door.build().string() + " --target 01_warps") == 1);
}

TEST_CASE("profile lists any program of the emulator's, and hands on what it prints and returns") {
  FrontDoor door;
  door.own_program("counted", "echo mine; echo listing >\"${COURSE_PROFILE#*:}\"; exit 3");
  door.own_program("plain", "echo never");
  for (const char* name : {"counted", "./counted"}) {
    const CommandResult result = door.run({"profile", name});
    CHECK(result.status == 3);
    CHECK(result.out == "listing\n");
    CHECK(result.err == "mine\n");
  }
  check_one_line_failure(door.run({"profile", "./plain"}), "was not built by ./course nvcc");
  check_one_line_failure(door.run({"profile", "./none"}), "no program './none'");
  CHECK(door.calls().empty());
}

TEST_CASE("profile: a wrong result is told, because the chapter's own table is not shown") {
  FrontDoor door;
  door.built("01_warps", "echo WRONG; exit 1");
  const CommandResult result = door.run({"profile", "1"});
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(lines_of(result.err).back() ==
        "course: 01_warps ended with status 1; run alone, it says why");
}

TEST_CASE("a second run neither configures nor builds, and adds no word of its own") {
  FrontDoor door;
  door.built("02_coalescing", "echo table");
  door.run({"run", "02"});
  door.forget_calls();
  const CommandResult again = door.run({"run", "02_coalescing"});
  CHECK(again.status == 0);
  CHECK(again.out == "table\n");
  CHECK(again.err.empty());
  CHECK(door.calls().empty());
}

TEST_CASE("changed presets and a moved project are configured again") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  door.run({"run", "1"});
  door.forget_calls();
  SUBCASE("presets") {
    fs::last_write_time(door.path("project/CMakePresets.json"),
                        fs::file_time_type::clock::now() + std::chrono::seconds(60));
    door.run({"run", "1"});
  }
  SUBCASE("moved") {
    // Started through a link at the old path, the script finds its real folder.
    fs::rename(door.path("project"), door.path("moved"));
    fs::create_directory_symlink(door.path("moved"), door.path("project"));
    door.run({"run", "1"});
  }
  CHECK(door.count_calls("cmake --fresh") == 1);
}

TEST_CASE("standard output is the chapter's alone, so JSON passes through") {
  FrontDoor door;
  const std::string json = R"({"schema": 1, "runs": []})";
  door.built("01_warps", "echo '" + json + "'; echo progress >&2");
  const CommandResult result = door.run({"run", "01", "--", "--json", "-"});
  CHECK(result.status == 0);
  CHECK(result.out == json + "\n");
  CHECK(contains(result.err, "progress"));
}

TEST_CASE("run goes on after a chapter that fails, and its status says so") {
  struct Case {
    const char* first;
    const char* second;
    int expected;
  };
  for (const Case& c : {Case{"0", "0", 0}, Case{"1", "0", 1}, Case{"0", "1", 1}, Case{"2", "0", 2},
                        Case{"2", "1", 1}, Case{"1", "2", 1}, Case{"0", "70", 70}}) {
    FrontDoor door;
    door.built("01_warps", std::string("echo first; exit ") + c.first);
    door.built("02_coalescing", std::string("echo second; exit ") + c.second);
    const CommandResult result = door.run({"run"});
    CAPTURE(c.first);
    CAPTURE(c.second);
    CHECK(result.status == c.expected);
    CHECK(result.out == "first\nsecond\n");
    CHECK(contains(result.err, "ended with status") == (c.expected > 2));
  }
}

TEST_CASE("a symbolic link to the script finds the project") {
  FrontDoor door;
  door.built("01_warps", "echo ran");
  const fs::path link = door.path("elsewhere/my course");
  fs::create_symlink(door.path("project/course"), link);
  CommandOptions options;
  options.environment = {
      {"PATH", door.path("tools").string()}, {"LOG", "/dev/null"}, {"CUDA_VISIBLE_DEVICES", ""}};
  options.unset = kUnset;
  options.directory = "/";
  const CommandResult result = run_command({link.string(), "run", "1"}, options);
  CHECK(result.status == 0);
  CHECK(result.out == "ran\n");
}

TEST_CASE("COURSE_BUILD_DIR moves the build, relative to the caller's folder") {
  FrontDoor door;
  const CommandResult result = door.run({"test"}, {{"COURSE_BUILD_DIR", "my build"}});
  CHECK(result.status == 0);
  CHECK(fs::exists(door.path("elsewhere/my build/emulator/build.ninja")));
  CHECK_FALSE(fs::exists(door.path("project/build")));
}

TEST_CASE("a folder that cannot be written is one line") {
  FrontDoor door;
  check_one_line_failure(door.run({"test"}, {{"COURSE_BUILD_DIR", "/proc/course"}}),
                         "cannot write to /proc/course/emulator");
}

TEST_CASE("a missing compiler without apt: the packages are named, nothing is started") {
  FrontDoor door;
  door.remove_tool("g++");
  const CommandResult result = door.run({"run", "1"});
  check_one_line_failure(result, "please install");
  for (const char* package :
       {"g++", "doctest-dev", "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libseccomp-dev",
        "libssl-dev", "libyaml-cpp-dev", "libboost-context-dev"}) {
    CHECK(contains(result.err, package));
  }
  CHECK_FALSE(contains(result.err, "cmake"));
  CHECK(door.calls().empty());
}

TEST_CASE("missing CMake and Ninja are named too") {
  FrontDoor door;
  door.remove_tool("cmake");
  door.remove_tool("ninja");
  const CommandResult result = door.run({"run", "1"});
  check_one_line_failure(result, ": cmake ninja-build\n");
}

TEST_CASE("only the tests need gnuplot, make and xmllint, and all of them clangd and node") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  door.remove_tool("clangd");
  door.remove_tool("gnuplot");
  door.remove_tool("xmllint");
  door.remove_tool("make");
  door.remove_tool("node");
  CHECK(door.run({"run", "1"}).status == 0);
  check_one_line_failure(door.run({"test"}), ": gnuplot-nox libxml2-utils make\n");
  for (const char* which : {"--all", "-N"})
    check_one_line_failure(door.run({"test", which}),
                           ": gnuplot-nox libxml2-utils make clangd nodejs\n");
  CHECK(door.count_calls("ctest") == 0);
}

TEST_CASE("headers are looked for with the compiler itself") {
  FrontDoor door;
  door.remove_tool("g++");
  const std::string compiler = real_tool("g++").string();
  SUBCASE("a compiler that finds none") {
    // -nostdinc: the system's headers are not found.
    door.tool("g++", "exec " + compiler + " -nostdinc -I /nowhere -I \"${0%/*}\" \"$@\"");
    const CommandResult result = door.run({"run", "1"});
    check_one_line_failure(result, "doctest-dev libcli11-dev libfmt-dev nlohmann-json3-dev");
    CHECK_FALSE(contains(result.err, "g++"));
  }
  SUBCASE("headers below CMAKE_PREFIX_PATH") {
    for (const char* header : {"doctest/doctest.h", "CLI/CLI.hpp"}) {
      fs::create_directories((door.path("prefix/include") / header).parent_path());
      fs::copy_file(door.path("project/CMakePresets.json"), door.path("prefix/include") / header);
    }
    door.tool("g++", "exec " + compiler + " -nostdinc -I \"${CPATH%%:*}\" \"$@\"");
    const CommandResult result =
        door.run({"run", "1"}, {{"CMAKE_PREFIX_PATH", door.path("prefix").string()}});
    check_one_line_failure(result, " libfmt-dev nlohmann-json3-dev");
    CHECK_FALSE(contains(result.err, "doctest"));
    CHECK_FALSE(contains(result.err, "cli11"));
  }
}

TEST_CASE("what is missing is installed with apt, and only that") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  door.remove_tool("ninja");
  door.tool(
      "apt-get",
      "case \"$*\" in *install*) touch \"${0%/*}/ninja\"; chmod +x \"${0%/*}/ninja\" ;; esac");
  fs::create_symlink(real_tool("chmod"), door.path("tools/chmod"));
  // If the tests do not run as root, the commands go through sudo.
  door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
  const CommandResult result = door.run({"run", "1"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "installing with apt: ninja-build\n"));
  REQUIRE(door.count_calls("apt-get ") == 2);
  for (const std::string& call : door.calls()) {
    if (call.rfind("apt-get ", 0) != 0) continue;
    const bool update = contains(call, " update");
    const bool install = contains(call, " install -y --no-install-recommends ninja-build");
    CHECK((update || install));
  }

  door.forget_calls();
  door.run({"run", "1"});
  fs::remove(door.build() / "course.stamp");
  door.run({"run", "1"});
  CHECK(door.count_calls("cmake --fresh") == 1);
  CHECK(door.count_calls("apt-get") == 0);
}

TEST_CASE("apt that is offline is no matter when nothing is missing, and one line when it is") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  door.tool("apt-get", "echo Reading lists; exit 100");
  door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
  CHECK(door.run({"run", "1"}).status == 0);

  fs::remove(door.build() / "course.stamp");
  door.remove_tool("ninja");
  const CommandResult result = door.run({"run", "1"});
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(contains(lines_of(result.err).back(), "apt-get install ninja-build"));
}

TEST_CASE("without the right to install, the line says what to run by hand") {
  FrontDoor door;
  door.remove_tool("ninja");
  door.tool("apt-get", "exit 0");
  SUBCASE("no sudo") {
    check_one_line_failure(door.run_unprivileged({"run", "1"}),
                           "as root, run: apt-get install ninja-build");
  }
  SUBCASE("a sudo that asks for a password, and nobody to ask") {
    door.tool("sudo", "exit 1");
    check_one_line_failure(door.run_unprivileged({"run", "1"}),
                           "run: sudo apt-get install ninja-build");
  }
  CHECK(door.count_calls("apt-get") == 0);
}

TEST_CASE("sudo is used where it asks for nothing") {
  FrontDoor door;
  door.remove_tool("ninja");
  door.tool("apt-get", "exit 0");
  door.tool("sudo", "exit 0");
  const CommandResult result = door.run_unprivileged({"run", "1"});
  CHECK(door.count_calls("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get") == 2);
  CHECK(result.status == 2);
  CHECK(contains(lines_of(result.err).back(), "still missing after the installation: ninja-build"));
}

TEST_CASE("every package manager is told its own names") {
  struct Case {
    const char* manager;
    const char* by_hand;
    Lines packages;
  };
  const std::vector<Case> cases = {
      {"apt-get",
       "apt-get install g++ ",
       {"libfmt-dev", "libdw-dev", "libboost-context-dev", "libopenblas-dev", "libxml2-utils",
        "doxygen-awesome-css"}},
      {"dnf",
       "dnf install gcc-c++ ",
       {"fmt-devel", "elfutils-devel", "boost-devel", "openblas-devel", "libxml2"}},
      {"pacman",
       "pacman -Syu --needed gcc ",
       {"fmt", "libelf", "boost", "openblas", "nodejs", "python"}},
      {"zypper",
       "zypper install gcc-c++ ",
       {"fmt-devel", "libdw-devel", "libboost_context-devel", "openblas-devel", "nodejs-default"}}};
  for (const Case& c : cases) {
    CAPTURE(c.manager);
    FrontDoor door;
    for (const char* name : {"g++", "xmllint", "node", "python3"}) door.remove_tool(name);
    fs::remove_all(door.path("share"));
    door.tool(c.manager, "exit 0");
    const CommandResult result = door.run_unprivileged({"test", "--all"});
    check_one_line_failure(result, c.by_hand);
    const Lines words = words_of(result.err);
    for (const std::string& package : c.packages) {
      CAPTURE(package);
      CHECK(std::count(words.begin(), words.end(), package) == 1);
    }
    CHECK(door.calls().empty());
  }
}

TEST_CASE("other package managers than apt install, too, and that nobody tried it is said") {
  struct Case {
    const char* manager;
    const char* call;
    const char* by_hand;
  };
  for (const Case& c : {Case{"dnf", "dnf install -y --setopt=install_weak_deps=False git",
                             "try by hand: sudo dnf install git"},
                        Case{"pacman", "pacman -S --needed --noconfirm git",
                             "try by hand: sudo pacman -Syu --needed git"},
                        Case{"zypper", "zypper --non-interactive install --no-recommends git",
                             "try by hand: sudo zypper install git"}}) {
    CAPTURE(c.manager);
    FrontDoor door;
    door.built("coursework", "echo made");
    door.remove_tool("git");
    door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
    door.tool(c.manager, "exit 1");
    const CommandResult refused = door.run({"handout", "01", "--out", "x"});
    CHECK(refused.status == 2);
    CHECK(contains(lines_of(refused.err).back(), c.by_hand));

    fs::create_symlink(real_tool("chmod"), door.path("tools/chmod"));
    door.tool(c.manager, "touch \"${0%/*}/git\"; chmod +x \"${0%/*}/git\"");
    door.forget_calls();
    const CommandResult result = door.run({"handout", "01", "--out", "x"});
    CHECK(result.status == 0);
    CHECK(result.out == "made\n");
    CHECK(contains(result.err, std::string("installing with ") + c.manager +
                                   ", which nobody has tried here yet: git\n"));
    CHECK(door.count_calls(c.call) == 1);
  }
}

TEST_CASE("what a system has no package of is named") {
  FrontDoor door;
  fs::remove_all(door.path("share"));
  door.tool("dnf", "exit 0");
  check_one_line_failure(door.run({"docs"}), "dnf has no package of doxygen-awesome.css");
  const CommandResult result = door.run({"test", "--all"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "going on without doxygen-awesome.css: the site is neither made"));
  CHECK(door.count_calls("dnf") == 0);
}

TEST_CASE("the headers for plugins are installed where they can be had, and are no condition") {
  FrontDoor door;
  door.built("01_warps", "echo ran");
  fs::remove_all(door.path("plugin"));
  const auto runs = [](const CommandResult& result) {
    CHECK(result.status == 0);
    CHECK(result.out == "ran\n");
  };
  SUBCASE("no package manager") { runs(door.run({"run", "1"})); }
  SUBCASE("no right to install") {
    door.tool("apt-get", "exit 0");
    fs::permissions(door.build(), fs::perms::all);
    runs(door.run_unprivileged({"run", "1"}));
    CHECK(door.count_calls("apt-get") == 0);
  }
  SUBCASE("a package manager that installs them") {
    door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
    door.tool("apt-get",
              "case \"$*\" in *install*) mkdir -p \"${0%/*}/../plugin/include\"; touch "
              "\"${0%/*}/../plugin/include/gcc-plugin.h\" ;; esac");
    const CommandResult result = door.run({"run", "1"});
    runs(result);
    CHECK(contains(result.err, "installing with apt: gcc-12-plugin-dev\n"));
    runs(door.run({"run", "1"}));
    CHECK(door.count_calls("apt-get") == 2);
  }
  SUBCASE("a package manager that fails") {
    door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
    door.tool("apt-get", "exit 100");
    runs(door.run({"run", "1"}));
  }
  SUBCASE("an apt that has no such package") {
    door.tool("apt-get", "exit 0");
    door.tool("apt-cache", "case \"$*\" in *plugin*) exit 100 ;; esac");
    runs(door.run({"run", "1"}));
    CHECK(door.count_calls("apt-get") == 0);
  }
  SUBCASE("they come later, and the build is configured again") {
    runs(door.run({"run", "1"}));
    fs::create_directories(door.path("plugin/include"));
    fs::copy_file(door.path("project/CMakePresets.json"), door.path("plugin/include/gcc-plugin.h"));
    door.forget_calls();
    runs(door.run({"run", "1"}));
    CHECK(door.count_calls("cmake --fresh") == 1);
  }
}

TEST_CASE("OpenBLAS is installed where it can be had, and is no condition") {
  FrontDoor door;
  door.built("01_warps", "echo ran");
  // A compiler that finds the library once `tools/openblas` exists.
  door.tool("g++",
            "case \"$*\" in *-print-file-name=libopenblas.so) if [ -e \"${0%/*}/openblas\" ]; "
            "then echo /usr/lib/libopenblas.so; else echo libopenblas.so; fi; exit ;; esac" +
                std::string(FrontDoor::kCompiler));
  SUBCASE("no package manager") {}
  SUBCASE("a package manager that installs it") {
    door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
    door.tool("apt-get",
              "case \"$*\" in *install*libopenblas-dev*) touch \"${0%/*}/openblas\" ;; esac");
  }
  const CommandResult result = door.run({"run", "1"});
  CHECK(result.status == 0);
  CHECK(result.out == "ran\n");
  CHECK(contains(result.err, "installing with apt: libopenblas-dev\n") ==
        fs::exists(door.path("tools/apt-get")));
}

TEST_CASE("before there is a compiler, apt says which version it will have") {
  FrontDoor door;
  door.remove_tool("g++");
  door.tool("apt-get", "exit 0");
  SUBCASE("with lists") {
    door.tool("apt-cache", "if [ $1 = depends ]; then echo g++; echo '  Depends: g++-14'; fi");
    check_one_line_failure(door.run_unprivileged({"run", "1"}), " gcc-14-plugin-dev");
  }
  SUBCASE("without lists, the rest is named") {
    door.tool("apt-cache", "exit 100");
    const CommandResult result = door.run_unprivileged({"run", "1"});
    check_one_line_failure(result, "apt-get install g++ ");
    CHECK_FALSE(contains(result.err, "plugin"));
  }
}

TEST_CASE("setup installs what all commands need, and builds nothing") {
  FrontDoor door;
  const CommandResult there = door.run({"setup"});
  CHECK(there.status == 0);
  CHECK(there.out.empty());
  CHECK(there.err == "course: all that the commands need is there\n");
  CHECK(door.calls().empty());
  CHECK_FALSE(fs::exists(door.path("project/build")));

  for (const char* name : {"ninja", "doxygen", "git", "python3", "node", "chromium", "firefox-esr"})
    door.remove_tool(name);
  const CommandResult missing = door.run({"setup"});
  check_one_line_failure(missing, ": ninja-build git python3 doxygen nodejs");
  CHECK(contains(missing.err, "nodejs chromium firefox-esr") != is_ubuntu());
  door.tool("firefox", "exit 0");  // another one than Debian's does, too
  CHECK_FALSE(contains(door.run({"setup"}).err, "firefox"));
  check_one_line_failure(door.run({"setup", "all"}), "setup does not know 'all'");
}

TEST_CASE("tools that are too old are refused") {
  FrontDoor door;
  SUBCASE("cmake") {
    door.tool("cmake", "echo 'cmake version 3.22.1'");
    check_one_line_failure(door.run({"run", "1"}), "CMake 3.22.1 is too old");
    check_one_line_failure(door.run({"run", "1"}), "on Ubuntu 22.04: sudo apt-get install python3");
  }
  SUBCASE("a version is no decimal fraction") {
    door.tool("cmake", "echo 'cmake version 3.9.6'");
    check_one_line_failure(door.run({"run", "1"}), "CMake 3.9.6 is too old");
  }
  SUBCASE("g++") {
    door.tool("g++", "case \"$*\" in *dump*) echo 9.4.0 ;; *print*) echo /x ;; esac");
    check_one_line_failure(door.run({"run", "1"}), "g++ 9.4.0 is too old");
  }
  SUBCASE("another compiler") {
    door.tool("clang++", "case \"$*\" in *dump*) exit 1 ;; *print*) echo /x ;; esac");
    check_one_line_failure(door.run({"run", "1"}, {{"CXX", "clang++"}}), "clang++ is not g++");
  }
}

TEST_CASE("failures of CMake and of the compiler: their message, then one line") {
  FrontDoor door;
  SUBCASE("configuration") {
    const CommandResult result = door.run({"run", "1"}, {{"CMAKE_FAILS", "1"}});
    CHECK(result.status == 2);
    const Lines lines = lines_of(result.err);
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == "CMake Error: no such thing");
    CHECK(contains(lines[2], "could not be configured"));
    CHECK(contains(door.run({"run", "1"}, {{"CMAKE_FAILS", "1"}}).err, "configuring"));
  }
  SUBCASE("build") {
    const CommandResult result = door.run({"run", "1"}, {{"BUILD_FAILS", "1"}});
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    const Lines lines = lines_of(result.err);
    REQUIRE(lines.size() == 4);
    CHECK(lines[2] == "main.cu:3: error: expected ;");
    CHECK(contains(lines[3], "the build of 01_warps failed"));
  }
  SUBCASE("a full disk") {
    door.remove_tool("df");
    door.tool("df",
              "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; "
              "echo '/dev/vda 100 100 0 100% /'");
    const CommandResult result = door.run({"run", "1"}, {{"BUILD_FAILS", "1"}});
    CHECK(result.status == 2);
    CHECK(contains(lines_of(result.err).back(), "is full"));
  }
}

TEST_CASE("test runs what readers need, and with --all everything") {
  FrontDoor door;
  door.tool("ctest", R"(
case "$*" in
  *' -N -LE ^maintainers$') echo '  Test  #7: test_a'; echo '  Test #12: test_b'; exit ;;
esac
echo "tests ran"
exit "${CTEST_STATUS:-0}")");
  const std::string ctest =
      "ctest --test-dir " + door.build().string() + " --output-on-failure --no-tests=error";
  const std::string build = "cmake --build " + door.build().string() + " --target ";
  const CommandResult passed = door.run({"test"});
  CHECK(passed.status == 0);
  CHECK(passed.out == "tests ran\n");
  CHECK(door.count_calls(build + "test_a test_b --") == 1);
  CHECK(door.count_calls(build + "all") == 0);
  CHECK(door.count_calls(ctest + " -LE ^maintainers$") == 1);
  constexpr const char* kTestsFailed = "8";
  CHECK(door.run({"test"}, {{"CTEST_STATUS", kTestsFailed}}).status == 1);

  door.forget_calls();
  CHECK(door.run({"test", "--all"}).status == 0);
  CHECK(door.count_calls(build + "all") == 1);
  CHECK(door.count_calls(ctest) == 1);
  CHECK(door.count_calls("maintainers") == 0);
}

TEST_CASE("test with ctest's arguments builds what the selected tests run, and passes them on") {
  FrontDoor door;
  door.tool("ctest", R"(
case "$*" in
  *--bogus*) exit 1 ;;
  *' -N '*'-L 02'*) echo '  Test  #7: test_a.b'; echo '  Test #12: mutants_02 (Disabled)'; exit ;;
  *' -N '*) exit ;;
esac
echo "tests ran")");
  const std::string ctest = "ctest --test-dir " + door.build().string() + " ";
  const std::string build = "cmake --build " + door.build().string() + " --target ";
  const CommandResult passed = door.run({"test", "-L", "02", "--output-junit", "out.xml"});
  CHECK(passed.status == 0);
  CHECK(passed.out == "tests ran\n");
  CHECK(door.count_calls(build + "build.ninja") == 1);
  CHECK(door.count_calls(build + "test_a.b mutants_02 --") == 1);
  CHECK(door.count_calls(build + "all") == 0);
  CHECK(door.count_calls(ctest + "--output-on-failure --no-tests=error -L 02 --output-junit " +
                         door.path("elsewhere/out.xml").string()) == 1);

  for (const Lines& none : {Lines{"test", "-R", "none"}, Lines{"test", "-N", "-L", "02"},
                            Lines{"test", "-L", "02", "--show-only=json-v1"}}) {
    door.forget_calls();
    CHECK(door.run(none).status == 0);
    CHECK(door.count_calls(build + "test_a.b") == 0);
    CHECK(door.count_calls(ctest + "--output-on-failure") == 1);
  }
  check_one_line_failure(door.run({"test", "--bogus"}), "understand: --bogus");
}

TEST_CASE("docs builds the site alone and says where it is") {
  FrontDoor door;
  const CommandResult result = door.run({"docs"});
  CHECK(result.status == 0);
  CHECK(result.out == (door.build() / "docs/html/index.html").string() + "\n");
  CHECK(door.count_calls("cmake --build " + door.build().string() + " --target docs") == 1);
  CHECK(door.run({"docs"}, {{"BUILD_FAILS", "1"}}).status == 0);  // everything is up to date
}

TEST_CASE("docs --open serves the site, and opens it where there is a screen") {
  FrontDoor door;
  door.tool("python3",
            "echo 'Serving HTTP on 127.0.0.1 port 41007 (http://127.0.0.1:41007/) ...'; exit 0");
  door.tool("xdg-open", "exit 0");
  const std::string url = "http://127.0.0.1:41007/";
  SUBCASE("no screen") {
    const CommandResult result = door.run({"docs", "--open"});
    CHECK(result.status == 0);
    CHECK(contains(result.err, "open " + url + " in a browser"));
    CHECK(door.count_calls("xdg-open") == 0);
  }
  SUBCASE("a screen") {
    const CommandResult result = door.run({"docs", "--open"}, {{"DISPLAY", ":0"}});
    CHECK(contains(result.err, "showing " + url));
    CHECK(door.count_calls("xdg-open " + url) == 1);
  }
  SUBCASE("a server that does not start") {
    door.tool("python3", "exit 1");
    const CommandResult result = door.run({"docs", "--open"});
    CHECK(result.status == 2);
    CHECK(contains(lines_of(result.err).back(), "could not be served"));
  }
  CHECK(door.count_calls("python3 -u -m http.server --bind 127.0.0.1 --directory " +
                         (door.build() / "docs/html").string() + " 0") == 1);
}

TEST_CASE("docs --watch serves the site with what makes it anew") {
  FrontDoor door;
  door.tool("python3",
            "echo 'Serving HTTP on 127.0.0.1 port 41007 (http://127.0.0.1:41007/) ...'; exit 0");
  const CommandResult result = door.run({"docs", "--watch"});
  CHECK(result.status == 0);
  CHECK(contains(result.err, "open http://127.0.0.1:41007/ in a browser"));
  const std::string project = door.path("project").string();
  CHECK(door.count_calls("python3 -u " + project + "/tools/site/watch.py " +
                         (door.build() / "docs/html").string() + " " + project + " -- " + project +
                         "/course docs") == 1);
}

TEST_CASE("docs --pdf and --epub make a book of the site, and install what that needs") {
  for (const auto& [kind, tool] : {std::pair{"pdf", "chromium"}, std::pair{"epub", "pandoc"}}) {
    FrontDoor door;
    door.built("site", "echo \"$*\"; exit 0");
    const std::string option = std::string("--") + kind;
    const std::string made = std::string(kind) + " " + door.path("project").string() + " " +
                             (door.build() / "docs").string() + "\n";
    CHECK(door.run({"docs", option}).out == made);
    CHECK(door.count_calls("cmake --build " + door.build().string() + " --target docs") == 1);
    door.built("site", "exit 2");
    CHECK(door.run({"docs", option}).status == 2);
    door.remove_tool(tool);
    CHECK(door.run({"docs"}).status == 0);
    if (std::string(tool) == "chromium" && is_ubuntu()) continue;
    check_one_line_failure(door.run({"docs", option}), std::string("(Debian's names): ") + tool);
  }
}

TEST_CASE("what makes and tests the site is installed for the commands that need it alone") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  for (const char* name : {"doxygen", "cmark-gfm", "pygmentize", "node", "npm", "git", "python3"})
    door.remove_tool(name);
  fs::remove_all(door.path("share"));
  door.tool("apt-get", "exit 0");
  door.tool("sudo", "while [ \"$1\" = -n ]; do shift; done; exec \"$@\"");
  CHECK(door.run({"run", "1"}).status == 0);
  CHECK(door.count_calls("apt-get") == 0);
  CHECK(contains(door.run({"docs"}).err,
                 "installing with apt: cmark-gfm doxygen doxygen-awesome-css python3-pygments\n"));
  CHECK(contains(door.run({"test"}).err, "installing with apt: git python3\n"));
  CHECK(contains(
      door.run({"test", "--all"}).err,
      "installing with apt: git python3 cmark-gfm doxygen doxygen-awesome-css python3-pygments "
      "nodejs npm\n"));
  CHECK(contains(door.run({"docs", "--open"}).err, " python3\n"));
  door.forget_calls();
  door.tool("nvcc", "exit 0");
  CHECK(door.run({"test", "--backend", "cuda"}).status == 0);
  CHECK(door.count_calls("apt-get") == 0);
}

TEST_CASE("a build that was configured before Doxygen came is configured again") {
  FrontDoor door;
  door.built("01_warps", "exit 0");
  door.remove_tool("doxygen");
  door.run({"run", "1"});
  door.tool("doxygen", "exit 0");
  door.forget_calls();
  door.run({"docs"});
  door.run({"docs"});
  CHECK(door.count_calls("cmake --fresh") == 1);
}

TEST_CASE("check and watch are coursework's, which hands on words and status") {
  for (const int status : {0, 1}) {
    FrontDoor door;
    door.built("coursework", "echo \"$*\"; exit " + std::to_string(status));
    CHECK(door.run({"check", "2", "--exercise", "1"}).out == "check 2 --exercise 1\n");
    CHECK(door.run({"watch"}).out == "watch\n");
    const CommandResult result = door.run({"check", "2", "--hint"});
    CHECK(result.status == status);
    CHECK(result.out == "check 2 --hint\n");
    CHECK(door.count_calls("cmake --build " + door.build().string() + " --target coursework") == 1);
  }
}

TEST_CASE("handout and bundle are built, and get their arguments as they are") {
  FrontDoor door;
  door.tool("git", "exit 0");
  door.built("coursework", "echo \"$*\"; exit 1");
  const CommandResult handout = door.run({"handout", "02", "8", "--out", "a  b"});
  CHECK(handout.status == 1);
  CHECK(handout.out == "handout 02 8 --out a  b\n");
  CHECK(door.run({"bundle", "github", "02"}).out == "bundle github 02\n");
  CHECK(door.count_calls("cmake --build " + door.build().string() + " --target coursework") == 1);
  door.remove_tool("git");
  check_one_line_failure(door.run({"handout", "02", "--out", "x"}), ": git\n");
}

TEST_CASE("a handout needs nothing that only the whole course needs") {
  FrontDoor door;
  for (const char* part : {"tests", "tools"}) fs::remove_all(door.path("project") / part);
  door.built("01_warps", "exit 0");
  for (const char* tool : {"cmark-gfm", "doxygen", "pygmentize", "gnuplot", "xmllint", "node",
                           "npm", "chromium", "firefox-esr", "clangd", "g++"})
    door.remove_tool(tool);
  const CommandResult missing = door.run({"test"});
  check_one_line_failure(missing, "libcli11-dev");
  for (const char* package : {"doctest", "seccomp", "gnuplot", "node", "doxygen"})
    CHECK_FALSE(contains(missing.err, package));
  door.tool("g++", FrontDoor::kCompiler);
  CHECK(door.run({"test"}).status == 0);
  check_one_line_failure(door.run({"docs"}), "a handout has no site");
  check_one_line_failure(door.run({"handout", "01", "--out", "x"}), "a handout has no handout");
  check_one_line_failure(door.run({"bundle", "github", "01"}), "a handout has no bundle");
}

TEST_CASE("nvcc hands every argument to the emulator's compiler") {
  FrontDoor door;
  door.built("emulator-nvcc", "for word in \"$@\"; do echo \"[$word]\"; done; exit 5");
  const CommandResult result = door.run({"nvcc", "a b.cu", "--backend", "x", "--", "-o", "p"});
  CHECK(result.status == 5);
  CHECK(lines_of(result.out) == Lines{"[a b.cu]", "[--backend]", "[x]", "[--]", "[-o]", "[p]"});
}

TEST_CASE(
    "nvcc and check mean the emulator's, also beside a GPU, unless the real one is asked for") {
  FrontDoor door;
  const std::map<std::string, std::string> visible = {{"CUDA_VISIBLE_DEVICES", "0"}};
  door.tool("nvidia-smi", "echo 'GPU 0: NVIDIA H200'");
  door.tool("nvcc", "echo real");
  door.built("emulator-nvcc", "echo emulated");
  door.built("coursework", "echo counted");
  CHECK(door.run({"nvcc", "a.cu"}, visible).out == "emulated\n");
  CHECK(door.run({"check", "2"}, visible).out == "counted\n");
  CHECK(door.run({"--backend", "cuda", "nvcc", "a.cu"}).out == "real\n");
}

TEST_CASE("the back end: a GPU with nvcc, else the emulator, else what was asked for") {
  FrontDoor door;
  door.tool("nvcc", "exit 0");
  const std::map<std::string, std::string> visible = {{"CUDA_VISIBLE_DEVICES", "0"}};
  SUBCASE("nvcc and a GPU") {
    door.tool("nvidia-smi", "echo 'GPU 0: NVIDIA H200'");
    door.run({"test"}, visible);
    CHECK(door.count_calls("cmake --fresh") == 1);
    CHECK(fs::exists(door.path("project/build/cuda/build.ninja")));
  }
  SUBCASE("nvcc and no GPU") {
    door.tool("nvidia-smi", "echo 'NVIDIA-SMI has failed'; exit 9");
    door.run({"test"}, visible);
    CHECK(fs::exists(door.build() / "build.ninja") == !machine_has_gpu());
  }
  SUBCASE("nvcc and a GPU that is hidden") {
    door.tool("nvidia-smi", "echo 'GPU 0: NVIDIA H200'");
    door.run({"test"}, {{"CUDA_VISIBLE_DEVICES", "-1"}});
    CHECK(fs::exists(door.build() / "build.ninja"));
  }
  SUBCASE("the emulator by wish") {
    door.tool("nvidia-smi", "echo 'GPU 0: NVIDIA H200'");
    door.run({"test", "--backend", "emulator"});
    CHECK(fs::exists(door.build() / "build.ninja"));
    CHECK_FALSE(fs::exists(door.path("project/build/cuda")));
  }
  SUBCASE("cuda by wish, without Boost.Context") {
    door.tool("g++", "case \"$*\" in *dump*) echo 13.2.0 ;; *print*) echo none ;; esac");
    CHECK(door.run({"--backend=cuda", "test"}).status == 0);
    CHECK(fs::exists(door.path("project/build/cuda/build.ninja")));
  }
  SUBCASE("a GPU without nvcc") {
    door.remove_tool("nvcc");
    door.tool("nvidia-smi", "echo 'GPU 0: NVIDIA H200'");
    door.run({"test"}, visible);
    CHECK(fs::exists(door.build() / "build.ninja") == !machine_has_nvcc());
  }
  SUBCASE("cuda by wish needs none of the emulator's libraries") {
    door.remove_tool("g++");
    const CommandResult result = door.run({"--backend=cuda", "test"});
    check_one_line_failure(result, "doctest-dev");
    CHECK_FALSE(contains(result.err, "boost"));
    CHECK_FALSE(contains(result.err, "libdw"));
    CHECK_FALSE(contains(result.err, "libseccomp"));
    CHECK_FALSE(contains(result.err, "libyaml"));
  }
  SUBCASE("cuda by wish, without nvcc") {
    door.remove_tool("nvcc");
    const CommandResult result = door.run({"--backend", "cuda", "test"});
    if (!machine_has_nvcc()) check_one_line_failure(result, "needs nvcc");
  }
}

TEST_CASE("the build holds no glob that Ninja must look at on every call") {
  // A byproduct would make an up-to-date build run something each time.
  const std::string rules = read_file(fs::path(COURSE_BINARY_DIR) / "build.ninja");
  REQUIRE(contains(rules, "test_front_door"));
  CHECK_FALSE(contains(rules, "VerifyGlobs"));
}
