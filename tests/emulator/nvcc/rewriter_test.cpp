/// Tests the rewriter's output for small sources, and that g++ compiles it.

#include "rewriter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <sstream>

#include "cases.hpp"
#include "course/cpp_source.hpp"
#include "tools/support/subprocess.hpp"

using emulator_nvcc::rewrite;
using emulator_nvcc::RewriteOptions;
using emulator_nvcc::RewriteResult;
using nvcc_tests::collapse_blanks;

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + '"';
}

}  // namespace

TEST_CASE("every case is rewritten as it should be") {
  for (const auto& c : nvcc_tests::all_cases()) {
    CAPTURE(c.name);
    const RewriteResult result = rewrite(c.source);
    CHECK(result.errors.empty());
    CAPTURE(result.text);
    for (const std::string& wanted : c.present) {
      CAPTURE(wanted);
      CHECK(collapse_blanks(result.text).find(collapse_blanks(wanted)) != std::string::npos);
    }
    for (const std::string& unwanted : c.absent) {
      CAPTURE(unwanted);
      CHECK(result.text.find(unwanted) == std::string::npos);
    }
  }
}

TEST_CASE("after a rewriting, every line is still the line that it was") {
  for (const auto& c : nvcc_tests::all_cases()) {
    CAPTURE(c.name);
    const course::cpp::Source before(c.source), after(rewrite(c.source).text);
    REQUIRE(before.size() > 0);
    REQUIRE(after.size() > 0);
    CHECK(after.tokens().back().line == before.tokens().back().line);
  }
}

TEST_CASE("loops tell their rounds up to 24 deep, and again behind those: g++ takes cubic time") {
  const auto marks = [](int deep, const std::string& behind) {
    std::string text = "__device__ void f(int n) {";
    for (int i = 0; i < deep; ++i) text += " for (int i = 0; i < n; ++i) {";
    text += " if (n) n = 1;" + std::string(deep, '}') + behind + "}\n";
    const std::string rewritten = rewrite(text).text;
    int found = 0;
    for (std::size_t at = 0; (at = rewritten.find("emu::Rounds", at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  const std::string another = " while (n) if (n) --n;";
  CHECK(marks(3, "") == 3);
  CHECK(marks(24, another) == 25);
  CHECK(marks(200, another) == 25);
}

TEST_CASE("the statements of a marked loop keep their columns") {
  const std::string loop = "  for (int i = 0; i < n; ++i) p[i] = f(i) ? 1 : 2;\n";
  const std::string text = rewrite("__device__ void g(int* p, int n) {\n" + loop + "}\n").text;
  CAPTURE(text);
  for (const std::string part : {"for", "i < n", "p[i] = f(i)", "f(i) ?"}) {
    CAPTURE(part);
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    CHECK(at - text.rfind('\n', at) - 1 == loop.find(part));
  }
}

TEST_CASE("what has no CUDA in it stays as it is, to the byte") {
  const std::string source =
      "# 1 \"a.cpp\"\n#include <vector>\ntemplate <class T, int N = (1 << 3)> struct A { T x[N]; "
      "};\n\n"
      "int main() {\n  A<A<int>> a; a.x[0].x[1] = 64 >> 2; // <<<\n  return a.x[0].x[1] <= 3 ? "
      "1'000 : \"\\\"\"[0];\n}\n";
  CHECK(rewrite(source).text == source);
}

TEST_CASE("a source that is cut off anywhere is survived") {
  for (const auto& c : nvcc_tests::all_cases()) {
    CAPTURE(c.name);
    for (std::size_t n = 0; n < c.source.size(); n += 7) rewrite(c.source.substr(0, n));
  }
}

TEST_CASE("nonsense made of the cases is survived, and in time") {
  constexpr int kSources = 3000;
  const std::string signs = "(){}[]<>;,:=*&\"'\\ \n#";
  const std::vector<std::string> words = {"__global__ ", "__device__ ", "__shared__ ", "template ",
                                          "<<<",         ">>>",         "operator",    "requires "};
  const auto cases = nvcc_tests::all_cases();
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int k = 0; k < kSources; ++k) {
    std::string source =
        cases[below(cases.size())].source + "\n" + cases[below(cases.size())].source;
    for (int change = 0; change < 4; ++change) {
      const std::size_t place = below(source.size());
      switch (below(4)) {
        case 0:
          source.erase(place, 1 + below(5));
          break;
        case 1:
          source.insert(place, 1, signs[below(signs.size())]);
          break;
        case 2:
          source.insert(place, source.substr(below(source.size()), below(30)));
          break;
        default:
          source.insert(place, words[below(words.size())]);
      }
    }
    const auto begin = std::chrono::steady_clock::now();
    rewrite(source);
    CAPTURE(source);
    REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  }
}

TEST_CASE("with separate compilation, device code is shared between files") {
  RewriteOptions options;
  options.separate_compilation = true;
  const std::string text =
      rewrite(
          "__device__ int f(int x) { return x; } __device__ int n; __constant__ int c; "
          "extern __device__ int m;",
          options)
          .text;
  CHECK(text.find("static") == std::string::npos);
  CHECK(text.find("emu_device") != std::string::npos);
  CHECK(text.find("__device__") == std::string::npos);
}

TEST_CASE("what is not changed keeps its column, if that is asked for") {
  const std::string source =
      "# 1 \"a.cu\"\n"
      "__global__ void k(float* p, int n) { p[n] = 0; }  __device__ int f(int x) { return x - 1; "
      "}\n"
      "void g(float* p) { k<<<1, 32>>>(p, f(2) + 3); p = nullptr; }\n"
      "__global__ void j(int* p) {\n  __shared__ int all[4]; all[0] = 1;\n  *p = all[*p]; }\n";
  const auto column_in = [](const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return at - text.rfind('\n', at);
  };
  const auto lines_before = [](const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part), marker = text.rfind("\n# ", at);
    const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(marker) + 1,
                                  text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return std::stol(text.substr(marker + 3)) + lines - 1;
  };
  RewriteOptions options;
  options.keeps_columns = true;
  const std::string kept = rewrite(source, options).text, moved = rewrite(source).text;
  for (const std::string part :
       {"p[n] = 0", "return x - 1", "(p, f(2) + 3)", "p = nullptr", "all[0] = 1", "*p = all"}) {
    CAPTURE(part);
    CAPTURE(kept);
    CHECK(column_in(kept, part) == column_in(source, part));
    CHECK(lines_before(kept, part) == lines_before("\n" + source, part));
  }
  CHECK(column_in(moved, "p[n] = 0") != column_in(source, "p[n] = 0"));
}

TEST_CASE("g++ compiles every case after its rewriting, warnings being errors") {
  std::string includes = "#include <cuda_runtime.h>\n";
  std::string bodies;
  int number = 0;
  for (const auto& c : nvcc_tests::all_cases()) {
    std::istringstream in(c.source);
    bodies += "namespace case_" + std::to_string(number++) + " {\n# 1 " + quoted(c.name) + "\n";
    for (std::string line; std::getline(in, line);) {
      const bool include = line.rfind("#include", 0) == 0;
      if (include) includes += line + "\n";
      bodies += (include ? "" : line) + "\n";
    }
    bodies += "\n}\n";
  }
  RewriteOptions options;
  options.keeps_columns = true;
  const RewriteResult result = rewrite(includes + bodies, options);
  CHECK(result.errors.empty());

  const tools::TemporaryFolder folder;
  const auto file = folder.write("batch.cpp", result.text);
  const auto compiled = tools::run_command(
      {COURSE_CXX_COMPILER, "-std=c++20", "-D__CUDACC__", "-I", EMULATOR_INCLUDE, "-O2",
       "-fsanitize=thread", "-Wall", "-Wextra", "-Wshadow", "-Werror",
       // The cases are so short that most declarations are unused.
       "-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
       "-Wno-unused-parameter", "-Wno-volatile", "-Wno-uninitialized", "-c", file.string(), "-o",
       (folder.path() / "batch.o").string()});
  CHECK(compiled.err == "");
  CHECK(compiled.status == 0);
}

TEST_CASE("with separate compilation, device code launches kernels") {
  RewriteOptions options;
  options.separate_compilation = true;
  const auto result = rewrite(
      "__global__ void k(int n);\n__device__ void f() {\n k<<<1, 2>>>(3);\n}\n"
      "void g() { k<<<1, 2>>>(3); }\n",
      options);
  CHECK(result.errors.empty());
  CHECK(result.text.find("\n (::emu::push_launch(1, 2), k(3), ::emu::launched());\n") !=
        std::string::npos);
  CHECK(result.text.find("{ (::emu::push_launch(1, 2), k(3)); }\n") != std::string::npos);
}
