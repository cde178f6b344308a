/// The rules that need no compiler: the text as it was handed in, and the table.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tools/coursework/confine/kernel_signature.hpp"
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
  CHECK(refused_by("int x; // # 12\n#\n#if 0 // line\n#elif 1\n#else\n#endif\n") == "");
  CHECK(refused_by("\xef\xbb\xbf// a mark of the byte order, \xc3\xa4\r\n") == "");
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

TEST_CASE("a signature says how many arguments lie on the stack") {
  CHECK(read_signature("void k(int n, float* a)").stack_words == 0);
  CHECK(read_signature("void k()").stack_words == 0);
  CHECK(
      read_signature("void k(int a, int b, int c, const float* d, const float* e, float* f, int g)")
          .stack_words == 1);
  CHECK(read_signature("void k(float a, double b, float c, float d, float e, float f, float g, "
                       "float h, float i, double j, int k)")
            .stack_words == 2);
  CHECK(read_signature("void scale(int n, float* data)").name == "scale");
  CHECK_THROWS(read_signature("int k(int n)"));
  CHECK_THROWS(read_signature("void k(float4 v)"));
  CHECK_THROWS(read_signature("void k(int n); int x"));
}
