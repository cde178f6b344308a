/// Tests merging the texts that host code and device code see of a source into one.

#include "merge_sides.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cases.hpp"
#include "course/cpp_source.hpp"
#include "rewriter.hpp"

using emulator_nvcc::merge_sides;
using emulator_nvcc::MergedSides;
using nvcc_tests::collapse_blanks;

namespace {

/// Returns the text that one side sees between `#ifdef __CUDA_ARCH__`, `#else` and `#endif`. Lines
/// keep their positions.
std::string side_of(const std::string& source, bool is_device) {
  std::istringstream in(source);
  std::string result;
  bool is_seen = true;
  for (std::string line; std::getline(in, line); result += '\n') {
    if (line == "#ifdef __CUDA_ARCH__") {
      is_seen = is_device;
    } else if (line == "#ifndef __CUDA_ARCH__") {
      is_seen = !is_device;
    } else if (line == "#else") {
      is_seen = !is_seen;
    } else if (line == "#endif") {
      is_seen = true;
    } else if (is_seen) {
      result += line;
    }
  }
  return result;
}

MergedSides merged(const std::string& source) {
  return merge_sides(side_of(source, false), side_of(source, true), "a.cu");
}

/// Returns the tokens of a text, separated by blanks.
std::string words(const std::string& text) {
  const course::cpp::Source s(text);
  std::string result;
  for (std::size_t i = 0; i < s.size(); ++i)
    result += (i == 0 ? "" : " ") + std::string(s.spelling(i));
  return result;
}

std::string if_then_else(const std::string& device, const std::string& host) {
  return "{ if (::emu::in_kernel()) {" + device + "} else __host__ {" + host + "} }";
}

struct Case {
  std::string source;
  std::string wanted;  // blanks may differ
};

}  // namespace

TEST_CASE("each side has what it would have with nvcc") {
  const Case cases[] = {
      // Kernels and device functions come from the device's text, host functions from the host's.
      {"__global__ void k() { f(\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n); }",
       "__global__ void k() { f(1); }"},
      {"__device__ int f() { return\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n; }",
       "__device__ int f() { return 1; }"},
      {"int f() { return\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n; }", "int f() { return 2; }"},
      // A function for both sides has two bodies.
      {"template <class T> __host__ __device__ T f(T x) {\n#ifdef __CUDA_ARCH__\nreturn "
       "1;\n#endif\nreturn 2; }",
       "template <class T> __host__ __device__ T f(T x)" +
           if_then_else("return 1; return 2;", "return 2;")},
      {"constexpr int f() { return\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n; }",
       "constexpr int f() { if (!__builtin_is_constant_evaluated() && ::emu::in_kernel()) { return "
       "1; } else __host__ { return 2; } }"},
      {"#ifdef __CUDA_ARCH__\n__device__\n#else\n__host__\n#endif\nint f() { return 1; }",
       "__host__ __device__ int f() { return 1; }"},
      {"#ifdef __CUDA_ARCH__\n__device__ int f() { return 1; }\n#else\nint f() { return "
       "2; }\n#endif\n",
       "__host__ __device__ int f()" + if_then_else("return 1;", "return 2;")},
      {"struct S { int x; __host__ __device__ S() : x(1) {\n#ifdef __CUDA_ARCH__\nx = "
       "2;\n#endif\n} };",
       "struct S { int x; __host__ __device__ S() : x(1)" + if_then_else("x = 2;", "") + " };"},
      // Parts that one side lacks.
      {"#ifdef __CUDA_ARCH__\n__device__ int f() { return 1; }\n#else\nint g() { return "
       "2; }\n#endif\nint h;",
       "int g() { return 2; } __device__ int f() { return 1; } int h;"},
      {"#ifdef __CUDA_ARCH__\nint f() { return 1; }\n#else\n__device__ int g() { return "
       "2; }\n__global__ void k() {}\n__constant__ int c;\n#endif\nint h;",
       "int h;"},
      {"namespace n { extern \"C\" {\n#ifdef __CUDA_ARCH__\n__device__ int f();\n#endif\n} int i; "
       "}",
       "namespace n { extern \"C\" { __device__ int f(); } int i; }"},
      {"int a;\n#ifndef __CUDA_ARCH__\n#pragma pack\nint b = 1, c{2};\n#endif\n__global__ void k() "
       "{}",
       "int a; int b = 1, c{2}; __global__ void k() {}"},
      // A name with two meanings becomes two names.
      {"#ifdef __CUDA_ARCH__\nconst int n = 1;\n#else\nconst int n = 2;\n#endif\n"
       "__global__ void k() { f(n); }\nvoid h() { f(n); }\n__host__ __device__ int b() { return n; "
       "}",
       "const int n = 2; const int n_on_device = 1; __global__ void k() { f(n_on_device); } void "
       "h() "
       "{ f(n); } __host__ __device__ int b()" +
           if_then_else("return n_on_device;", "return n;")},
      {"#ifdef __CUDA_ARCH__\ntypedef float T;\n#else\ntypedef double T;\n#endif\nusing U = T*;\n"
       "__device__ U u;",
       "typedef double T; using U = T*; typedef float T_on_device; using U_on_device = "
       "T_on_device*; "
       "__device__ U_on_device u;"},
      // A class is defined once, with the device's constants and types.
      {"struct S {\n#ifdef __CUDA_ARCH__\nenum { kBanks = 32 };\n#else\nenum { kBanks = 16 };\n"
       "#endif\nint a[kBanks]; };",
       "struct S { enum { kBanks = 32 }; int a[kBanks]; };"},
      {"struct S {\n#ifdef __CUDA_ARCH__\nusing T = float;\n#else\nusing T = double;\n#endif\n"
       "T a; };",
       "struct S { using T = float; T a; };"},
      // If a constant is spelled differently, the host's is used, also by device code.
      {"struct A {};\n#ifdef __CUDA_ARCH__\n__device__ constexpr A a{};\n#else\n"
       "inline constexpr A a{};\n#endif",
       "struct A {}; inline constexpr A a{};"},
      {"__host__ __device__ int f() noexcept { return\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n"
       "#endif\n; }",
       "__host__ __device__ int f() noexcept" + if_then_else("return 1;", "return 2;")},
      // Lambdas for the device in host functions.
      {"void h() { g([=] __device__ (int i) { f(\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n); "
       "},\n#ifdef __CUDA_ARCH__\n3\n#else\n4\n#endif\n); }",
       "void h() { g([=] __device__ (int i) { f(1); }, 4); }"},
      {"void h() { g([=] __host__ __device__ { f(\n#ifdef __CUDA_ARCH__\n1\n#else\n2\n#endif\n); "
       "}); }",
       "void h() { g([=] __host__ __device__" + if_then_else("f(1);", "f(2);") + "); }"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.source);
    const MergedSides one = merged(c.source);
    CHECK(one.errors.empty());
    CHECK(words(one.text) == words(c.wanted));
  }
}

TEST_CASE("a header that one side includes earlier stands there for both") {
  const std::string header = "# 1 \"h.h\" 1\nstruct H { int a; };\nint f();\n";
  const std::string other = "# 2 \"a.cu\" 2\nint g;\n";
  const std::string end = "# 9 \"a.cu\" 2\n__global__ void k() { H h; }\n";
  for (const bool is_early_on_device : {true, false}) {
    const std::string early = header + other + end, late = other + header + end;
    const MergedSides one =
        is_early_on_device ? merge_sides(late, early, "a.cu") : merge_sides(early, late, "a.cu");
    CHECK(one.errors.empty());
    for (const char* const word : {"struct H", "int f", "int g", "void k"})
      CHECK(one.text.find(word) == one.text.rfind(word));
    CHECK(one.text.find("\" 1\n") == one.text.npos);
    CHECK(one.text.find("\" 2\n") == one.text.npos);
  }
}

TEST_CASE("a file that one side reads alone stands apart from what both have") {
  const std::string file = "# 2 \"a.cu\" 2\nnamespace n { int both(); }\n";
  const MergedSides one = merge_sides(
      "# 1 \"a.cu\"\n\n" + file,
      "# 1 \"a.cu\"\n# 1 \"d.h\" 1\nnamespace n { __device__ int alone(); }\n" + file, "a.cu");
  CHECK(one.errors.empty());
  CHECK(words(one.text) ==
        words("namespace n { __device__ int alone(); } namespace n { int both(); }"));
}

TEST_CASE("in a library, what differs by a default for the architecture is the device's") {
  const auto side = [](const std::string& arch, const std::string& result) {
    return "# 1 \"lib.cuh\" 1 3\ntemplate <int kArch = " + arch +
           "> struct S { int f() const; __host__ __device__ int g() { return " + result +
           "; } };\ntemplate <int kArch = " + arch + "> __host__ __device__ int h() { return " +
           result + "; }\n";
  };
  const MergedSides one = merge_sides(side("0", "2"), side("900", "1"), "a.cu");
  CHECK(one.errors.empty());
  const std::string body = if_then_else("return 1;", "return 2;");
  CHECK(words(one.text) ==
        words("template <int kArch = 900> struct S { int f() const; __host__ __device__ int g()" +
              body + " }; template <int kArch = 900> __host__ __device__ int h()" + body));
}

TEST_CASE("what cannot be one text is an error with its line") {
  const struct {
    std::string source;
    unsigned line;
    std::string what;
  } wrongs[] = {
      {"struct S { int a;\n#ifdef __CUDA_ARCH__\nint b;\n#endif\n};", 3, "a member of the class"},
      {"struct S { int a;\n#ifndef __CUDA_ARCH__\nint b;\n#endif\n};", 3, "a member of the class"},
      {"#ifdef __CUDA_ARCH__\nconst int n = 1;\n#else\nconst int n = 2;\n#endif\nstruct S { int "
       "a[n]; };",
       6, "a member of the class"},
      {"void h() {\nstruct S { __device__ void f() {\n#ifdef __CUDA_ARCH__\ng();\n#endif\n} }; }",
       1, "the device code in 'h'"},
  };
  for (const auto& wrong : wrongs) {
    CAPTURE(wrong.source);
    const MergedSides one = merged(wrong.source);
    REQUIRE(one.errors.size() == 1);
    CHECK(one.errors[0].file == "a.cu");
    CHECK(one.errors[0].line == wrong.line);
    CHECK(one.errors[0].message ==
          wrong.what +
              " is not the same in host and device code (__CUDA_ARCH__); the emulator compiles "
              "both at once");
  }
}

TEST_CASE("every word keeps its file and line, and in kernels its column") {
  const std::string source =
      "# 7 \"b.h\" 1\nint b;\n#ifdef __CUDA_ARCH__\n  __device__ int c() { return 1; }\n#else\nint "
      "c() "
      "{ return 2; }\n#endif\n# 1 \"a.cu\" 2\n\nint d;\n__global__ void k() {\n#ifdef "
      "__CUDA_ARCH__\n    call(1);\n#else\n  call(2);\n#endif\n}\n\nint e;\n\n#ifndef "
      "__CUDA_ARCH__\nint f;\n#endif\nint g;\n";
  const course::cpp::Source host(side_of(source, false)), device(side_of(source, true)),
      one(merged(source).text);
  const auto place_of = [](const course::cpp::Source& s, const std::string& word) {
    std::size_t i = 0;
    while (i < s.size() && !s.is(i, word)) ++i;
    REQUIRE(i < s.size());
    const std::size_t begin = s.tokens()[i].begin, line = s.text().rfind('\n', begin);
    return s.file(i) + ':' + std::to_string(s.tokens()[i].line) + ':' +
           std::to_string(begin - (line == std::string::npos ? 0 : line + 1));
  };
  for (const char* const word : {"b", "d", "k", "e", "f", "g", "2"})
    CHECK(place_of(one, word) == place_of(host, word));
  for (const char* const word : {"c", "call", "1"})
    CHECK(place_of(one, word) == place_of(device, word));
}

TEST_CASE("the host's body of a function of both sides is no device code") {
  const MergedSides one = merged(
      "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\nreturn 1;\n#else\nasm(\"nop\"); return "
      "2;\n#endif\n}");
  const emulator_nvcc::RewriteResult result = emulator_nvcc::rewrite(one.text);
  CHECK(result.errors.empty());
  CHECK(collapse_blanks(result.text).find("__host__") == std::string::npos);
  const MergedSides other =
      merged("__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\nasm(\"nop\");\n#endif\n}");
  CHECK(emulator_nvcc::rewrite(other.text).errors.size() == 1);
}
