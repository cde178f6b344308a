/// Tests the rules that need no compiler: the text as handed in, and the table.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tools/coursework/confine/source_rules.hpp"

using namespace coursework::confine;

namespace {

std::string refused_by(const std::string& text) {
  const auto refusal = check_text(text);
  return refusal ? refusal->rule + " " + std::to_string(refusal->line) : "";
}

}  // namespace

TEST_CASE("directives that pretend to be another file are found however they are written") {
  CHECK(refused_by("#line 3 \"x\"\n") == "directive 1");
  CHECK(refused_by("\n  #  7 \"x\" 3\n") == "directive 2");
  CHECK(refused_by("%:line 3\n") == "directive 1");
  CHECK(refused_by("#li\\\nne 3\n") == "directive 1");
  CHECK(refused_by("#li\\  \nne 3\n") == "directive 1");
  CHECK(refused_by("/* x */ # /* y */ line 3\n") == "directive 1");
  CHECK(refused_by("/* x\n y */ #line 3\n") == "directive 2");
  CHECK(refused_by("#include_next <cstdio>\n") == "directive 1");
  CHECK(refused_by("#import <cstdio>\n") == "directive 1");
  CHECK(refused_by("#ident \"x\"\n") == "directive 1");
  CHECK(refused_by("#pragma GCC optimize(\"O0\")\n") == "pragma 1");
  CHECK(refused_by("#pragma weak f\n") == "pragma 1");
  CHECK(refused_by("#pragma unroll_and_jam\n") == "pragma 1");
}

TEST_CASE("what honest files have is no directive of that kind") {
  CHECK(refused_by("#include <cstdio>\n#define A 1\n#ifdef A\n#endif\n#pragma once\n") == "");
  CHECK(refused_by("#pragma unroll 4\n# pragma unroll\n#pragma nv_diag_suppress 177\n") == "");
  CHECK(refused_by("#pragma region a\n#pragma endregion\n#pragma omp parallel for\n") == "");
  CHECK(refused_by("#pragma GCC diagnostic ignored \"-Wunused\"\n") == "");
  CHECK(refused_by("int x; // # 12\n#\n#if 0 // line\n#elif 1\n#else\n#endif\n") == "");
  CHECK(refused_by("\xef\xbb\xbf// a mark of the byte order, \xc3\xa4\r\n") == "");
}

TEST_CASE("headers behind a macro are known by name, and keywords are no macros") {
  TextReport report;
  REQUIRE_FALSE(check_text("#include <cmath>\n#define A 1\n#include <vector>\n#ifdef B\n"
                           "# include \"mine.hpp\"\n#endif\n#include <cassert> // x\n",
                           &report)
                    .has_value());
  CHECK(report.first_macro == 2);
  CHECK(report.late_headers == std::vector<std::string>{"vector", "mine.hpp", "cassert"});
  CHECK(headers_to_include_first(report, {"/nowhere"}) ==
        std::vector<std::string>{"vector", "cassert"});
  CHECK(refused_by("#define A <cmath>\n#include A\n") == "include 2");
  CHECK(refused_by("#define inline\n#include <cmath>\n") == "include 2");
  CHECK(refused_by("#undef int\n#include <cmath>\n") == "include 2");
  CHECK(refused_by("#include <cmath>\n#define inline\n") == "");
}

TEST_CASE("messages are of the submission or of the compiler itself, never of other files") {
  CHECK(messages_about("a b.cu",
                       "In file included from /usr/include/x.h:1,\n"
                       "                 from a b.cu:1:\n"
                       "/usr/include/x.h:2:1: error: secret\n"
                       "x.h: In function 'f':\n"
                       "    2 | secret: 3\n"
                       "a b.cu:1:10: fatal error: y.h: No such file or directory\n"
                       "other:1: error: secret\n"
                       "compilation terminated.\n"
                       "g++-12: fatal error: File size limit exceeded signal terminated program "
                       "cc1plus\n"
                       "cc1plus: out of memory allocating 65536 bytes\n") ==
        "a b.cu:1:10: fatal error: y.h: No such file or directory\n"
        "g++-12: fatal error: File size limit exceeded signal terminated program cc1plus\n"
        "cc1plus: out of memory allocating 65536 bytes\n");
}

TEST_CASE("control characters are refused") {
  CHECK(refused_by("int x;\n\x1b[2J") == "text 2");
  CHECK(refused_by(std::string("int\0x;", 6)) == "text 1");
}

TEST_CASE("every rule has a name of its own, and says what it refuses and why") {
  std::set<std::string_view> names;
  for (const Rule& rule : rules()) {
    CHECK(names.insert(rule.name).second);
    CHECK_FALSE(rule.refuses.empty());
    CHECK_FALSE(rule.why.empty());
  }
}
