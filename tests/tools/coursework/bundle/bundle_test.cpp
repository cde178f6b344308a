/// Tests bundles in the layouts of their platforms, with submissions of every kind.
///
/// By default, this build's grader stands in for the one that a platform would build. If
/// COURSE_LONG_TESTS is 1, the bundles build their own.

#include "tools/coursework/bundle/bundle.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/coursework/bundle/grade_submission.hpp"
#include "tools/coursework/bundle/results.hpp"
#include "tools/coursework/handout/handout.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

namespace {

const fs::path kRoot = tools::source_folder();
const fs::path kPrograms = COURSE_PROGRAM_FOLDER;
const std::string kCoursework = (kPrograms / "coursework").string();
const fs::path kHere = kRoot / "tests/tools/coursework/bundle";
constexpr const char* kAnswer = "02_1_row_from_a_line.cu";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const Exercise& exercise() {
  static const Exercise one = [] {
    for (const Exercise& candidate : read_exercises(kRoot))
      if (candidate.id == "02_1") return candidate;
    throw std::runtime_error("there is no exercise 02_1");
  }();
  return one;
}

tools::CommandResult run(const Words& command, const fs::path& folder = {},
                         const std::map<std::string, std::string>& environment = {}) {
  tools::CommandOptions options;
  options.directory = folder;
  options.environment = environment;
  options.unset = {"COURSE_BUILD_DIR"};
  options.time_limit = std::chrono::minutes(test_support::is_long_run() ? 30 : 5);
  return tools::run_command(command, options);
}

/// Makes a bundle with the command, which must succeed.
void make(const Words& arguments) {
  Words command = {kCoursework, "bundle"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto result = run(command);
  CAPTURE(result.err);
  REQUIRE(result.status == 0);
}

/// A submission and the points that it is worth.
struct Submission {
  const char* name;
  std::string text;  ///< the answer; empty: nothing is handed in
  int points;
};

/// Returns submissions of all kinds, with points by the names that results use.
std::vector<Submission> submissions() {
  const std::string starter = starter_of(exercise());
  // Would exit successfully before being judged, and write a result of its own.
  const std::string hostile =
      "#include <cstdio>\n#include <cstdlib>\n"
      "__attribute__((constructor)) static void take() {\n"
      "  if (std::FILE* file = std::fopen(\"/autograder/results/results.json\", \"w\"))\n"
      "    std::fputs(\"{\\\"score\\\": 100}\", file);\n  std::exit(0);\n}\n" +
      starter;
  return {{"good", solution_of(exercise()), exercise().points()},
          {"starter", starter, -1},
          {"hostile", hostile, 0},
          {"no program", "this is no program\n", 0},
          {"binary", std::string("\0\xff\xfe", 3), 0},
          {"empty", "", 0}};
}

/// Returns exercises as `coursework grade` writes them.
json exercises_graded(const std::string& found = "33 sectors",
                      const std::string& outcome = "points") {
  return json::array({{{"exercise", "02_1"},
                       {"title", "A row"},
                       {"outcome", outcome},
                       {"points", 4},
                       {"of", 10},
                       {"message", outcome == "points" ? "" : "for a reason"},
                       {"notes", json::array({"There were two files."})},
                       {"requirements", json::array({{{"name", "result"},
                                                      {"points", 4},
                                                      {"of", 4},
                                                      {"holds", true},
                                                      {"assessed", true},
                                                      {"text", "C = A B."},
                                                      {"found", "right"},
                                                      {"wanted", ""},
                                                      {"advice", ""}},
                                                     {{"name", "loads"},
                                                      {"points", 0},
                                                      {"of", 6},
                                                      {"holds", false},
                                                      {"assessed", true},
                                                      {"text", "5 sectors."},
                                                      {"found", found},
                                                      {"wanted", "at most 5"},
                                                      {"advice", "Look at lanes."}}})},
                       {"compiler_output", "a warning\n"}}});
}

}  // namespace

TEST_CASE("Gradescope reads a test for each requirement, and when to show it") {
  BundleSettings settings;
  settings.visibility = {{"loads", "hidden"}, {"02_1/loads", "after_due_date"}};
  const json results = gradescope_results(exercises_graded(), settings, 1.5);
  REQUIRE(results["tests"].size() == 2);
  const json first = results["tests"][0], second = results["tests"][1];
  CHECK(first["name"] == "02_1 result");
  CHECK(first["score"] == 4);
  CHECK(first["max_score"] == 4);
  CHECK(first["visibility"] == "visible");
  CHECK(first["status"] == "passed");
  CHECK(second["score"] == 0);
  CHECK(second["visibility"] == "after_due_date");
  CHECK(second["output"] == "5 sectors.\nfound: 33 sectors\nwanted: at most 5\nLook at lanes.\n");
  CHECK(results["execution_time"] == 1.5);
  CHECK(results["stdout_visibility"] == "hidden");
  CHECK(contains(results["output"], "a warning"));
  CHECK(contains(results["output"], "two files"));
  CHECK_FALSE(results.contains("score"));
}

TEST_CASE("what is not judged says why, and what is no text does no harm") {
  const BundleSettings settings;
  const json refused = gradescope_results(exercises_graded("", "refused"), settings, 0);
  CHECK(refused["tests"][1]["output"] == "5 sectors.\nrefused: for a reason\n");
  const std::string text = text_of(gradescope_results(exercises_graded("\xff<b>"), settings, 0));
  CHECK(contains(text, "<b>"));
  CHECK(tools::parse_ordered_json(text)["tests"][1]["output_format"] == "text");
  const std::string page = feedback_page(exercises_graded("```\n# heading"));
  for (const std::string& line : tools::lines_of(page))
    CHECK((line.empty() || line.starts_with("    ")));
  const std::string longest(100'000, 'x');
  CHECK(text_of(gradescope_results(exercises_graded(longest), settings, 0)).size() < 20'000);
}

TEST_CASE("Classroom 50 reads whole numbers, and who handed in") {
  const Classroom50Submission from{"room",      "warps",     "submit/1",
                                   "https://c", "https://r", "https://v"};
  const json result = classroom50_result(exercises_graded(), from, "2026-06-01T14:32:01Z");
  CHECK(result["schema"] == "classroom50/result/v1");
  CHECK(result["classroom"] == "room");
  CHECK(result["datetime"] == "2026-06-01T14:32:01Z");
  CHECK(result["score"].is_number_integer());
  CHECK(result["score"] == 4);
  CHECK(result["max-score"] == 10);
  REQUIRE(result["tests"].size() == 2);
  CHECK(result["tests"][1]["test-name"] == "02_1 loads");
  CHECK(result["tests"][1]["passed"] == false);
  CHECK(result["tests"][1]["max-score"] == 6);
}

TEST_CASE("what cannot be meant is one line and exit status 2") {
  const tools::TemporaryFolder folder;
  folder.write("there", "");
  const auto fails = [&](const Words& arguments, const std::string& part) {
    Words command = {kCoursework, "bundle"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto result = run(command, folder.path());
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(contains(result.err, part));
  };
  fails({"gradescope", "02", "--out", "there"}, "there is there already");
  fails({"gradescope", "42", "--out", "a.zip"}, "'42'");
  fails({"gradescope", "02"}, "--out");
  fails({"gradescope", "02", "--out", "a.zip", "--visibility", "loads"}, "REQUIREMENT=WHEN");
  fails({"gradescope", "02", "--out", "a.zip", "--visibility", "loads=never"}, "not 'never'");
  fails({"gradescope", "02", "--out", "a.zip", "--visibility", "spelling=hidden"}, "'spelling'");
  fails({"gradescope", "02", "--out", "a.zip", "--minutes", "1"}, "must not be less");
  fails({"classroom50", "02", "--out", "there"}, "is no folder");
  fails({"moodle", "02", "--out", "a"}, "ubcommand is required");
  fails({}, "ubcommand is required");
  CHECK_FALSE(fs::exists(folder.path() / "a.zip"));
}

namespace {

/// A folder laid out as /autograder, which a program in the container sees as /.
class Gradescope {
 public:
  /// @param builds  whether setup.sh builds the grader; otherwise this build's is used
  explicit Gradescope(bool builds) {
    fs::create_directories(at("source"));
    fs::create_directories(at("results"));
    const auto unpacked = run({COURSE_CMAKE, "-E", "tar", "xf", bundle().string()}, at("source"));
    REQUIRE(unpacked.status == 0);
    fs::copy_file(at("source/run_autograder"), at("run_autograder"));
    if (builds) return;
    // the path to which setup.sh would install it
    fs::create_directories(at("source/course/build/emulator/bin"));
    fs::create_symlink(kCoursework, at("source/course/build/emulator/bin/coursework"));
  }

  fs::path at(const fs::path& inside) const { return root() / "autograder" / inside; }

  /// Runs a command in the container; status 77: this machine cannot run containers.
  tools::CommandResult run_inside(const Words& command) const {
    Words all = {(kHere / "container.sh").string(), root().string(), kRoot.string(),
                 kPrograms.parent_path().string()};
    std::sort(all.begin() + 2, all.end());
    // Already visible through the other mount.
    if (all[3].starts_with(all[2] + "/")) all.pop_back();
    all.push_back("--");
    all.insert(all.end(), command.begin(), command.end());
    return run(all);
  }

  tools::CommandResult grade(const Submission& submission) const {
    fs::remove_all(at("submission"));
    fs::create_directories(at("submission"));
    if (!submission.text.empty())
      write_files({{kAnswer, {submission.text, false}}}, at("submission"));
    return run_inside({"/autograder/run_autograder"});
  }

 private:
  /// Returns the bundle, made once.
  static fs::path bundle() {
    static const tools::TemporaryFolder folder("autograder");
    const fs::path zip = folder.path() / "autograder.zip";
    if (!fs::exists(zip))
      make({"gradescope", "02_1", "--out", zip.string(), "--seed", "7", "--visibility",
            "loads=after_due_date"});
    return zip;
  }

  fs::path root() const { return folder_.path() / "root"; }
  tools::TemporaryFolder folder_{"gradescope"};
};

constexpr int kNoContainer = 77;

}  // namespace

TEST_CASE("Gradescope's container grades what is handed in, good or bad") {
  const Gradescope gradescope(test_support::is_long_run());
  if (gradescope.run_inside({"true"}).status == kNoContainer) {
    MESSAGE("left out: this machine makes no container");
    return;
  }
  if (test_support::is_long_run()) {
    const auto made = gradescope.run_inside({"bash", "/autograder/source/setup.sh"});
    CAPTURE(made.err);
    REQUIRE(made.status == 0);
    CHECK(contains(made.out, "the grader is ready"));
  }
  for (const Submission& submission : submissions()) {
    CAPTURE(submission.name);
    const auto result = gradescope.grade(submission);
    CAPTURE(result.out);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
    const json results =
        tools::parse_ordered_json(tools::read_file(gradescope.at("results/results.json")));
    int score = 0;
    std::set<std::string> hidden;
    for (const json& test : results["tests"]) {
      score += test["score"].get<int>();
      CHECK_FALSE(test["output"].get<std::string>().empty());
      if (test["visibility"] == "after_due_date") hidden.insert(test["name"]);
    }
    CHECK(results["tests"].size() == exercise().requirements.size());
    CHECK(hidden == std::set<std::string>{"02_1 loads"});
    if (submission.points >= 0) CHECK(score == submission.points);
    if (submission.points < 0) CHECK(score < exercise().points());
  }
}

TEST_CASE("Gradescope is given no results where the grader is to blame") {
  const Gradescope gradescope(/*builds=*/false);
  if (gradescope.run_inside({"true"}).status == kNoContainer) return;
  const auto fails = [&](const std::string& part) {
    write_files({{"results.json", {"{}", false}}}, gradescope.at("results"));
    const auto result = gradescope.grade(submissions().front());
    CAPTURE(result.err);
    CHECK(result.status == 1);
    CHECK(contains(result.err, "nobody loses points"));
    CHECK(contains(result.err, part));
    CHECK_FALSE(fs::exists(gradescope.at("results/results.json")));
  };
  const fs::path program = gradescope.at("source/course/build/emulator/bin/coursework");
  const std::string script = tools::read_file(gradescope.at("run_autograder"));
  SUBCASE("it is not there") {
    fs::remove(program);
    fails("status 127");
  }
  SUBCASE("it does not end") {
    fs::remove(program);
    write_files({{"coursework", {"#!/bin/sh\nexec sleep 1000\n", true}}}, program.parent_path());
    write_files({{"run_autograder",
                  {tools::Pattern("seconds=[0-9]+ ").replace(script, "seconds=1 "), true}}},
                gradescope.at(""));
    fails("was not ready after 1 seconds");
  }
  SUBCASE("its description is damaged") {
    write_files({{"bundle.json", {"{", false}}}, gradescope.at("source"));
    fails("status 2");
  }
  SUBCASE("there is no submission") {
    write_files(
        {{"run_autograder", {tools::Pattern("/submission").replace(script, "/none"), true}}},
        gradescope.at(""));
    fails("status 2");
  }
}

TEST_CASE("the same settings are the same bundle, which has no solution") {
  const tools::TemporaryFolder folder;
  const fs::path first = folder.path() / "1.zip", second = folder.path() / "2.zip";
  for (const fs::path& zip : {first, second})
    make({"gradescope", "02", "--out", zip.string(), "--seed", "7"});
  CHECK(tools::read_file(first) == tools::read_file(second));
  constexpr std::size_t kMostBytes = 10'000'000;  // the limit of Classroom 50
  CHECK(tools::read_file(first).size() < kMostBytes);
  BundleSettings settings;
  settings.exercises = {"02_1"};
  settings.minutes = 9;
  for (const auto& [path, file] : classroom50_bundle(kRoot, settings)) {
    CAPTURE(path);
    CHECK_FALSE(path.string().starts_with("course/tests/"));
    if (path.extension() == ".cu") CHECK_FALSE(contains(file.text, "COURSE_SOLUTION"));
  }
}

namespace {

/// A student's checkout, and in another folder the files that Classroom 50 unpacks.
class Classroom50 {
 public:
  Classroom50() {
    make({"classroom50", "02_1", "--out", bundle().string(), "--seed", "7"});
    fs::create_directories(checkout());
    if (test_support::is_long_run()) return;
    // This build's grader stands in for the one that `course` would build.
    write_files({{"course", {"#!/bin/sh\nexit 0\n", true}}}, bundle() / "course");
    fs::create_directories(bundle() / "course/build/emulator/bin");
    fs::create_symlink(kCoursework, bundle() / "course/build/emulator/bin/coursework");
  }
  fs::path bundle() const { return folder_.path() / "bundle"; }
  fs::path checkout() const { return folder_.path() / "checkout"; }

  void hand_in(const Submission& submission) const {
    fs::remove_all(checkout());
    fs::create_directories(checkout() / "answers");
    if (!submission.text.empty())
      write_files({{kAnswer, {submission.text, false}}}, checkout() / "answers");
  }
  tools::CommandResult grade() const {
    return run({"python3", (bundle() / "autograder.py").string()}, checkout(),
               {{"CLASSROOM", "room"},
                {"ASSIGNMENT", "coalescing"},
                {"SUBMISSION_TAG", "submit/1"},
                {"COMMIT_URL", "https://example.org/commit"},
                {"RELEASE_URL", "https://example.org/release"}});
  }
  json result() const {
    return tools::parse_ordered_json(tools::read_file(checkout() / "result.json"));
  }

 private:
  tools::TemporaryFolder folder_{"classroom 50"};
};

}  // namespace

namespace {

/// Returns whether Python is installed. Classroom 50's machines have it; the course does not need
/// it.
bool has_python() {
  if (run({"sh", "-c", "command -v python3"}).status == 0) return true;
  MESSAGE("left out: this machine has no python3");
  return false;
}

}  // namespace

TEST_CASE("Classroom 50 gets whole points for what is handed in, good or bad") {
  if (!has_python()) return;
  const Classroom50 classroom;
  for (const Submission& submission : submissions()) {
    if (submission.text == "this is no program\n") continue;  // as with Gradescope
    CAPTURE(submission.name);
    classroom.hand_in(submission);
    const auto graded = classroom.grade();
    CAPTURE(graded.out);
    CAPTURE(graded.err);
    REQUIRE(graded.status == 0);
    const json result = classroom.result();
    CHECK(result["schema"] == "classroom50/result/v1");
    CHECK(result["assignment"] == "coalescing");
    CHECK(result["review"] == "https://example.org/commit");
    CHECK(result["max-score"] == exercise().points());
    if (submission.points >= 0) CHECK(result["score"] == submission.points);
    if (submission.points < 0) CHECK(result["score"] < exercise().points());
    CHECK(contains(tools::read_file(classroom.checkout() / "release-body.md"), "    02_1 "));
  }
}

TEST_CASE("what a student leaves in the way of Classroom 50's result does no harm") {
  if (!has_python()) return;
  const Classroom50 classroom;
  classroom.hand_in(submissions().front());
  const fs::path outside = classroom.checkout().parent_path() / "elsewhere";
  write_files({{"elsewhere", {"mine", false}}}, classroom.checkout().parent_path());
  fs::create_symlink(outside, classroom.checkout() / "result.json");
  fs::create_directories(classroom.checkout() / "release-body.md/full");
  CHECK(classroom.grade().status == 0);
  CHECK(classroom.result()["score"] == exercise().points());
  CHECK(tools::read_file(outside) == "mine");
}

TEST_CASE("Classroom 50 is given no result where the grader is to blame") {
  if (!has_python()) return;
  const Classroom50 classroom;
  classroom.hand_in(submissions().front());
  write_files({{"result.json", {"{\"score\": 100}", false}}}, classroom.checkout());
  write_files({{"bundle.json", {"{", false}}}, classroom.bundle());
  const auto graded = classroom.grade();
  CHECK(graded.status == 1);
  CHECK(contains(graded.out, "::error::This submission was not graded"));
  CHECK_FALSE(fs::exists(classroom.checkout() / "result.json"));
}

TEST_CASE("the workflow of a class shows each verdict in the job's summary") {
  const tools::TemporaryFolder folder;
  const auto refused = [&](const std::string& place, const std::string& why) {
    const auto result = run({kCoursework, "bundle", "github", "02", "--out", place});
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(contains(result.err, why));
    CHECK_FALSE(fs::exists(fs::path(place) / ".github"));
  };
  refused(folder.path().string(), "is no handout");
  refused((folder.path() / "new").string(), "is no handout");
  CHECK_FALSE(fs::exists(folder.path() / "new"));
  const Handout handout = make_handout(kRoot, {{"02_2", "02_3", "02_4", "02_5"}, true, ""});
  write_files({*handout.files.find("handout.json")}, folder.path());
  for (const auto& [path, file] : handout.files)
    if (path.parent_path() == "answers") write_files({{path, file}}, folder.path());
  refused(folder.path().string(), "is a handout without the exercise 02_1");
  write_files({{fs::path("answers") / kAnswer, {starter_of(exercise()), false}}}, folder.path());
  make({"github", "02", "--out", folder.path().string()});
  const std::string workflow = tools::read_file(folder.path() / ".github/workflows/check.yml");
  std::string script;
  bool is_inside = false;
  for (const std::string& line : tools::lines_of(workflow)) {
    if (is_inside) script += line.substr(std::min<std::size_t>(10, line.size())) + "\n";
    is_inside = is_inside || line == "        run: |";
  }
  REQUIRE(contains(script, "02_1 02_2"));
  folder.write_program("course",
                       "#!/bin/sh\necho building >&2\n[ \"$2\" = 02_2 ] || exit 0\n"
                       "echo \"not yet $2\"\nexit ${STATUS-1}\n");
  const fs::path summary = folder.path() / "summary.md";
  const auto job = [&](const std::string& status) {
    fs::remove(summary);
    return run({"bash", "-e", "-c", script}, folder.path(),
               {{"GITHUB_STEP_SUMMARY", summary.string()}, {"STATUS", status}});
  };
  CHECK(job("1").status == 1);
  CHECK(contains(tools::read_file(summary), "## Exercise 02_2\n"));
  CHECK(contains(tools::read_file(summary), "    not yet 02_2\n"));
  CHECK_FALSE(contains(tools::read_file(summary), "could not be made"));
  CHECK(job("0").status == 0);
  CHECK(job("2").status == 2);
  CHECK(contains(tools::read_file(summary), "could not be made"));

  const auto again = run({kCoursework, "bundle", "github", "02", "--out", folder.path().string()});
  CHECK(again.status == 2);
  CHECK(contains(again.err, "is there already"));
}

TEST_CASE("the commands of docs/teaching.md do what they say, one after the other") {
  const tools::TemporaryFolder folder;
  write_files({{kAnswer, {solution_of(exercise()), false}}}, folder.path() / "submissions/ada");
  int commands = 0;
  bool is_shell = false;
  for (const std::string& line : tools::lines_of(tools::read_file(kRoot / "docs/teaching.md"))) {
    if (line.starts_with("```")) is_shell = line == "```sh";
    if (!is_shell || !line.starts_with("./course ")) continue;
    Words command = {kCoursework};
    std::istringstream words(line.substr(std::string("./course ").size()));
    for (std::string word; words >> word;) command.push_back(word);
    CAPTURE(line);
    const auto result = run(command, folder.path());
    CAPTURE(result.err);
    CHECK(result.status == 0);
    ++commands;
  }
  CHECK(commands == 8);
  for (const char* made :
       {"handout/README.md", "handout/.github/workflows/check.yml",
        "exam/answers/02_1_row_from_a_line.cu", "marks/summary.html",
        "marks/students/ada/feedback.txt", "autograder.zip", "coalescing/autograder.py"})
    CHECK(fs::exists(folder.path() / made));
}

TEST_CASE("a link is refused on a platform as it is in a class, and never followed") {
  const tools::TemporaryFolder folder;
  const fs::path answer = folder.write("elsewhere/answer.cu", starter_of(exercise()));
  fs::create_directories(folder.path() / "submission/answers");
  fs::create_symlink(answer, folder.path() / "submission/answers" / kAnswer);
  const json graded = grade_submission({exercise()}, folder.path() / "submission", 1);
  CHECK(graded.at(0).at("outcome") == "refused");
  CHECK(contains(graded.at(0).at("message"), "it is a symbolic link"));
  CHECK(graded.at(0).at("file") == std::string("answers/") + kAnswer);
}
