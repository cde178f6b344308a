/// Grades a class with the program itself: once in a single run, and once in two shards by the
/// Slurm script, with everything killed in between. Both results must be equal to the byte.

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include <nlohmann/json.hpp>

#include "class_for_test.hpp"
#include "support/json_schema.hpp"
#include "tools/coursework/grade/files.hpp"
#include "tools/coursework/grade/journal.hpp"
#include "tools/support/json.hpp"

namespace fs = std::filesystem;
using coursework::Entries;
using grade_test::run_coursework;
using nlohmann::json;

namespace {

const std::string kFile = "02_1_row_from_a_line.cu";
constexpr const char* kSeed = "5";

/// A student's outcome and points.
using Expected = std::map<std::string, std::pair<std::string, int>>;

Expected make_class(const tools::TemporaryFolder& folder) {
  const auto add = [&](const std::string& student, const std::string& text) {
    folder.write("class/" + student + "/" + kFile, text);
  };
  add("anna", grade_test::solution());
  add("bert", grade_test::starter());
  add("=carl", grade_test::wrong());
  add("dora\n\xff", grade_test::broken());
  add("emil", grade_test::with(grade_test::solution(), "if (row >= m",
                               "for (int i = 0; i >= 0; ++i) C[0] += i;\n  if (row >= m"));
  add("fritz", "#include \"/etc/passwd\"\n" + grade_test::solution());
  add("gabi", "");
  fs::create_directory(folder.path() / "class/hans");
  return {{"anna", {"points", 10}},    {"bert", {"points", 4}},
          {"=carl", {"points", 0}},    {"dora%0A%FF", {"does not compile", 0}},
          {"emil", {"time limit", 0}}, {"fritz", {"does not compile", 0}},
          {"gabi", {"refused", 0}},    {"hans", {"not handed in", 0}}};
}

std::vector<std::string> options(const fs::path& folder, const std::string& out) {
  return {"02",
          "--exercise",
          "1",
          "--submissions",
          (folder / "class").string(),
          "--out",
          (folder / out).string(),
          "--jobs",
          "2",
          "--seed",
          kSeed,
          "--time-limit",
          "1"};
}

/// Returns the result files that must not differ between runs, by name.
std::map<std::string, std::string> results_in(const fs::path& out) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(out)) {
    const std::string name = fs::relative(entry.path(), out).string();
    if (entry.is_regular_file() && name != "run.log" && name != "lock" &&
        !name.starts_with("parts/") && !name.starts_with("log/"))
      files[name] = tools::read_file(entry.path());
  }
  return files;
}

std::size_t graded_in(const fs::path& out) {
  return fs::exists(out / "journal") ? coursework::read_journal(out / "journal").size() : 0;
}

/// Runs a command until something is graded, then kills it without a warning.
void kill_half_way(const std::vector<std::string>& command, const fs::path& out,
                   const std::map<std::string, std::string>& environment) {
  const std::size_t before = graded_in(out);
  const pid_t process = fork();
  if (process == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (const std::string& one : command) words.push_back(const_cast<char*>(one.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  while (graded_in(out) == before && waitpid(process, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // The process is the script's shell; its children must be killed just as suddenly.
  const std::string children =
      "/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children";
  std::ifstream list(children);
  for (pid_t child = 0; list >> child;) kill(child, SIGKILL);
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}

int lines_with(const std::string& text, const std::string& part) {
  int number = 0;
  for (const std::string& line : tools::lines_of(text))
    number += line.find(part) != std::string::npos ? 1 : 0;
  return number;
}

}  // namespace

TEST_CASE("a class is graded to the same bytes in one go, or in parts that are killed on the way") {
  const tools::TemporaryFolder folder("a class's marks");
  const Expected expected = make_class(folder);

  const auto straight = run_coursework(options(folder.path(), "straight"));
  CAPTURE(straight.err);
  const std::string log = tools::read_file(folder.path() / "straight/run.log");
  CAPTURE(log);
  REQUIRE(straight.status == 0);
  const json schema =
      tools::parse_json(tools::read_file(tools::source_folder() / "docs/grade.schema.json"));
  std::size_t students = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "straight/students")) {
    const json result = tools::parse_json(tools::read_file(entry.path() / "result.json"));
    CHECK(test_support::schema_faults(schema, result).empty());
    const std::string student = result.at("student");
    CAPTURE(student);
    CHECK(result.at("exercises")[0].at("outcome") == expected.at(student).first);
    CHECK(result.at("points") == expected.at(student).second);
    CHECK(fs::exists(entry.path() / "feedback.txt"));
    CHECK(fs::exists(entry.path() / "feedback.html"));
    ++students;
  }
  CHECK(students == expected.size());
  const auto wanted = results_in(folder.path() / "straight");
  for (const auto& [name, text] : wanted) {
    CAPTURE(name);
    CHECK(text.find(folder.path().string()) == std::string::npos);
    CHECK(text.find("course-grade-") == std::string::npos);
  }

  // The costs are known, so the script needs no trial run.
  folder.write("parts/run.log", "x graded x: compile 1.000 s, judge 0.500 s, peak 100.0 MiB\n");
  auto slurm = options(folder.path(), "parts");
  const std::string script = (folder.path() / "class.sh").string();
  slurm.insert(slurm.end(), {"--slurm", script, "--shards", "2"});
  REQUIRE(run_coursework(slurm).status == 0);
  for (const std::string part : {"1", "2"}) {
    const fs::path out = folder.path() / "parts/parts" / part;
    tools::CommandOptions task;
    task.environment = {{"SLURM_ARRAY_TASK_ID", part}};
    task.time_limit = std::chrono::seconds(500);
    kill_half_way({"bash", script, "task"}, out, task.environment);
    std::ofstream(out / "journal", std::ios::app) << "0123456789abcdef {\"student\": \"an";
    const auto resumed = tools::run_command({"bash", script, "task"}, task);
    CAPTURE(resumed.err);
    REQUIRE(resumed.status == 0);
    CHECK(resumed.err.find("are graded already") != std::string::npos);
    const std::string of_part = tools::read_file(out / "run.log");
    for (const auto& [student, what] : expected)
      CHECK(lines_with(of_part, " graded " + student + " ") <= 1);
  }
  const auto merged = tools::run_command({"bash", script, "merge"});
  CAPTURE(merged.err);
  REQUIRE(merged.status == 0);
  CHECK(results_in(folder.path() / "parts") == wanted);

  {
    INFO("a second run into the same folder is refused");
    const coursework::Lock lock(folder.path() / "straight/lock");
    const auto second = run_coursework(options(folder.path(), "straight"));
    CHECK(second.status == 2);
    CHECK(second.err.find("another run is grading into") != std::string::npos);
    CHECK(results_in(folder.path() / "straight") == wanted);
  }
  {
    INFO("parts that do not belong together are refused");
    const fs::path parts = folder.path() / "parts/parts";
    const auto merge = [&](const std::vector<std::string>& more) {
      std::vector<std::string> words = {"merge", "--out", (folder.path() / "other").string()};
      for (const std::string& one : more) words.push_back((parts / one).string());
      return run_coursework(words);
    };
    const auto missing = merge({"1"});
    CHECK(missing.status == 2);
    CHECK(missing.err.find("the part 2/2 is missing") != std::string::npos);
    CHECK(merge({"1", "2", "2"}).status == 0);  // the same shard twice
    fs::copy(parts / "2", parts / "2b", fs::copy_options::recursive);
    Entries entries = coursework::read_journal(parts / "2b/journal");
    entries.begin()->second.verdict.message += "!";
    coursework::Journal(parts / "2b/journal").tidy(entries);
    const auto differing = merge({"1", "2", "2b"});
    CHECK(differing.status == 2);
    CHECK(differing.err.find("are the same part, and differ") != std::string::npos);
    fs::remove(parts / "2b/summary.json");
    CHECK(merge({"1", "2b"}).err.find("is not finished") != std::string::npos);
    json plan = tools::parse_json(tools::read_file(parts / "2/plan.json"));
    plan["seed_digest"] = std::string(64, '0');
    std::ofstream(parts / "2/plan.json") << plan;
    CHECK(merge({"1", "2"}).err.find("another seed") != std::string::npos);
  }
  {
    INFO("the same command has nothing to do; a changed file is graded anew, and said");
    const auto again = run_coursework(options(folder.path(), "straight"));
    CHECK(again.err.find("0 submissions to grade; 6 are graded already") != std::string::npos);
    CHECK(results_in(folder.path() / "straight") == wanted);
    folder.write("class/anna/" + kFile, grade_test::broken());
    const auto changed = run_coursework(options(folder.path(), "straight"));
    CAPTURE(changed.err);
    CHECK(changed.err.find("1 submission to grade, 1 of them anew, as something has changed: "
                           "submissions; 5 are graded already") != std::string::npos);
    CHECK(tools::parse_json(tools::read_file(folder.path() / "straight/students/anna/result.json"))
              .at("points") == 0);
  }
}

TEST_CASE("what the grader fails at is nobody's fault, and is done by the next run") {
  const tools::TemporaryFolder folder;
  folder.write("class/anna/" + kFile, grade_test::solution());
  folder.write("class/bert/" + kFile, "");
  // In KiB: above all files before the runner, below the runner's size.
  const std::string limit = "ulimit -f 1600";
  std::vector<std::string> limited = {"bash",
                                      "-c",
                                      limit + " && exec \"$@\"",
                                      "bash",
                                      std::string(COURSE_PROGRAM_FOLDER) + "/coursework",
                                      "grade"};
  const auto words = options(folder.path(), "out");
  limited.insert(limited.end(), words.begin(), words.end());
  const auto outcome_of = [&](const std::string& student) {
    const auto file = folder.path() / "out/students" / student / "result.json";
    return tools::parse_json(tools::read_file(file))
        .at("exercises")[0]
        .at("outcome")
        .get<std::string>();
  };
  const auto failed = tools::run_command(limited);
  CAPTURE(failed.err);
  CHECK(failed.status == 2);
  CHECK(failed.err.find("1 submission could not be graded") != std::string::npos);
  CHECK(outcome_of("anna") == "grader fault");
  CHECK(outcome_of("bert") == "refused");
  CHECK(tools::read_file(folder.path() / "out/run.log").find("grader fault anna") !=
        std::string::npos);
  const auto again = run_coursework(words);
  CAPTURE(again.err);
  CHECK(again.status == 0);
  CHECK(outcome_of("anna") == "points");
}

TEST_CASE("a solution with arrays in shared memory has all points in a runner that is sealed") {
  const tools::TemporaryFolder folder;
  const coursework::Exercise exercise = coursework::read_exercise(
      tools::source_folder() / "chapters/08_warp_primitives/exercises/1_compact_a_block");
  folder.write("class/anna/" + exercise.file_name(), coursework::solution_of(exercise));
  const auto graded =
      run_coursework({"08", "--exercise", "1", "--submissions", (folder.path() / "class").string(),
                      "--out", (folder.path() / "out").string(), "--seed", kSeed});
  CAPTURE(graded.err);
  CHECK(graded.status == 0);
  const json result =
      tools::parse_json(tools::read_file(folder.path() / "out/students/anna/result.json"));
  CHECK(result.at("points") == exercise.points());
}

TEST_CASE("a solution in inline PTX has all points") {
  const tools::TemporaryFolder folder;
  for (const char* const name : {"3_fragments", "4_descriptor"}) {
    const coursework::Exercise exercise = coursework::read_exercise(
        tools::source_folder() / "chapters/11_tensor_cores/exercises" / name);
    folder.write("class/anna/" + exercise.file_name(), coursework::solution_of(exercise));
  }
  const auto graded = run_coursework({"11", "--exercise", "3", "--exercise", "4", "--submissions",
                                      (folder.path() / "class").string(), "--out",
                                      (folder.path() / "out").string(), "--seed", kSeed});
  CAPTURE(graded.err);
  CHECK(graded.status == 0);
  const json result =
      tools::parse_json(tools::read_file(folder.path() / "out/students/anna/result.json"));
  CHECK(result.at("points") == 20);
}

TEST_CASE("bad usage is one line, and status 2") {
  const tools::TemporaryFolder folder;
  folder.write("class/anna/" + kFile, "");
  const std::string in = (folder.path() / "class").string(), out = (folder.path() / "out").string();
  const std::vector<std::vector<std::string>> all = {
      {"02", "--out", out},
      {"02", "--submissions", in},
      {"02", "--submissions", in + "/none", "--out", out},
      {"02", "--submissions", in, "--out", in + "/out"},
      {"02", "--submissions", in, "--out", folder.path().string()},
      {"99", "--submissions", in, "--out", out},
      {"02", "--exercise", "9", "--submissions", in, "--out", out},
      {"02", "--submissions", in, "--out", out, "--shard", "3/2"},
      {"02", "--submissions", in, "--out", out, "--shard", "3"},
      {"02", "--submissions", in, "--out", out, "--seed", "-1"},
      {"02", "--submissions", in, "--out", out, "--seed", "18446744073709551616"},
      {"02", "--submissions", in, "--out", out, "--jobs", "0"},
      {"02", "--submissions", in, "--out", out, "--time-limit", "0"},
      {"02", "--dry-run"},
      {"merge", "--out", out},
      {"merge", in, "--out", out},
      {"02", "03", "--submissions", in, "--out", out},
      {"02", "--submissions", folder.path().string() + "/empty", "--out", out},
      {"02", "--submissions", folder.path().string() + "/empty", "--out", out, "--slurm", "x"}};
  fs::create_directory(folder.path() / "empty");
  for (const auto& one : all) {
    std::string words;
    for (const std::string& word : one) words += word + " ";
    CAPTURE(words);
    const auto result = run_coursework(one);
    CAPTURE(result.err);
    CHECK(result.status == 2);
    CHECK(tools::lines_of(result.err).size() == 1);
    CHECK(result.out.empty());
    CHECK_FALSE(fs::exists(out));
    CHECK_FALSE(fs::exists(in + "/out"));
  }
}

TEST_CASE("another chapter into the same folder is refused, and nothing is lost") {
  const tools::TemporaryFolder folder;
  folder.write("class/anna/" + kFile, "");
  folder.write("class/.bert/" + kFile, "");
  const auto first = run_coursework(options(folder.path(), "out"));
  CAPTURE(first.err);
  CHECK(first.status == 0);
  CHECK(first.err.find("These folders begin with a dot, and were not looked at: .bert.") !=
        std::string::npos);
  const auto marks = results_in(folder.path() / "out");
  for (const std::vector<std::string>& other :
       {std::vector<std::string>{"08"}, {"02", "--exercise", "2"}}) {
    std::vector<std::string> words = other;
    words.insert(words.end(), {"--submissions", (folder.path() / "class").string(), "--out",
                               (folder.path() / "out").string()});
    const auto second = run_coursework(words);
    CAPTURE(second.err);
    CHECK(second.status == 2);
    CHECK(second.err.find("which would be lost; choose another --out") != std::string::npos);
    CHECK(results_in(folder.path() / "out") == marks);
  }
}
