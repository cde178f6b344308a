/// Tests `coursework watch` in a terminal: keys, and files saved by an editor.

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/long_tests.hpp"
#include "tools/coursework/exercises/exercise.hpp"
#include "tools/coursework/watch/pseudo_terminal.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using coursework::Exercise;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = std::string(COURSE_PROGRAM_FOLDER) + "/coursework";
const std::map<std::string, std::string> kUsual = {
    {"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"NO_COLOR", ""}};

/// Returns exercise 02_1, which is small and quick to judge.
const Exercise& exercise() {
  static const Exercise read = coursework::read_exercise(
      tools::source_folder() / "chapters/02_coalescing/exercises/1_row_from_a_line");
  return read;
}

const std::string kSignature =
    "__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, "
    "float* C, int width, int height)";

/// A folder of answers and an editor.
class Desk {
 public:
  std::vector<std::string> command(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {kProgram, "watch", "02", "--answers", "answers"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::string folder() const { return folder_.path().string(); }
  fs::path answers() const { return folder_.path() / "answers"; }
  fs::path answer() const { return answers() / exercise().file_name(); }

  void save(const std::string& text) const {
    folder_.write("answers/" + exercise().file_name(), text);
  }
  /// Saves by replacing the file with a new one, as some editors do.
  void save_by_rename(const std::string& text) const {
    const fs::path beside = folder_.write("answers/.swap.cu~", text);
    fs::rename(beside, answer());
  }

 private:
  tools::TemporaryFolder folder_;
};

std::string solution() { return solution_of(exercise()); }
std::string starter() { return starter_of(exercise()); }

}  // namespace

TEST_CASE("keys: hints, the list, next and previous, help; and the terminal is given back") {
  const Desk desk;
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  REQUIRE_MESSAGE(terminal.shows("02.1  A warp along a row of C: not yet, 4 of 10 points"),
                  terminal.screen());
  CHECK(terminal.shows("0 of 5 right"));
  CHECK(terminal.shows("Made "));
  CHECK_FALSE(terminal.is_given_back());

  terminal.type("h");
  CHECK(terminal.shows("hint 1 of 3: "));
  terminal.type("hhh");
  CHECK(terminal.shows("hint 3 of 3: "));
  CHECK(terminal.shows("That was the last hint."));

  terminal.type("l");
  CHECK(terminal.shows("(current)"));
  terminal.type("\033[B\r");
  CHECK(terminal.shows("02_2_"));
  CHECK(terminal.shows("02.2  "));
  terminal.type("nnnn");
  CHECK(terminal.shows("This is the last exercise; 5 are not right yet"));
  terminal.type("ppppp");
  CHECK(terminal.shows("This is the first exercise."));
  terminal.type("?");
  CHECK(terminal.shows("check again"));
  terminal.type("x");
  CHECK(terminal.shows_no_more("check again"));

  terminal.type("q");
  CHECK(terminal.end() == 0);
  CHECK(terminal.is_given_back());
  CHECK(terminal.shows("Right: 0 of 5 exercises."));
  CHECK(terminal.unknown().empty());
}

TEST_CASE("each save is checked, however the editor writes; what is right stays so") {
  const Desk desk;
  {
    PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
    REQUIRE(terminal.shows("not yet, 4 of 10"));
    desk.save(solution());
    CHECK(terminal.shows("right, 10 of 10"));
    CHECK(terminal.shows("1 of 5 right"));
    CHECK(terminal.shows("Well done. n goes on."));

    desk.save_by_rename("int x\n");
    CHECK(terminal.shows("does not compile"));
    CHECK(terminal.shows("02_1_row_from_a_line.cu:1:"));
    CHECK(terminal.shows("0 of 5 right"));

    fs::remove(desk.answer());
    CHECK(terminal.shows("there is no such file"));
    desk.save(starter());
    CHECK(terminal.shows("not yet, 4 of 10"));
    desk.save("");
    CHECK(terminal.shows("is empty"));
    desk.save(std::string("\0\1", 2));
    CHECK(terminal.shows("is binary"));

    for (int i = 0; i < 20; ++i) desk.save(i % 2 == 0 ? starter() : "// " + std::to_string(i));
    desk.save_by_rename(solution());
    CHECK(terminal.shows("right, 10 of 10"));

    fs::rename(desk.answers(), desk.answers().string() + ".away");
    CHECK(terminal.shows("there is no such file"));
    fs::rename(desk.answers().string() + ".away", desk.answers());
    CHECK(terminal.shows("right, 10 of 10"));
    terminal.type("q");
    CHECK(terminal.end() == 0);
  }
  PseudoTerminal again(desk.command(), desk.folder(), 80, 24, kUsual);
  CHECK(again.shows("1 of 5 right"));
  CHECK(again.shows("02.2  "));  // the first open exercise
}

TEST_CASE("an answer that was written while nobody watched counts once it is found right") {
  const Desk desk;
  desk.save(solution() + "\n// mine\n");
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  CHECK(terminal.shows("1 of 5 right"));
}

TEST_CASE("saving another exercise's answer goes there") {
  const Desk desk;
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  REQUIRE(terminal.shows("not yet, 4 of 10"));
  terminal.type("n");
  REQUIRE(terminal.shows("02.2  "));
  desk.save(starter() + "\n");
  CHECK(terminal.shows("02.1  A warp along a row of C: not yet, 4 of 10"));
}

TEST_CASE("beginning again asks first, and keeps the file") {
  const Desk desk;
  desk.save("// mine\n");
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  REQUIRE(terminal.shows("This kernel is missing"));
  terminal.type("r");
  CHECK(terminal.shows("Begin 02.1 again?"));
  terminal.type("n");
  CHECK(terminal.shows_no_more("again?"));
  CHECK(tools::read_file(desk.answer()) == "// mine\n");
  terminal.type("ry");
  CHECK(terminal.shows("Begun again; your file is now "));
  CHECK(tools::read_file(desk.answer()) == starter());
  CHECK(tools::read_file(desk.answer().string() + ".bak") == "// mine\n");
  CHECK(terminal.shows("not yet, 4 of 10"));
}

TEST_CASE("a check that goes on when a new save comes is not waited for") {
  const Desk desk;
  desk.save(kSignature + " {\n  while (A[0] != 1e30f) C[0] += 1;\n}\n");
  PseudoTerminal terminal(desk.command({"--time-limit", "600"}), desk.folder(), 80, 24, kUsual);
  REQUIRE(terminal.shows("checking ..."));
  desk.save(kSignature + " {\n  while (B[0] != 1e30f) C[0] += 1;\n}\n");
  desk.save(solution());
  CHECK(terminal.shows("right, 10 of 10"));
}

TEST_CASE("what a student's program does, it does to itself") {
  const Desk desk;
  desk.save(kSignature + " { *(volatile int*)0 = 1; }\n");
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  CHECK(terminal.shows("null pointer"));
  desk.save("#include <cstdlib>\nstruct S { S() { std::abort(); } } s;\n" + kSignature + " {}\n");
  CHECK(terminal.shows("the program ended before the kernels had"));
  desk.save("#include <cstdio>\n" + kSignature + " { printf(\"\\033[2J\\033cboo\\n\"); }\n");
  CHECK(terminal.shows("C is wrong"));
  CHECK(terminal.unknown().empty());
}

TEST_CASE("whatever ends it, the terminal is given back") {
  const Desk desk;
  for (const int signal : {SIGTERM, SIGHUP, SIGINT, SIGABRT, SIGSEGV}) {
    CAPTURE(signal);
    PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
    REQUIRE(terminal.shows("0 of 5 right"));
    if (signal == SIGINT) {
      terminal.type("\003");
    } else {
      terminal.send(signal);
    }
    CHECK(terminal.end() == 128 + signal);
    CHECK(terminal.is_given_back());
  }
}

TEST_CASE("Ctrl-Z gives the terminal back for a while") {
  const Desk desk;
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
  REQUIRE(terminal.shows("not yet, 4 of 10"));
  terminal.type("\032");
  REQUIRE(terminal.sleeps());
  CHECK(terminal.shows_no_more("not yet"));
  CHECK(terminal.is_given_back());
  terminal.send(SIGCONT);
  CHECK(terminal.shows("not yet, 4 of 10"));
}

TEST_CASE("small terminals, and ones that change their size") {
  const Desk desk;
  PseudoTerminal terminal(desk.command(), desk.folder(), 40, 12, kUsual);
  CHECK(terminal.shows("more below --"));
  terminal.type("\033[F");
  CHECK(terminal.shows_no_more("more below --"));
  terminal.resize(100, 30);
  CHECK(terminal.shows("h hint  n next  p previous  l list  r reset  c check  q quit  ? help"));
  CHECK(terminal.shows("not yet, 4 of 10"));
  for (const auto& [columns, rows] : {std::pair{20, 4}, {1, 1}, {7, 2}, {300, 100}}) {
    terminal.resize(columns, rows);
    terminal.type("?l");
  }
  terminal.resize(80, 24);
  CHECK(terminal.shows("of 5 right"));
}

TEST_CASE("without colours, without UTF-8") {
  const Desk desk;
  auto environment = kUsual;
  environment["NO_COLOR"] = "1";
  environment["LC_ALL"] = "C";
  desk.save("int x = \u4e2d\n");
  PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, environment);
  CHECK(terminal.shows("does not compile"));
  desk.save(starter());
  CHECK(terminal.shows("  - 0/3"));
  CHECK(terminal.bytes().find("m") != std::string::npos);
  CHECK(terminal.bytes().find("\033[3") == std::string::npos);
  CHECK(std::ranges::all_of(terminal.bytes(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("without a terminal, verdicts one after the other and nothing else") {
  const Desk desk;
  std::string line = "exec";
  for (const std::string& word : desk.command()) line += " '" + word + "'";
  PseudoTerminal terminal({"sh", "-c", line + " </dev/null"}, desk.folder(), 80, 60, kUsual);
  CHECK(terminal.shows("not yet, 4 of 10"));
  CHECK(terminal.shows("0 of 5 exercises right"));
  desk.save(solution());
  CHECK(terminal.shows("right, 10 of 10"));
  CHECK(terminal.shows("1 of 5 exercises right"));
  CHECK(terminal.bytes().find("\033[?") == std::string::npos);
  terminal.send(SIGTERM);
  CHECK(terminal.end() == 128 + SIGTERM);
}

/// Returns the CPU seconds of this process's ended children and their children.
double cpu_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + 1e-6 * time.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST_CASE("from a save to the verdict: two seconds at most, the median of 20") {
  if (!test_support::is_long_run()) return;
  const Desk desk;
  std::vector<double> seconds;
  const double before = cpu_seconds_of_children();
  {
    PseudoTerminal terminal(desk.command(), desk.folder(), 80, 24, kUsual);
    REQUIRE(terminal.shows("not yet, 4 of 10"));
    for (int i = 0; i < 20; ++i) {
      const bool right = i % 2 == 0;
      const auto begin = std::chrono::steady_clock::now();
      desk.save((right ? solution() : starter()) + "// " + std::to_string(i) + "\n");
      REQUIRE(terminal.shows(right ? "right, 10 of 10" : "not yet, 4 of 10"));
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      seconds.push_back(passed.count());
    }
    terminal.type("q");
    CHECK(terminal.end() == 0);
  }
  std::ranges::sort(seconds);
  const double median = (seconds[9] + seconds[10]) / 2;
  MESSAGE("edit to verdict: median ", median, " s, from ", seconds.front(), " to ", seconds.back(),
          " s; CPU per check ", (cpu_seconds_of_children() - before) / 21, " s");
  CHECK(median <= 2.0);
}
