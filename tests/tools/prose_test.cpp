/// Tests that every code block and figure in prose equals its source, and that the proofreader
/// finds faults.

#include "tools/prose/prose.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/prose/limits.hpp"
#include "tools/prose/line_diff.hpp"
#include "tools/prose/markdown.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/project.hpp"
#include "tools/support/source_text.hpp"
#include "tools/support/subprocess.hpp"

using tools::Pattern;
using tools::TemporaryFolder;

TEST_CASE("the project's prose equals its sources and measurements, and can be edited") {
  const prose::Measurements measurements(tools::source_folder() / "docs/measurements");
  const prose::Library library = prose::project_library(measurements);
  std::map<std::filesystem::path, std::set<std::string>> used;  // by figures.txt
  int figures = 0, blocks = 0;
  for (const auto& file : tools::prose_files()) {
    const prose::Proof proof = prose::proofread(file, library);
    for (const std::string& fault : proof.faults) FAIL_CHECK(fault);
    figures += proof.figures;
    blocks += proof.blocks;
    used[file.parent_path() / "figures.txt"].insert(proof.used.begin(), proof.used.end());
  }
  for (const auto& [file, names] : used)
    for (const std::string& fault : prose::check_figures(file, names, library)) FAIL_CHECK(fault);
  CHECK(figures > 1000);
  CHECK(blocks > 60);
}

TEST_CASE("what an editor meets in the project's prose is short") {
  static const Pattern kComment("<!--.*?-->"), kAlone("<!--.*-->"), kName("<!--[a-z0-9_]+-->"),
      kCode("`[^`]*`");
  for (const auto& file : tools::prose_files()) {
    bool is_code = false;
    int number = 0;
    for (const std::string& line : tools::read_lines(file)) {
      ++number;
      if (line.starts_with("```")) is_code = !is_code;
      if (is_code || kAlone.matches(line)) continue;
      CAPTURE(file.string());
      CAPTURE(number);
      const std::string text = kCode.replace(line, "");
      for (const tools::Match& comment : kComment.all(text)) {
        CHECK(comment[0].size() <= 24);
        CHECK(kName.matches(comment[0]));
        CHECK_FALSE(line.starts_with("|"));
      }
      const bool may_be_long = line.starts_with("|") || line.find("](") != std::string::npos ||
                               line.find("://") != std::string::npos;
      if (!may_be_long) CHECK(prose::columns_of(line) <= prose::kMaxColumns);
    }
  }
}

namespace {

/// Writes two counted runs and one timed run; returns the folder.
std::filesystem::path write_measurements(const TemporaryFolder& folder) {
  folder.write("docs/measurements/emulator.json", R"({"chapters": {"02_x": [
      {"kernel": "twice", "parameters": {"n": 1, "beta": 0.5}, "counters": {"requests": 12345}},
      {"kernel": "twice", "parameters": {"n": 2, "beta": 0.5}, "counters": {"requests": 7}}]}})");
  folder.write("docs/measurements/gpu.json", R"({"chapters": {"02_x": [
      {"kernel": "twice", "parameters": {"n": 1, "beta": 0.5}, "counters": null, "gb_per_s": 82.534,
       "time_ms": {"median": 1.5, "min": 1.25, "max": 2, "runs": 3}}]}})");
  return folder.path() / "docs/measurements";
}

/// A small project with one chapter, one kernel and one measurement.
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
  }

  /// Proofreads `text` with a figures.txt of these lines.
  prose::Proof proofread(const std::string& text, const std::string& figures = "") const {
    const auto file = folder_.write("chapters/02_x/README.md", text);
    folder_.write("chapters/02_x/figures.txt", figures);
    return prose::proofread(file, library());
  }

  /// Returns the faults of a figures.txt whose names `text` shows.
  std::vector<std::string> check_figures(const std::string& text,
                                         const std::string& figures) const {
    const prose::Proof proof = proofread(text, figures);
    return prose::check_figures(folder_.path() / "chapters/02_x/figures.txt", proof.used,
                                library());
  }

 private:
  prose::Library library() const {
    const auto output_of = [](const std::vector<std::string>& command) {
      return command.at(0) == "02_x" ? "a table\n" : "";
    };
    const auto profile_of = [](const std::vector<std::string>& command) {
      return command.at(0) == "02_x" ? "twice(int, float*): 1 launch\n\nA line\n\n\n"
                                       "thrice<7>(int (*)()): 2 launches\nno worst line\n\n"
                                     : "";
    };
    return {folder_.path(), &measurements_, output_of, profile_of};
  }

  TemporaryFolder folder_;
  prose::Measurements measurements_{write_measurements(folder_)};
};

bool is_sound(const std::string& text, const std::string& figures = "") {
  return SmallProject().proofread(text, figures).faults.empty();
}

/// Returns the only fault; empty if there are none or several.
std::string fault_of(const std::string& text, const std::string& figures = "") {
  const auto faults = SmallProject().proofread(text, figures).faults;
  return faults.size() == 1 ? faults[0] : "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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
  CHECK_FALSE(is_sound(Pattern("n > 0").replace(functions, "n > 1")));
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
  // A single hidden line gets no mark, which would be as long.
  CHECK(prose::line_diff(before, {"x", "b", "c", "d", "y", "f", "g"}, 1) ==
        Lines{"-a", "+x", " b", " c", " d", "-e", "+y", " f"});
  // A line that is only indented is unchanged and keeps its new indent; empty lines get no blank.
  CHECK(prose::line_diff({"f();", "", "g();"}, {"if (x) {", "  f();", "", "  h();", "}"}, 1) ==
        Lines{"+if (x) {", "   f();", "", "-g();", "+  h();", "+}"});
  // But a brace with another indent closes something else.
  CHECK(prose::line_diff({"f();", "}"}, {"f();", "  g();", "  }", "}"}, 1) ==
        Lines{" f();", "+  g();", "+  }", " }"});
}

TEST_CASE("an output block must be what the program prints") {
  CHECK(is_sound("<!-- output: 02_x -->\n```text\na table\n```\n"));
  const auto proof = SmallProject().proofread("<!-- output: 02_x -->\n```text\nold\n```\nend\n");
  CHECK(proof.faults.size() == 1);
  CHECK(proof.corrected == "<!-- output: 02_x -->\n```text\na table\n```\nend\n");
}

TEST_CASE("a profile block must be the program's profile, or that of one of its kernels") {
  const auto corrected = [](const std::string& command) {
    const std::string comment = "<!-- profile: " + command + " -->\n```text\n";
    const auto proof = SmallProject().proofread(comment + "old\n```\n");
    REQUIRE(proof.faults.size() == 1);
    CHECK(is_sound(proof.corrected) == (proof.corrected != comment + "old\n```\n"));
    return proof.corrected.substr(comment.size());
  };
  CHECK(corrected("02_x#twice --n 4") == "twice(int, float*): 1 launch\n\nA line\n```\n");
  CHECK(corrected("02_x#thrice") == "thrice<7>(int (*)()): 2 launches\nno worst line\n```\n");
  CHECK(corrected("02_x") ==
        "twice(int, float*): 1 launch\n\nA line\n\n\n"
        "thrice<7>(int (*)()): 2 launches\nno worst line\n```\n");
  CHECK(corrected("02_x#four") == "old\n```\n");
}

TEST_CASE("a figure must be what was measured, to the digits shown") {
  const auto is_right = [](const std::string& number, const std::string& expression) {
    return is_sound(number + "<!--figure--> GB/s\n", "figure = " + expression + "\n");
  };
  CHECK(is_right("12,345", "emulator/twice(n=1)/requests"));
  CHECK(is_right("12,345", "emulator/02_x/twice(n=1,beta=0.5)/requests"));
  CHECK(is_right("82.53", "gpu/twice/gb_per_s"));
  CHECK(is_right("1.5", "gpu/twice/time_ms"));
  CHECK(is_right("1.25", "gpu/twice/time_min_ms"));
  CHECK(is_right("8", "2000 * 4 / 1000"));
  CHECK(is_right("6", "2 * ( 3 * 27 ) ^ ( 1 / 4 )"));
  CHECK(is_right("6,173.5", "emulator/twice(n=1)/requests / ( 1 + 1 ) + 1"));
  CHECK_FALSE(is_right("12,346", "emulator/twice(n=1)/requests"));
  CHECK_FALSE(is_right("82.54", "gpu/twice/gb_per_s"));
  CHECK_FALSE(is_right("7", "emulator/twice/requests"));  // two runs, which differ
  CHECK_FALSE(is_right("7", "emulator/twice(n=3)/requests"));
  CHECK_FALSE(is_right("7", "emulator/twice(n=2)/sectors"));
  CHECK_FALSE(is_right("7", "nowhere/twice(n=2)/requests"));
  CHECK_FALSE(is_right("7", "emulator/requests"));  // of which kernel?
  CHECK_FALSE(is_right("7", "requests"));
  CHECK_FALSE(is_right("7", "( 3 + 4"));
  CHECK_FALSE(is_right("0", "1 / 0"));
  CHECK_FALSE(is_right("?", "emulator/twice(n=2)/requests"));
  CHECK(SmallProject()
            .proofread("?<!--figure--> GB/s\n", "figure = emulator/twice(n=1)/requests\n")
            .corrected == "12,345<!--figure--> GB/s\n");
}

TEST_CASE("a drift is told by name, place and sentence, and is corrected") {
  const prose::Proof proof = SmallProject().proofread(
      "First of all. It makes\n12,346<!--requests--> of them, or 7<!--few-->. And more.\n",
      "# comment\nfew = 7\nrequests = emulator/twice(n=1)/requests\n");
  REQUIRE(proof.faults.size() == 1);
  CHECK(proof.faults == proof.corrections);
  CHECK(proof.faults[0] ==
        "chapters/02_x/README.md:2: 12,346 should be 12,345: requests = "
        "emulator/twice(n=1)/requests (chapters/02_x/figures.txt:3)\n"
        "    It makes 12,346 of them, or 7.");
  CHECK(proof.corrected ==
        "First of all. It makes\n12,345<!--requests--> of them, or 7<!--few-->. And more.\n");
  CHECK(proof.figures == 2);
}

TEST_CASE("definitions use others, with parameters, wherever they stand") {
  const std::string figures =
      "gain = requests(1) / requests(2)\n"
      "requests(n) = emulator/twice(n=$n)/requests\n"
      "sum(a, b) = requests($a)\n"
      "  + requests($b) * 1\n"
      "both = sum(1, 2)\n"
      "sizes = list 1 2\n"
      "mean = geomean(n in sizes: requests($n)) / 1\n"
      "mean_here = geomean(n in 2 8: $n)\n"
      "mean_of_pairs = geomean(m n in 2 8, 4 4: $m * $n)\n"
      "twice(n) = 2 * $n\n"
      "part = 8 / twice(2)\n";
  CHECK(is_sound("1,764<!--gain-->\n", figures));
  CHECK(is_sound("12,352<!--both-->\n", figures));
  CHECK(is_sound("294<!--mean-->\n", figures));
  CHECK(is_sound("4<!--mean_here-->\n", figures));
  CHECK(is_sound("2<!--part-->\n", figures));  // a definition is used as a whole

  const auto fault = [](const std::string& expression) {
    return fault_of("7<!--a-->\n", "a = " + expression + "\nf(n) = $n\nb = a\nl = list 1 2\n");
  };
  CHECK(contains(fault("f"), "has 1 parameters, and is given 0"));
  CHECK(contains(fault("f(1, 2)"), "is given 2"));
  CHECK(contains(fault("f(1 + 2)"), "not one word or number: \"1 + 2\""));
  CHECK(contains(fault("b"), "leads back to itself"));
  CHECK(contains(fault("l"), "is a list"));
  CHECK(contains(fault("$n"), "$n"));
  CHECK(contains(fault("geomean(1 2)"), "a geometric mean reads"));
  CHECK(contains(fault("geomean(m n in 1 2 3: $m)"), "takes 2 words at a time"));

  const auto fault_with = [](const std::string& definitions) {
    return fault_of("7<!--a-->\n", definitions);
  };
  CHECK(contains(fault_with("a = f(2)\nf(n) = geomean(n in 1 2: $n)\n"), "$n means two things"));
  CHECK(contains(fault_with("a = geomean(n in 1 2: f($n))\nf(k) = geomean(n in 1 2: $n * $k)\n"),
                 "$n means two things in \"f\""));
  CHECK(
      is_sound("2<!--a-->\n", "a = geomean(m in 1 4: f($m))\nf(k) = geomean(n in 1 1: $n * $k)\n"));
}

TEST_CASE("a published figure is shown as it was published, and can be worked with") {
  const std::string figures =
      "aligned_ms = published 1.820: the article, with L1\n"
      "longer_pct = 100 * (1.949 / aligned_ms - 1)\n"
      "count = published 132,384: the article\nhalf = count / 2\n";
  CHECK(is_sound("1.820<!--aligned_ms--> ms, 7<!--longer_pct--> %\n", figures));
  CHECK(is_sound("132,384<!--count-->, 66,192<!--half-->\n", figures));
  CHECK_FALSE(is_sound("1.82<!--aligned_ms--> ms\n", figures));
  CHECK_FALSE(is_sound("132384<!--count-->\n", figures));
  CHECK(SmallProject().proofread("?<!--aligned_ms--> ms\n", figures).corrected ==
        "1.820<!--aligned_ms--> ms\n");
  CHECK_FALSE(SmallProject().check_figures("1<!--a-->\n", "a = published 1\n").empty());
}

TEST_CASE("a name that is not defined suggests the nearest one") {
  CHECK(contains(fault_of("12<!--speedpu-->\n", "speedup = 12\nslowdown = 3\n"),
                 "<!--speedpu-->: no figure is called \"speedpu\"; is \"speedup\" meant?"));
  CHECK_FALSE(contains(fault_of("12<!--bandwidth-->\n", "speedup = 12\n"), "meant"));
  CHECK(contains(fault_of("12<!--gain-->\n", "gain = speedpu * 2\nspeedup = 6\n"),
                 "is \"speedup\" meant?"));
  CHECK(contains(fault_of("<!--table tims-->\n<!--end-->\n", "table times\n  | a |\n  |---|\n"),
                 "no table is called \"tims\"; is \"times\" meant?"));
}

TEST_CASE("every name of figures.txt is shown, defined once, and can be read") {
  const auto faults = [](const std::string& figures) {
    const auto all = SmallProject().check_figures("12<!--a-->\n", figures);
    return all.size() == 1 ? all[0] : all.empty() ? "" : std::to_string(all.size());
  };
  CHECK(faults("# a\na = b * 4\n\nb = 3\n") == "");
  CHECK(faults("a = 12\nb = 3\n") == "chapters/02_x/figures.txt:2: nothing shows \"b\"");
  CHECK(faults("a = 12\ntable b\n  | a |\n  |---|\n") ==
        "chapters/02_x/figures.txt:2: nothing shows \"b\"");
  CHECK(contains(faults("a = 12\na = 13\n"), ":2: \"a\" is defined in line 1 already"));
  CHECK(contains(faults("a = 12\ntable a\n  | a |\n  |---|\n"), "is defined in line 1 already"));
  CHECK(contains(faults("a = 12\nwords\n"), ":2: neither NAME = EXPRESSION nor a table: words"));
  CHECK(contains(faults("  a = 12\n"), "continues nothing"));
  CHECK(contains(faults("a = 12\n#" + std::string(100, 'x') + "\n"), prose::too_long_line()));
}

TEST_CASE("a number with a unit, or a large one, must be bound") {
  const std::string figures = "bandwidth = published 15: an article\n";
  CHECK(is_sound("15<!--bandwidth--> GB/s\n", figures));
  CHECK_FALSE(is_sound("15 GB/s\n"));
  CHECK_FALSE(is_sound("15\nGB/s\n"));
  CHECK_FALSE(is_sound("about 80 % of them\n"));
  CHECK_FALSE(is_sound("8396800 requests\n"));
  CHECK_FALSE(is_sound("8,396,800 requests\n"));
  CHECK(is_sound("32 lanes of 4 bytes, 1024 threads, `8396800` as code\n"));
}

TEST_CASE("comments inside text are short names of figures, and lines can be read") {
  const std::string figures = "seventeen_letters = 7\neighteen_letters_x = 7\n";
  CHECK(is_sound("7<!--seventeen_letters-->\n", figures));
  CHECK(contains(fault_of("7<!--eighteen_letters_x-->\n", figures), "more than 24 characters"));
  CHECK(contains(fault_of("words <!--aside--> here\n"), "binds no number: <!--aside-->"));
  CHECK(contains(fault_of("7<!-- seventeen_letters -->\n", figures), "binds no number"));
  CHECK(contains(fault_of("7<!-- figure: 7 -->\n"), "binds no number"));
  CHECK(contains(fault_of("<!-- worked: by hand -->\n"), "binds no number"));
  CHECK(is_sound("`<!--in code-->` and `?<!--speedup-->`\n"));
  CHECK(is_sound("`code` 7<!--seventeen_letters--> `code`\n", figures));

  CHECK(contains(SmallProject().proofread("`code\ncode`\n").faults.at(0),
                 "does not end in its line"));

  const std::string word(60, 'x');
  CHECK(contains(fault_of(word + " " + word + "\n"), prose::too_long_line()));
  CHECK(is_sound(word + "\n" + word + "\n"));
  CHECK(is_sound("- " + word + word + "\n"));
  CHECK(is_sound("- [words of a link](https://" + word + word + ")\n"));
  CHECK_FALSE(is_sound("[link](https://" + word + ") and more words behind it, words behind it\n"));
  CHECK(is_sound("![words of " + word + " a picture " + word + "](a.svg)\n"));
  CHECK(is_sound("| " + word + " | " + word + " |\n|---|---|\n"));
  CHECK(is_sound("```sh\n# " + word + " " + word + "\n```\n"));
  std::string umlauts;
  for (int i = 0; i < 49; ++i) umlauts += "ä ";
  CHECK(is_sound(umlauts + "ä\n"));  // 99 columns, 149 bytes
}

namespace {

const std::string kTimes =
    "table times\n"
    "  | kernel       | requests   | remark | GB/s               |\n"
    "  |--------------|-----------:|--------|-------------------:|\n"
    "  run emulator(beta=0.5)\n"
    "  | `twice`, n 1 | {requests} | so 3   | **{gpu/gb_per_s}** |\n";
const std::string kTimesHead = "| kernel | requests | remark | GB/s |\n|---|---:|---|---:|\n";

std::string times(const std::string& rows) {
  return "<!--table times-->\n" + kTimesHead + rows + "<!--end-->\n";
}

}  // namespace

TEST_CASE("a generated table is compared cell by cell") {
  const std::string right = times("| `twice`, n 1 | 12,345 | so 3 | **82.5** |\n");
  CHECK(is_sound(right, kTimes));
  CHECK(SmallProject().proofread(right, kTimes).figures == 2);
  const auto drift = [&](const std::string& rows) {
    const prose::Proof proof = SmallProject().proofread(times(rows) + "end\n", kTimes);
    CHECK(proof.corrected == right + "end\n");
    CHECK(proof.faults == proof.corrections);
    return proof.faults.size() == 1 ? proof.faults[0] : "";
  };
  CHECK(drift("| `twice`, n 1 | 12,344 | so 3 | **82.5** |\n") ==
        "chapters/02_x/README.md:4: times, row \"`twice`, n 1\", column \"requests\": 12,344 "
        "should be "
        "12,345: emulator/twice(beta=0.5,n=1)/requests (chapters/02_x/figures.txt:5)\n"
        "    | `twice`, n 1 | 12,344 | so 3 | **82.5** |");
  CHECK(contains(drift("| `twice`, n 1 | 12,345 | so 3 | **82.6** |\n"), "column \"GB/s\""));
  CHECK(contains(drift("| `twice`, n 1 | 12,345 | so 4 | **82.5** |\n"), "column \"remark\""));
  CHECK(contains(drift("| `twice`, n 1 | 12,345 | so 3 |\n"), "another one"));
  CHECK(contains(drift("| `twice`, n 1 |  12,345 | so 3 | **82.5** |\n"), "other blanks"));
  CHECK(contains(drift(""), "other rows"));
  CHECK(contains(fault_of("<!--table times-->\n" + kTimesHead, kTimes), "without <!--end-->"));
  CHECK(contains(fault_of("<!--end-->\n"), "ends no table"));
}

TEST_CASE("a row that cannot be worked out says which one, and is left as it is") {
  const auto fault = [](const std::string& row) {
    const std::string text = times("| x | 1 | y | 2 |\n");
    const prose::Proof proof = SmallProject().proofread(
        text, kTimes.substr(0, kTimes.rfind("\n  |")) + "\n  " + row + "\n");
    CHECK(proof.corrected == text);
    CHECK(proof.corrections.empty());
    return proof.faults.empty() ? "" : proof.faults[0];
  };
  CHECK(contains(fault("| `twice`, n 1 | many | so 3 | {gb_per_s} |"), "no gb_per_s"));
  CHECK(contains(fault("| `twice`, n 1 | {requests} | {request} | |"),
                 "row \"`twice`, n 1\", column \"remark\": docs/measurements has no request of"));
  CHECK(contains(fault("| twice, n 1 | {requests} | | |"), "names no `kernel`"));
  CHECK(contains(fault("| `twice`, m 1 | {requests} | | |"), "has no requests"));
  CHECK(contains(fault("| `twice`, n is 1 | {requests} | | |"), "not \"name value\": n is 1"));
  CHECK(contains(fault("| 09 `twice`, n 1 | {requests} | | |"), "there is no chapter 09"));
  CHECK(contains(fault("| `twice`, n 1 | {requests | | |"), "a brace is not closed"));
  CHECK(contains(fault("| `twice`, n 1 | {requests} | |"), "a row of 3 cells"));
  CHECK(contains(fault("| `twice`, n 1 | {requests} | |  1"), "a row ends with |"));
  CHECK(contains(fault("| `twice`, n 1 | 12,345 | | |"), "\"12,345\" is bound to no figure"));
  CHECK(contains(fault("| `twice`, n 1 | | takes 8 ms | |"), "\"8 ms\" is bound to no figure"));
  CHECK(contains(fault("| `twice`, n 1 | 7 | | |"), "\"7\" is bound to no figure"));
  CHECK(contains(fault("| ... |"), "stands below no row"));
  CHECK(contains(fault("words"), "neither a row, nor `run`"));
  // A name must not have two meanings.
  CHECK(contains(SmallProject().proofread(times(""), "requests = 1\n" + kTimes).faults.at(0),
                 "\"requests\" is a figure, and a field of the run too"));
}

TEST_CASE("one row of a table's description stands for many") {
  const std::string figures =
      "asked(n) = emulator/twice(n=$n)/requests\n"
      "sizes = list 1 2\n"
      "table all\n"
      "  | size | requests | of both | with decimals |\n"
      "  |:-----|---------:|:-------:|\n"
      "    ---|\n"
      "  for n in sizes\n"
      "  | n is $n | {asked($n)}\n"
      "    | {asked($n) + asked(1): 1} | {asked($n) / 3: 4 digits} |\n"
      "  for m n in 1 2, 2 1\n"
      "  | $m x $n | {asked($k) for k in $m $n} | \\{text} |\n"
      "  run emulator/twice(n=2)\n"
      "  | seven | {requests} | | |\n"
      "  run emulator(n=2)\n"
      "  | `twice` | {requests} | {requests * 2} | |\n"
      "  | `twice`, beta 0.5 | ... |\n";
  const std::string text =
      "<!--table all-->\n"
      "| size | requests | of both | with decimals |\n"
      "|:---|---:|:---:|---|\n"
      "| n is 1 | 12,345 | 24,690.0 | 4,115 |\n"
      "| n is 2 | 7 | 12,352.0 | 2.333 |\n"
      "| 1 x 2 | 12,345 | 7 | {text} |\n"
      "| 2 x 1 | 7 | 12,345 | {text} |\n"
      "| seven | 7 | | |\n"
      "| `twice` | 7 | 14 | |\n"
      "| `twice`, beta 0.5 | 7 | 14 | |\n"
      "<!--end-->\n";
  for (const std::string& fault : SmallProject().proofread(text, figures).faults) FAIL_CHECK(fault);
  const auto faults =
      SmallProject()
          .proofread(text, "table all\n  | a |\n  |---|\n  for m n in 1 2 3\n  | $m |\n")
          .faults;
  REQUIRE_FALSE(faults.empty());
  CHECK(contains(faults[0], "as many words as names"));
}

TEST_CASE("a table of numbers must be generated or worked out, and holds no comment") {
  const std::string table = "| a | b |\n|---|---|\n| x | 12 |\n";
  CHECK_FALSE(is_sound(table));
  CHECK(is_sound("<!--worked-->\n" + table));
  CHECK_FALSE(is_sound("<!--worked-->\n\nno table here\n"));
  CHECK(is_sound("| a | b |\n|---|---|\n| x | y |\n"));
  CHECK_FALSE(is_sound("| a | b |\n|---|---|\n| x | it takes 12 ms |\n"));
  CHECK(contains(fault_of("| a | b |\n|---|---|\n| x | y 12<!--twelve--> |\n", "twelve = 12\n"),
                 "a comment in a row of a table"));
}
