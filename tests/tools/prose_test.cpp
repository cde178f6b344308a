/// Every code block and every figure in prose equals its source, and the proofreader sees faults.

#include "tools/prose/prose.hpp"

#include <doctest/doctest.h>

#include <regex>
#include <string>
#include <vector>

#include "tools/prose/line_diff.hpp"
#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

using tools::TemporaryFolder;

TEST_CASE("the project's prose equals its sources and measurements") {
  const prose::Measurements measurements(tools::source_folder() / "docs/measurements");
  const prose::Library library = prose::project_library(measurements);
  int figures = 0, blocks = 0;
  for (const auto& file : tools::prose_files()) {
    const prose::Proof proof = prose::proofread(file, library);
    for (const std::string& fault : proof.faults) FAIL_CHECK(fault);
    figures += proof.figures;
    blocks += proof.blocks;
  }
  CHECK(figures > 50);
  CHECK(blocks > 10);
}

namespace {

/// A small project: one chapter, one kernel, one measurement.
class SmallProject {
 public:
  SmallProject() {
    folder_.write("chapters/02_x/kernels.cuh",
                  "#pragma once\n\n/// Doubles.\n__global__ void twice(int n,\n"
                  "                      float* x) {  // [n]\n"
                  "  if (n > 0) x[0] *= 2;\n}\n\n"
                  "__global__ void thrice(int n,\n"
                  "                       float* x) {  // [n]\n"
                  "  if (n > 0) x[0] *= 3;\n}\n");
    folder_.write("chapters/02_x/steps/01_a.cuh",
                  "#pragma once\n\nnamespace a {\n\n/// One.\nconstexpr int kSize = 1;\n\n"
                  "struct Pair {\n  int first;\n  int second;\n};\n\nint third;\n"
                  "}  // namespace a\n");
    folder_.write("chapters/02_x/steps/02_b.cuh",
                  "#pragma once\n\nnamespace b {\n\n/// Two.\nconstexpr int kSize = 2;\n\n"
                  "struct Pair {\n  int first;\n  int second;\n};\n\nint third;\n"
                  "}  // namespace b\n");
    for (const int lines : {30, 40}) {
      std::string text;
      for (int i = 0; i < lines; ++i) text += "int line_" + std::to_string(i) + ";\n";
      folder_.write("chapters/02_x/steps/" + std::to_string(lines) + ".cuh", text);
    }
    folder_.write("docs/measurements/emulator.json", R"({"chapters": {"02_x": [
      {"kernel": "twice", "parameters": {"n": 1, "beta": 0.5}, "counters": {"requests": 12345}},
      {"kernel": "twice", "parameters": {"n": 2, "beta": 0.5}, "counters": {"requests": 7}}]}})");
    folder_.write("docs/measurements/gpu.json", R"({"chapters": {"02_x": [
      {"kernel": "twice", "parameters": {"n": 1, "beta": 0.5}, "counters": null, "gb_per_s": 82.534,
       "time_ms": {"median": 1.5, "min": 1.25, "max": 2, "runs": 3}}]}})");
  }

  prose::Proof proofread(const std::string& text) const {
    const auto file = folder_.write("chapters/02_x/README.md", text);
    const prose::Measurements measurements(folder_.path() / "docs/measurements");
    const prose::Library library = {folder_.path(), &measurements,
                                    [](const std::vector<std::string>& command) {
                                      return command.at(0) == "02_x" ? "a table\n" : "";
                                    }};
    return prose::proofread(file, library);
  }

 private:
  TemporaryFolder folder_;
};

bool is_sound(const std::string& text) { return SmallProject().proofread(text).faults.empty(); }

}  // namespace

TEST_CASE("a code block must be an excerpt of the function that it names") {
  const std::string good =
      "<!-- source: kernels.cuh#twice -->\n```cuda\nif (n > 0) x[0] *= 2;\n```\n";
  CHECK(is_sound(good));
  CHECK(SmallProject().proofread(good).blocks == 1);
  CHECK_FALSE(
      is_sound("<!-- source: kernels.cuh#twice -->\n```cuda\nif (n > 0) x[0] *= 3;\n```\n"));
  CHECK_FALSE(is_sound("<!-- source: kernels.cuh#none -->\n```cuda\nif (n > 0) x[0] *= 2;\n```\n"));
  CHECK_FALSE(is_sound("<!-- source: none.cuh -->\n```cuda\nif (n > 0) x[0] *= 2;\n```\n"));
  CHECK_FALSE(is_sound("```cuda\nif (n > 0) x[0] *= 2;\n```\n"));
  CHECK_FALSE(is_sound("<!-- source: kernels.cuh#twice -->\nno block here\n"));
}

TEST_CASE("a diff must lead from one function to the other") {
  const std::string head = "<!-- source: kernels.cuh#twice kernels.cuh#thrice -->\n```diff\n";
  CHECK(is_sound(head + "-  if (n > 0) x[0] *= 2;\n+  if (n > 0) x[0] *= 3;\n }\n```\n"));
  CHECK_FALSE(is_sound(head + "-  if (n > 0) x[0] *= 2;\n+  if (n > 0) x[0] *= 4;\n }\n```\n"));
  CHECK_FALSE(is_sound(head + "-  if (n > 0) x[0] *= 1;\n+  if (n > 0) x[0] *= 3;\n }\n```\n"));
}

TEST_CASE("a generated diff shows all that changes in the code, and no documentation") {
  const std::string functions =
      "<!-- diff: kernels.cuh#twice kernels.cuh#thrice -->\n```diff\n"
      "-__global__ void twice(int n,\n"
      "+__global__ void thrice(int n,\n"
      "                        float* x) {  // [n]\n"
      "-  if (n > 0) x[0] *= 2;\n"
      "+  if (n > 0) x[0] *= 3;\n"
      " }\n```\n";
  CHECK(is_sound(functions));
  CHECK(SmallProject().proofread(functions).blocks == 1);
  CHECK_FALSE(is_sound(std::regex_replace(functions, std::regex("n > 0"), "n > 1")));
  const auto outdated = SmallProject().proofread(
      "<!-- diff: kernels.cuh#twice kernels.cuh#thrice -->\n```diff\n-old\n```\nend\n");
  CHECK(outdated.faults.size() == 1);
  CHECK(outdated.corrected == functions + "end\n");

  CHECK(
      is_sound("<!-- diff: steps/01_a.cuh steps/02_b.cuh -->\n```diff\n"
               "-constexpr int kSize = 1;\n+constexpr int kSize = 2;\n```\n"));
  CHECK(is_sound("<!-- source: steps/01_a.cuh#Pair -->\n```cuda\nint second;\n```\n"));
  CHECK_FALSE(is_sound("<!-- source: steps/01_a.cuh#Pai -->\n```cuda\nint second;\n```\n"));
  CHECK_FALSE(is_sound("<!-- source: steps/01_a.cuh#Pair -->\n```cuda\nint third;\n```\n"));
  CHECK_FALSE(
      is_sound("<!-- diff: kernels.cuh#twice kernels.cuh#thrice -->\n```cuda\n-old\n```\n"));
  CHECK_FALSE(is_sound("<!-- diff: kernels.cuh#twice -->\n```diff\n-old\n```\n"));
  CHECK_FALSE(is_sound("<!-- diff: kernels.cuh#twice kernels.cuh#none -->\n```diff\n```\n"));
  CHECK_FALSE(is_sound("<!-- diff: kernels.cuh#twice kernels.cuh#twice -->\n```diff\n```\n"));
}

TEST_CASE("a generated diff is at most a screen long") {
  const auto diff_of = [](int lines) {
    std::string text =
        "<!-- diff: kernels.cuh steps/" + std::to_string(lines) + ".cuh -->\n```diff\n-old\n```\n";
    return SmallProject().proofread(SmallProject().proofread(text).corrected).faults;
  };
  CHECK(diff_of(30).empty());
  REQUIRE(diff_of(40).size() == 1);
  CHECK(diff_of(40)[0].find("more than a screen") != std::string::npos);
}

TEST_CASE("a diff shows the lines around a change, and leaves out the others") {
  using Lines = std::vector<std::string>;
  const Lines before = {"a", "b", "c", "d", "e", "f", "g"};
  CHECK(prose::line_diff(before, before, 1).empty());
  CHECK(prose::line_diff({}, {"a"}, 1) == Lines{"+a"});
  CHECK(prose::line_diff({"a"}, {}, 1) == Lines{"-a"});
  CHECK(prose::line_diff(before, {"a", "b", "x", "d", "e", "f", "g"}, 1) ==
        Lines{" b", "-c", "+x", " d"});
  CHECK(prose::line_diff(before, {"a", "b", "x", "d", "e", "f", "g"}, 0) == Lines{"-c", "+x"});
  CHECK(prose::line_diff(before, {"x", "b", "c", "d", "e", "f", "y"}, 1) ==
        Lines{"-a", "+x", " b", "@@ ... @@", " f", "-g", "+y"});
  // In the place of one line, no mark: it would be as long.
  CHECK(prose::line_diff(before, {"x", "b", "c", "d", "y", "f", "g"}, 1) ==
        Lines{"-a", "+x", " b", " c", " d", "-e", "+y", " f"});
  // What is moved to the right stays, as it stands now; an empty line has no blank before it.
  CHECK(prose::line_diff({"f();", "", "g();"}, {"if (x) {", "  f();", "", "  h();", "}"}, 1) ==
        Lines{"+if (x) {", "   f();", "", "-g();", "+  h();", "+}"});
  // But a brace at another indent ends something else.
  CHECK(prose::line_diff({"f();", "}"}, {"f();", "  g();", "  }", "}"}, 1) ==
        Lines{" f();", "+  g();", "+  }", " }"});
}

TEST_CASE("an output block must be what the program prints") {
  CHECK(is_sound("<!-- output: 02_x -->\n```text\na table\n```\n"));
  const auto proof = SmallProject().proofread("<!-- output: 02_x -->\n```text\nold\n```\nend\n");
  CHECK(proof.faults.size() == 1);
  CHECK(proof.corrected == "<!-- output: 02_x -->\n```text\na table\n```\nend\n");
}

TEST_CASE("a figure must be what was measured, to the digits shown") {
  const auto figure = [](const std::string& number, const std::string& name) {
    return number + "<!-- figure: " + name + " --> GB/s\n";
  };
  CHECK(is_sound(figure("12,345", "emulator/twice(n=1)/requests")));
  CHECK(is_sound(figure("12,345", "emulator/02_x/twice(n=1,beta=0.5)/requests")));
  CHECK(is_sound(figure("82.53", "gpu/twice/gb_per_s")));
  CHECK(is_sound(figure("1.5", "gpu/twice/time_ms")));
  CHECK(is_sound(figure("1.25", "gpu/twice/time_min_ms")));
  CHECK(is_sound(figure("8", "2000 * 4 / 1000")));
  CHECK(is_sound(figure("6", "2 * ( 3 * 27 ) ^ ( 1 / 4 )")));
  CHECK(is_sound(figure("6,173.5", "emulator/twice(n=1)/requests / ( 1 + 1 ) + 1")));
  CHECK_FALSE(is_sound(figure("12,346", "emulator/twice(n=1)/requests")));
  CHECK_FALSE(is_sound(figure("82.54", "gpu/twice/gb_per_s")));
  CHECK_FALSE(is_sound(figure("7", "emulator/twice/requests")));  // two runs, which differ
  CHECK_FALSE(is_sound(figure("7", "emulator/twice(n=3)/requests")));
  CHECK_FALSE(is_sound(figure("7", "emulator/twice(n=2)/sectors")));
  CHECK_FALSE(is_sound(figure("7", "nowhere/twice(n=2)/requests")));
  CHECK_FALSE(is_sound(figure("7", "( 3 + 4")));
  CHECK_FALSE(is_sound(figure("?", "emulator/twice(n=2)/requests")));
  CHECK(SmallProject().proofread(figure("?", "emulator/twice(n=1)/requests")).corrected ==
        figure("12,345", "emulator/twice(n=1)/requests"));
}

TEST_CASE("a number with a unit, or a large one, must be bound") {
  CHECK(is_sound("15<!-- published: an article --> GB/s\n"));
  CHECK_FALSE(is_sound("15 GB/s\n"));
  CHECK_FALSE(is_sound("about 80 % of them\n"));
  CHECK_FALSE(is_sound("8396800 requests\n"));
  CHECK_FALSE(is_sound("8,396,800 requests\n"));
  CHECK(is_sound("32 lanes of 4 bytes, 1024 threads, `8396800` as code\n"));
}

TEST_CASE("a table of measurements is checked cell by cell") {
  const std::string head =
      "<!-- figures: emulator(beta=0.5); requests; -; gpu/gb_per_s -->\n"
      "| kernel | requests | remark | GB/s |\n|---|---|---|---|\n";
  CHECK(is_sound(head + "| `twice`, n 1 | 12,345 | so 3 | **82.5** |\n"));
  CHECK_FALSE(is_sound(head + "| `twice`, n 1 | 12,344 | so 3 | **82.5** |\n"));
  CHECK_FALSE(is_sound(head + "| `twice`, n 1 | 12,345 | so 3 |\n"));
  CHECK_FALSE(is_sound(head + "| `twice`, n 1 | many | so 3 | 82.5 |\n"));
  CHECK_FALSE(is_sound(head + "| twice, n 1 | 12,345 | so 3 | 82.5 |\n"));
  CHECK_FALSE(is_sound(head + "| `twice`, m 1 | 12,345 | so 3 | 82.5 |\n"));
}

TEST_CASE("a table of numbers without a comment is a fault, one of reasoning is not") {
  const std::string table = "| a | b |\n|---|---|\n| x | 12 |\n";
  CHECK_FALSE(is_sound(table));
  CHECK(is_sound("<!-- worked: by hand -->\n" + table));
  CHECK(is_sound("| a | b |\n|---|---|\n| x | y |\n"));
}
