/// Tests handouts: what students get, and that no solution is in it.
///
/// By default, tests configure a handout and check answers with this build's program. If
/// COURSE_LONG_TESTS is 1, a handout is built by its own front door and checks them itself.

#include "tools/coursework/handout/handout.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/coursework/handout/links.hpp"
#include "tools/coursework/handout/repository.hpp"
#include "tools/support/json.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

const fs::path kRoot = tools::source_folder();
const std::string kCoursework = std::string(COURSE_PROGRAM_FOLDER) + "/coursework";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<Exercise>& all_exercises() {
  static const std::vector<Exercise> all = read_exercises(kRoot);
  return all;
}

/// Returns every chapter that has exercises: "01", "02", ...
Words all_chapters() {
  Words chapters;
  for (const std::string& one : chapters_of(all_exercises())) chapters.push_back(one.substr(0, 2));
  return chapters;
}

const Handout& whole_handout() {
  static const Handout handout = make_handout(kRoot, {all_chapters(), true, ""});
  return handout;
}

tools::CommandResult run_in(const fs::path& folder, const Words& command,
                            std::chrono::seconds limit = std::chrono::seconds(120)) {
  tools::CommandOptions options;
  options.directory = folder;
  options.time_limit = limit;
  options.unset = {"COURSE_BUILD_DIR"};
  return tools::run_command(command, options);
}

std::string without_blanks(const std::string& text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  return result;
}

/// Returns "02_1 chapters/02_coalescing/README.md" for each row of the table in docs/teaching.md of
/// lessons that reveal a solution.
std::set<std::string> leaks_in_teaching_page() {
  std::set<std::string> listed;
  static const tools::Pattern kRow(R"(\| (\d\d)\.(\d+) \| `([^`]+)` \|.*)");
  for (const std::string& line : tools::read_lines(kRoot / "docs/teaching.md")) {
    if (const tools::Match row = kRow.matches(line))
      listed.insert(row.str(1) + "_" + row.str(2) + " " + row.str(3));
  }
  return listed;
}

/// A handout made by the command.
class OnDisk {
 public:
  explicit OnDisk(const Words& words, const Words& more = {}) {
    Words command = {kCoursework, "handout"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--out", path().string()});
    command.insert(command.end(), more.begin(), more.end());
    result = tools::run_command(command);
    CAPTURE(result.err);
    REQUIRE(result.status == 0);
  }
  fs::path path() const { return folder_.path() / "handout"; }
  std::string git(const Words& arguments) const {
    Words command = {"git", "-c", "safe.directory=*"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto done = run_in(path(), command);
    CAPTURE(done.err);
    CHECK(done.status == 0);
    return done.out;
  }
  tools::CommandResult result;

 private:
  tools::TemporaryFolder folder_{"course handout"};
};

}  // namespace

TEST_CASE("no line of a solution is handed out, but where docs/teaching.md says so") {
  const Handout& handout = whole_handout();
  std::set<std::string> given_away;
  for (const Leak& leak : handout.leaks)
    given_away.insert(leak.exercise + " " + leak.file.string());
  CHECK(given_away == leaks_in_teaching_page());

  // Repeats the check without the code under test: searches all other files for a solution's longer
  // lines.
  constexpr std::size_t kSaysSomething = 20;
  std::string starters;
  for (const Exercise& one : handout.exercises) starters += starter_of(one);
  starters = without_blanks(starters);
  std::map<fs::path, std::string> others;
  for (const auto& [path, file] : handout.files) {
    if (path.extension() == ".md" || path.extension() == ".cuh" ||
        path.filename() == "exercise.json" || path.filename() == "main.cu")
      continue;
    others[path] = without_blanks(file.text);
  }
  for (const Exercise& one : handout.exercises) {
    for (const std::string& line : tools::lines_of(solution_of(one))) {
      const std::string code = without_blanks(tools::code_of_line(line));
      if (code.size() < kSaysSomething || contains(starters, code)) continue;
      for (const auto& entry : others) {
        const auto& path = entry.first;
        const auto& text = entry.second;
        CAPTURE(one.id);
        CAPTURE(path);
        CAPTURE(line);
        CHECK_FALSE(contains(text, code));
      }
    }
  }
}

TEST_CASE("a line of a solution is found wherever it stands") {
  const Exercise& exercise = all_exercises().front();
  const Words telling = telling_lines(exercise, all_exercises());
  REQUIRE_FALSE(telling.empty());
  ExtractedFiles files;
  files["tools/a.cpp"] = {starter_of(exercise), false};
  CHECK(find_leaks(all_exercises(), files).empty());
  files["tools/b.cpp"] = {"int x;\n  // once was: " + telling.front() + " and more\n", false};
  const auto leaks = find_leaks(all_exercises(), files);
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].file == "tools/b.cpp");
  CHECK_FALSE(may_explain("tools/b.cpp"));
  CHECK_FALSE(may_explain("chapters/02_x/exercises/1_y/exercise.cu"));
  CHECK_FALSE(may_explain("chapters/02_x/exercises/1_y/judge.cpp"));
  CHECK(may_explain("chapters/02_x/kernels.cuh"));
  CHECK(may_explain("chapters/02_x/exercises/1_y/exercise.json"));
}

TEST_CASE("a lesson that has a solution's lines with other names is found, and nothing like them") {
  const Exercise& exercise = *std::ranges::find(all_exercises(), "02_1", &Exercise::id);
  const auto found = [&](const std::string& file, const std::string& text) {
    ExtractedFiles files;
    files[file] = {text, false};
    return find_renamed_leaks({exercise}, files);
  };
  const std::string row = "const int  r = blockIdx.y * tall + threadIdx.x / tall;";
  const std::string col = "const int c = blockIdx.x*wide + threadIdx.x%wide;  // a column";
  const auto leaks = found("chapters/02_x/kernels.cuh", "{\n  " + row + "\n  " + col + "\n}\n");
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].exercise == "02_1");
  CHECK(leaks[0].renamed);
  CHECK(leaks[0].share == 1);
  CHECK(found("chapters/02_x/README.md", "-  old\n+  " + row + "\n").size() == 1);
  CHECK(found("tools/a.cpp", row).empty());  // names matter outside of lessons
  CHECK(found("chapters/02_x/kernels.cuh",
              "const int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "const int row = blockIdx.y * height + threadIdx.y / width;\n")
            .empty());
}

TEST_CASE("nothing is handed out that only instructors need") {
  for (const auto& entry : whole_handout().files) {
    const auto& path = entry.first;
    const auto& file = entry.second;
    CAPTURE(path);
    const std::string name = path.string();
    for (const char* part : {"tests/", "tools/coursework/bundle/", "tools/coursework/confine/",
                             "tools/coursework/grade/", "tools/coursework/handout/",
                             "tools/coursework/sandbox/", "docs/measurements/"})
      CHECK_FALSE(name.starts_with(part));
    CHECK_FALSE(contains(name, "teaching"));
    for (const char* part : {"wrong_answers", "mutants", "figures.txt"})
      CHECK_FALSE(contains(name, part));
    if (path.extension() != ".cu") continue;
    CHECK_FALSE(contains(file.text, "COURSE_SOLUTION"));
  }
  for (const Exercise& one : whole_handout().exercises) {
    const fs::path file = fs::relative(one.folder, kRoot) / "exercise.json";
    const auto document = tools::parse_json(whole_handout().files.at(file).text);
    CHECK_FALSE(document.contains("grading"));
    CHECK(document.contains("cases"));
    CHECK(document.contains("hints") == !one.hints.empty());
  }
}

TEST_CASE("a handout has the chapters that were asked for, and can do without hints") {
  const Handout handout = make_handout(kRoot, {{"2"}, false, "Send them by pigeon."});
  for (const auto& entry : handout.files) {
    const auto& path = entry.first;
    const auto& file = entry.second;
    CAPTURE(path);
    const std::string name = path.string();
    CHECK((!name.starts_with("chapters/") || name.starts_with("chapters/02_coalescing/") ||
           name == "chapters/CMakeLists.txt"));
    CHECK((!name.starts_with("answers/") || name.starts_with("answers/02_")));
    if (path.filename() == "exercise.json") CHECK_FALSE(contains(file.text, "\"hints\""));
  }
  CHECK(handout.files.contains("chapters/02_coalescing/main.cu"));
  CHECK(handout.files.contains("docs/pictures/02_copies.svg"));
  CHECK_FALSE(handout.files.contains("docs/pictures/03_offsets.svg"));
  CHECK(contains(handout.files.at("README.md").text, "Send them by pigeon."));

  // Headers that its program includes from other chapters are included, but nothing else of them.
  const Handout epilogue = make_handout(kRoot, {{"10"}, true, ""});
  CHECK(epilogue.files.contains("chapters/11_tensor_cores/steps/12_warp_products.cuh"));
  CHECK(epilogue.files.contains("chapters/09_sgemm/steps/pipeline.cuh"));
  CHECK_FALSE(epilogue.files.contains("chapters/11_tensor_cores/main.cu"));
  CHECK_FALSE(epilogue.files.contains("chapters/11_tensor_cores/steps/14_ring.cuh"));

  const Handout one = make_handout(kRoot, {{"02_1"}, true, ""});
  CHECK(one.exercises.size() == 1);
  CHECK(std::ranges::count_if(one.files, [](const auto& file) {
          return file.first.parent_path() == "answers";
        }) == 1);
}

TEST_CASE(
    "a handout without hints leaves out judges that have answers, and what only they include") {
  const fs::path exercises = "chapters/11_tensor_cores/exercises";
  const fs::path sum = exercises / "7_a_sum_of_14_bits", promotion = exercises / "2_promotion";
  for (const bool hints : {true, false}) {
    CAPTURE(hints);
    const Handout handout = make_handout(kRoot, {{"9", "11"}, hints, ""});
    const auto text = [&](const fs::path& path) { return handout.files.at(path).text; };
    CHECK(handout.files.contains(exercises / "one_large.hpp"));
    CHECK(handout.files.contains(exercises / "short_sum.hpp") == hints);
    CHECK(handout.files.contains("chapters/09_sgemm/exercises/3_predict_a_step/measured.hpp") ==
          hints);
    CHECK(contains(text(sum / "judge.cpp"), "Registered") == hints);
    CHECK(contains(text(promotion / "judge.cpp"), "Registered"));
    CHECK(tools::parse_json(text(sum / "exercise.json")).at("judge") ==
          (hints ? "telling" : "left out"));
    CHECK_FALSE(tools::parse_json(text(promotion / "exercise.json")).contains("judge"));
    CHECK(contains(text(exercises / "5_a_panel_on_paper/exercise.json"), "clues") == hints);
    CHECK(contains(text(promotion / "exercise.json"), "clues"));
  }
}

TEST_CASE("the list of exercises has those that were handed out, and the hints that are there") {
  for (const bool hints : {true, false}) {
    const Handout handout = make_handout(kRoot, {{"2", "08_1"}, hints, ""});
    const auto listed = tools::parse_json(handout.files.at("docs/exercises.json").text);
    REQUIRE(listed["exercises"].size() == handout.exercises.size());
    for (std::size_t i = 0; i < handout.exercises.size(); ++i) {
      CHECK(listed["exercises"][i]["id"] == handout.exercises[i].id);
      CHECK(listed["exercises"][i]["hints"] == (hints ? handout.exercises[i].hints.size() : 0));
    }
  }
  const OnDisk handout({"02"});
  const auto listing = run_in(handout.path(), {"./course", "list", "--exercises"});
  CHECK(listing.status == 0);
  const Words lines = tools::lines_of(listing.out);
  CHECK(lines.size() == exercises_named(all_exercises(), {"02"}).size());
  for (const std::string& line : lines) CHECK(line.starts_with("02_"));
}

TEST_CASE("the class's page has each requirement with its points, and its links lead somewhere") {
  const std::string page = whole_handout().files.at("README.md").text;
  int points = 0;
  for (const Exercise& one : whole_handout().exercises) {
    CHECK(contains(page, "`answers/" + one.file_name() + "`"));
    CHECK(contains(page, "exercise " + std::to_string(one.number) + ": " + one.title));
    for (const Requirement& wanted : one.requirements)
      CHECK(contains(page, "| " + std::to_string(wanted.points) + " | "));
    points += one.points();
  }
  CHECK(contains(page, std::to_string(points) + " points in all"));
  CHECK_FALSE(contains(page, "@"));
  for (const auto& entry : whole_handout().files) {
    const auto& path = entry.first;
    const auto& file = entry.second;
    if (path.extension() != ".md") continue;
    CAPTURE(path);
    for (const std::string& link : links_in(path, file.text)) {
      CAPTURE(link);
      const auto next = whole_handout().files.lower_bound(link);
      CHECK(next != whole_handout().files.end());
      CHECK(next->first.string().starts_with(link));
    }
  }
}

TEST_CASE("links to what is not handed out become words") {
  ExtractedFiles files;
  files["docs/glossary.md"] = {"", false};
  const std::string text =
      "See [the glossary](../docs/glossary.md#lane), [chapter\n01](01/README.md), "
      "![a picture](x.svg), [the web](https://example.org/a) and [below](#there).\n"
      "```cpp\nauto f = [x](int) { return x; };\n```\n[gone](gone.md)\n";
  CHECK(without_dead_links("chapters/README.md", text, files) ==
        "See [the glossary](../docs/glossary.md#lane), chapter\n01, "
        "a picture, [the web](https://example.org/a) and [below](#there).\n"
        "```cpp\nauto f = [x](int) { return x; };\n```\ngone\n");
}

TEST_CASE("a handout is one commit, always the same, with nothing else in its git") {
  const OnDisk first({"02"}), second({"02"});
  CHECK(first.git({"rev-parse", "HEAD"}) == second.git({"rev-parse", "HEAD"}));
  CHECK(first.git({"rev-list", "--all", "--count"}) == "1\n");
  CHECK(first.git({"status", "--porcelain"}).empty());
  CHECK(first.git({"log", "--format=%an, %ad"}) == "Warp by Warp, Wed Jan 1 00:00:00 2025 +0000\n");
  CHECK(contains(first.git({"ls-files"}), "answers/02_1_row_from_a_line.cu"));
  // Every object is a file or folder of the commit, or the commit.
  const std::size_t objects = tools::lines_of(first.git({"rev-list", "--all", "--objects"})).size();
  const std::string counted = first.git({"count-objects"});
  CHECK(counted.starts_with(std::to_string(objects) + " "));
  CHECK_FALSE(fs::exists(first.path() / ".git/hooks"));
  CHECK(contains(first.result.out, ": 5 exercises, 50 points\n"));
  CHECK(contains(OnDisk({"02_1"}).result.out, ": 1 exercise, 10 points\n"));
  CHECK(contains(first.result.err,
                 "the solution of 02_1 can be seen in chapters/02_coalescing/kernels.cuh, with "
                 "other names; docs/teaching.md"));
  CHECK_FALSE(contains(OnDisk({"03"}).result.err, "can be seen in"));
  CHECK(contains(OnDisk({"00"}).result.err, "the solution of 00_2 can be seen in"));

  // A student's answer is not ignored.
  fs::resize_file(first.path() / "answers/02_1_row_from_a_line.cu", 0);
  CHECK(contains(first.git({"status", "--porcelain"}), " M answers/02_1_row_from_a_line.cu"));
}

TEST_CASE("what cannot be meant is one line and exit status 2") {
  const tools::TemporaryFolder folder;
  folder.write("full/a", "");
  folder.write("file", "");
  const auto fails = [&](const Words& arguments, const std::string& part) {
    Words command = {kCoursework, "handout"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto result = run_in(folder.path(), command);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(contains(result.err, part));
  };
  fails({"02", "--out", "full"}, "full is not empty");
  fails({"02", "--out", "file"}, "file is no folder");
  fails({"42", "--out", "new"}, "'42'");
  fails({"02_9", "--out", "new"}, "chapter 02 has no exercise 9; it has 1, 2, 3, 4 and 5");
  fails({"42_1", "--out", "new"}, "there is no chapter '42'");
  fails({"02"}, "--out");
  fails({"--out", "new"}, "CHAPTER");
  fails({"02", "--out", "new", "--hand-in", "none.md"}, "none.md");
  CHECK_FALSE(fs::exists(folder.path() / "new"));
}

TEST_CASE("a handout can be configured, and its answers are judged") {
  const OnDisk handout({"02"});
  const auto configured =
      run_in(handout.path(), {COURSE_CMAKE, "--preset", "emulator",
                              std::string("-DCMAKE_CXX_COMPILER=") + COURSE_CXX_COMPILER});
  CAPTURE(configured.err);
  CHECK(configured.status == 0);
  const auto tests = run_in(handout.path(), {"ctest", "--test-dir", "build/emulator", "-N"});
  CHECK(contains(tests.out, "02_coalescing"));
  CHECK(contains(tests.out, "starter_02_1"));
  CHECK(contains(tests.out, "starter_02_2"));

  const auto check = [&] {
    return run_in(handout.path(), {kCoursework, "check", "02", "--exercise", "1", "--answers",
                                   (handout.path() / "answers").string()});
  };
  CHECK(check().status == 1);
  const Exercise& exercise = *std::ranges::find(all_exercises(), "02_1", &Exercise::id);
  fs::resize_file(handout.path() / "answers" / exercise.file_name(), 0);
  write_files({{exercise.file_name(), {solution_of(exercise), false}}}, handout.path() / "answers");
  const auto right = check();
  CAPTURE(right.out);
  CAPTURE(right.err);
  CHECK(right.status == 0);
}

TEST_CASE("a handout builds itself, runs, checks and tests" *
          doctest::skip(!test_support::is_long_run())) {
  const OnDisk handout({"02", "08"});
  const auto course = [&](const Words& arguments) {
    Words command = {"./course"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run_in(handout.path(), command, std::chrono::minutes(30));
  };
  const auto run = course({"run", "02"});
  CAPTURE(run.err);
  CHECK(run.status == 0);
  CHECK(contains(run.out, "all verified"));
  CHECK(course({"run", "03"}).status == 2);
  CHECK(course({"check", "02"}).status == 1);
  for (const Exercise& one : all_exercises())
    if (one.chapter.starts_with("02") || one.chapter.starts_with("08"))
      write_files({{one.file_name(), {solution_of(one), false}}}, handout.path() / "answers");
  const auto right = course({"check", "02"});
  CAPTURE(right.out);
  CHECK(right.status == 0);
  CHECK(course({"check", "08"}).status == 0);
  const auto tests = course({"test"});
  CAPTURE(tests.out);
  CHECK(tests.status == 0);
  CHECK(course({"list"}).status == 0);
  CHECK(course({"profile", "02", "--kernel", "copy_permuted"}).status == 0);
  CHECK(course({"docs"}).status == 2);
  CHECK(course({"handout", "02", "--out", "x"}).status == 2);
  CHECK(handout.git({"status", "--porcelain", "--", ":!answers"}).empty());
}
