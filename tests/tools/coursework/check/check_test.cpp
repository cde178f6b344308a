/// Tests `coursework check` as students use it: answers in a folder, output and exit status.

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tools/coursework/answers/answers.hpp"
#include "tools/coursework/answers/progress.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using namespace coursework;
using tools::CommandResult;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = std::string(COURSE_PROGRAM_FOLDER) + "/coursework";

/// Returns exercise 02_1, which is small and quick to judge.
const Exercise& row_from_a_line() {
  static const Exercise exercise =
      read_exercise(tools::source_folder() / "chapters/02_coalescing/exercises/1_row_from_a_line");
  return exercise;
}

const std::string kSignature =
    "__global__ void sgemm_from_a_line(int m, int n, int k, const float* A, const float* B, "
    "float* C, int width, int height)";

/// A folder of answers, in which the command runs.
class Student {
 public:
  CommandResult course(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), kProgram);
    arguments.insert(arguments.end(), {"--answers", (folder_.path() / "answers").string()});
    tools::CommandOptions options;
    options.directory = folder_.path();
    return tools::run_command(arguments, options);
  }

  /// Checks this text as an answer to 02_1.
  CommandResult check(const std::string& text, std::vector<std::string> more = {}) const {
    const fs::path file = folder_.write("mine.cu", text);
    more.insert(more.begin(), {"check", "02", "--exercise", "1", "--file", file.string()});
    return course(more);
  }

  fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

 private:
  tools::TemporaryFolder folder_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_one_line_failure(const CommandResult& result, const std::string& part) {
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == 2);
  CHECK(tools::lines_of(result.err).size() == 1);
  CHECK(result.err.starts_with("course: "));
  CHECK(contains(result.err, part));
}

}  // namespace

TEST_CASE("a kernel without __global__ is named, and not launched") {
  const Student student;
  const std::string body = kSignature.substr(kSignature.find("void")) + " {\n  C[0] = A[0];\n}\n";
  for (const char* const before : {"", "__device__ ", "static inline "}) {
    const CommandResult result = student.check("// mine\n" + (before + body));
    CAPTURE(result.out);
    CHECK(result.status == 1);
    CHECK(contains(result.out, "does not compile, 0 of 10"));
    CHECK(contains(result.out,
                   "mine.cu:2: error: `sgemm_from_a_line` has to be a __global__ function"));
  }
  // An older version that is not compiled, and one that a macro makes a kernel.
  CHECK(contains(student.check("#if 0\n" + body + "#endif\n__global__ " + body).out, "not yet"));
  CHECK(contains(student.check("#define KERNEL __global__\nKERNEL " + body).out, "not yet"));
}

TEST_CASE("what ends a kernel is named with its line; a warning costs nothing") {
  const Student student;
  const auto says = [&](const std::string& statement) {
    return student
        .check("#include <cassert>\n#include <cstdio>\n" + kSignature + " {\n" + statement +
               "\n}\n")
        .out;
  };
  CHECK(contains(says("assert(m < 0);"), "cudaErrorAssert: mine.cu:4: "));
  CHECK(contains(says("__trap();"), "__trap() at mine.cu:4."));
  // Either the compiler's plugin or the runner reports this.
  const std::string too_much =
      says("__shared__ float tile[20000];\n  tile[threadIdx.x] = A[0];\n  C[0] = tile[0];");
  CHECK(contains(too_much, "has 80000 bytes of"));
  CHECK((contains(too_much, "memory, and there may be 49152: more is dynamic shared memory") ||
         contains(too_much, "__shared__ variables, and 49152 is the most.")));
  const CommandResult left = student.check(
      "#include <cstdlib>\nstruct S {\n  S() { std::abort(); }\n} s;\n" + kSignature + " {}\n");
  CHECK(contains(left.out, "crashed, 0 of 10"));
  CHECK(contains(left.out, "the program ended before the kernels had: Aborted"));
  const std::string size = says("printf(\"%d\", sizeof(m));");
  CHECK(contains(size, "C is wrong"));
  CHECK(contains(size, "warning: format"));
}

TEST_CASE("what is not there yet is made, and its task is all that is said") {
  const Student student;
  const CommandResult first = student.course({"check", "02_1"});
  CHECK(first.status == 1);
  CHECK(first.err == "course: made answers/02_1_row_from_a_line.cu for you to fill in\n");
  CHECK(first.out.starts_with(
      "02.1  A warp along a row of C, for 10 points\n"
      "    4  result: C = A B for every m, n and k, in tiles of every shape.\n"));
  CHECK(
      first.out.ends_with("  answers/02_1_row_from_a_line.cu says what to write. The same command "
                          "then says how far you are.\n\n"));
  for (const char* const part : {"found", "not yet", "wanted: ", "hint"})
    CHECK_FALSE(contains(first.out, part));
  CHECK(tools::read_file(student.path("answers/02_1_row_from_a_line.cu")) ==
        starter_of(row_from_a_line()));
  CHECK(contains(student.course({"check", "02_1"}).out, "not yet, 4 of 10 points"));
  CHECK(contains(student.course({"check", "02_2", "--hint"}).out, "hint 1 of "));
}

TEST_CASE("an answer with a number from before is told its name of today, under either number") {
  const Student student;
  student.write("answers/01_2_row_from_a_line.cu", solution_of(row_from_a_line()));
  const std::string line =
      "course: answers/01_2_row_from_a_line.cu: this exercise is 02.1 now; rename the file to "
      "answers/02_1_row_from_a_line.cu\n";
  const CommandResult now = student.course({"check", "02_1"});
  CHECK(now.status == 2);
  CHECK(now.err == line);
  CHECK(now.out.empty());
  const CommandResult before = student.course({"check", "01_2"});
  CHECK(before.status == 1);
  CHECK(before.err.starts_with(line));
  CHECK_FALSE(contains(student.course({"check", "01_1"}).err, "rename"));

  fs::rename(student.path("answers/01_2_row_from_a_line.cu"),
             student.path("answers/02_1_row_from_a_line.cu"));
  CHECK(student.course({"check", "02_1"}).status == 0);
}

TEST_CASE("a chapter: each answer is judged, the last line is the sum") {
  const Student student;
  const CommandResult first = student.course({"check", "02"});
  CHECK(first.status == 1);
  CHECK(contains(first.out, "\n02.2  "));
  CHECK_FALSE(contains(first.out, "exercises right"));

  student.write("answers/02_1_row_from_a_line.cu", solution_of(row_from_a_line()));
  const CommandResult second = student.course({"check", "2"});
  CHECK(second.status == 1);
  CHECK(second.err.empty());
  CHECK(contains(second.out, "02.1  A warp along a row of C: right, 10 of 10 points\n"));
  CHECK(contains(tools::lines_of(second.out).back(), " of 50 points; "));
  CHECK(contains(tools::lines_of(second.out).back(), "1 of 5 exercises right"));

  CHECK(Progress(progress_file(student.path("answers")))
            .state_of(row_from_a_line(), solution_of(row_from_a_line())) == Progress::State::right);
}

TEST_CASE("one exercise alone is right or not, whatever the others are") {
  const Student student;
  const CommandResult right = student.check(solution_of(row_from_a_line()));
  CHECK(right.status == 0);
  CHECK(
      right.out ==
      "02.1  A warp along a row of C: right, 10 of 10 points\n"
      "  + 4/4  result: C = A B for every m, n and k, in tiles of every shape.\n"
      "         right in 10 trials\n"
      "  + 3/3  loads: A warp loads at most 5 sectors per round of the loop: one of A for each row "
      "that "
      "it has, and those of B.\n"
      "         5 sectors per warp and round, with m = 32, n = 8, k = 1500, width = 8, "
      "height = 32; wanted: at most 5\n"
      "  + 1/1  stores: A warp stores its 32 elements of C into 4 sectors.\n"
      "         4 sectors stored per warp, with m = 32, n = 8, k = 1500, width = 8, height = 32; "
      "wanted: 4\n"
      "  + 2/2  all warps: All warps share the work: each makes two requests per round, and at "
      "most "
      "k / 2 + 80 others.\n"
      "         3001 requests of the busiest warp, with m = 32, n = 8, k = 1500, width = 8, "
      "height = 32; wanted: at most 3830\n"
      "\n");
  CHECK_FALSE(fs::exists(student.path("answers")));  // the command was about another file
}

TEST_CASE("what is there now is what counts, however old the file says it is") {
  const Student student;
  const fs::path answer =
      student.write("answers/02_1_row_from_a_line.cu", solution_of(row_from_a_line()));
  CHECK(student.course({"check", "02_1"}).status == 0);
  student.write("answers/02_1_row_from_a_line.cu", starter_of(row_from_a_line()));
  fs::last_write_time(answer, fs::file_time_type::clock::now() - std::chrono::hours(24 * 365));
  CHECK(student.course({"check", "02_1"}).status == 1);
}

TEST_CASE("hints up to a level, for what is not right yet") {
  const Student student;
  const std::string starter = starter_of(row_from_a_line());
  CHECK_FALSE(contains(student.check(starter).out, "hint"));
  const std::string one = student.check(starter, {"--hint"}).out;
  CHECK(contains(one, "hint 1 of 3: "));
  CHECK_FALSE(contains(one, "hint 2 of 3: "));
  CHECK(contains(student.check(starter, {"--hint", "9"}).out, "hint 3 of 3: "));
  CHECK_FALSE(contains(student.check(solution_of(row_from_a_line()), {"--hint"}).out, "hint"));
  check_one_line_failure(student.check(starter, {"--hint", "0"}), "--hint");
  check_one_line_failure(student.check(starter, {"--hint", "much"}), "--hint");
}

TEST_CASE("warnings are shown and cost nothing") {
  const Student student;
  std::string text = solution_of(row_from_a_line());
  text.insert(text.find("  float sum"), "  int unused = 3;\n");
  const CommandResult result = student.check(text);
  CHECK(result.status == 0);
  CHECK(contains(result.out, "mine.cu:"));
  CHECK(contains(result.out, "warning: unused variable"));
}

TEST_CASE("what does not compile is told by the student's own lines") {
  const Student student;
  const auto output_for = [&](const std::string& text) {
    const CommandResult result = student.check(text);
    CAPTURE(text);
    CHECK(result.status == 1);
    CHECK(contains(result.out, "does not compile, 0 of 10 points"));
    CHECK_FALSE(contains(result.out, "/tmp/"));
    CHECK_FALSE(contains(result.out, "/usr/"));
    CHECK_FALSE(contains(result.out, std::string(COURSE_SOURCE_DIR)));
    return result.out;
  };
  CHECK(contains(output_for(kSignature + " {\n  int x = 3\n  C[x] = 1;\n}\n"),
                 "mine.cu:3:3: error: "));
  CHECK(contains(output_for(kSignature + " {\n  if (m > 3) {\n}\n"), "mine.cu:3:"));
  CHECK(
      contains(output_for("#include <algorithm>\n#include <vector>\nstruct P { int x; };\n"
                          "void sort(std::vector<P>& v) {\n  std::sort(v.begin(), v.end());\n}\n" +
                          kSignature + " {}\n"),
               "mine.cu:5:12: error: no match for"));
  CHECK(contains(
      output_for(kSignature + " {\n  asm volatile(\"tcgen05.fence::before_thread_sync;\");\n}\n"),
      "mine.cu:2: error: the emulator does not support"));
  CHECK(contains(output_for("__global__ void other(int m) {}\n"),
                 "This kernel is missing:\n  __global__ void sgemm_from_a_line(int m, "));
  CHECK(contains(output_for("__global__ void sgemm_from_a_line(int m, float* C) {}\n"),
                 "This kernel is wanted with just these parameters:\n  __global__ void sgemm"));
  CHECK(contains(
      output_for("__device__ float help(float);\n" + kSignature + " {\n  C[0] = help(0);\n}\n"),
      "is not defined in this file"));
  CHECK(contains(
      output_for("float help(float);\nfloat use() { return help(0); }\n" + kSignature + " {}\n"),
      "There is no definition of help(float)."));
  CHECK(contains(output_for(kSignature + " {}\nint main() {}\n"), "An answer has no main()"));
}

TEST_CASE("an endless kernel ends at its limit, with the line where it was") {
  const Student student;
  const auto output_for = [&](const std::string& body, const std::string& before = "") {
    const CommandResult result =
        student.check(before + kSignature + " {\n" + body + "}\n", {"--time-limit", "0.3"});
    CAPTURE(body);
    CHECK(result.status == 1);
    CHECK(contains(result.out, "time limit, 0 of 10 points"));
    CHECK(contains(result.out, "after 0.3 s"));
    return result.out;
  };
  CHECK(contains(output_for("  while (A[0] != 1e30f)\n    C[0] += 1;\n"), "mine.cu:"));
  CHECK(contains(output_for("  unsigned x = 1;\n  while (x != 0) x *= 3;\n  C[0] = x;\n"),
                 "mine.cu:"));
  CHECK(contains(
      output_for("  if (threadIdx.x == 0)\n    while (true) {\n    }\n  __syncthreads();\n"),
      "mine.cu:"));
  CHECK(contains(output_for("  C[0] = spin(n);\n",
                            "__device__ int spin(int n) {\n  volatile int x = n;\n"
                            "  while (x != -1)\n    x = x + 2 * (x & 0);\n  return x;\n}\n"),
                 "mine.cu:"));
  CHECK(contains(
      output_for("  for (;;)\n    printf(\"hello %d\\n\", threadIdx.x);\n", "#include <cstdio>\n"),
      "mine.cu:"));
}

TEST_CASE("what cannot be meant is one line and exit status 2") {
  const Student student;
  check_one_line_failure(student.course({"check", "42"}), "'42'");
  check_one_line_failure(student.course({"check", "02", "--exercise", "7"}), "no exercise 7");
  check_one_line_failure(student.course({"check"}), "CHAPTER");
  check_one_line_failure(student.course({"check", "02", "--file", "x"}), "--exercise");
  check_one_line_failure(student.course({"check", "02_1", "--file", "none.cu"}), "none.cu");
  check_one_line_failure(student.course({"check", "02_1", "--file", "."}), "folder");
  check_one_line_failure(student.course({"check", "02_1", "--time-limit", "-1"}), "--time-limit");
  check_one_line_failure(student.check(""), "empty");
  check_one_line_failure(student.check(std::string("a\0b", 3)), "binary");
  check_one_line_failure(tools::run_command({kProgram, "dance"}), "dance");
  check_one_line_failure(tools::run_command({kProgram}), "subcommand");
  fs::resize_file(student.write("large.cu", "x"), 100 << 20);
  check_one_line_failure(student.course({"check", "02_1", "--file", "large.cu"}), "100 MiB");
}
