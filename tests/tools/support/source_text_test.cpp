#include "tools/support/source_text.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tools/support/subprocess.hpp"

namespace {

using Words = std::vector<std::string>;

/// Returns "kernel", or "name()" for a function that is not a kernel.
Words names_in(const Words& lines) {
  Words names;
  for (const tools::Function& function : tools::functions_in(lines))
    names.push_back(function.is_kernel ? function.name : function.name + "()");
  return names;
}

}  // namespace

TEST_CASE("a source is its functions and what stands beside them; a structure is no function") {
  const Words source = {"/// One.",
                        "struct alignas(8) One {",
                        "  float x;",
                        "};",
                        "",
                        "/// Kernel.",
                        "__global__ void kernel(int n,",
                        "                       One* one) {",
                        "  one[n].x = 0;",
                        "}"};
  const auto functions = tools::functions_in(source);
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].name == "kernel");
  CHECK(functions[0].is_kernel);
  CHECK(functions[0].documentation_lines == 1);
  CHECK(functions[0].lines == Words(source.begin() + 5, source.end()));
  CHECK(tools::lines_beside_functions(source) == Words(source.begin(), source.begin() + 5));
}

TEST_CASE("a function is found by its tokens, wherever they stand") {
  CHECK(names_in({"  template <int kSize,", "            class T>", "  static __global__ void",
                  "  __launch_bounds__(32, 4)", "  indented(T* p) {", "  }"}) == Words{"indented"});
  CHECK(names_in({"namespace a::b {", "inline namespace {", "extern \"C\" {",
                  "[[nodiscard]] auto f(int a = g(1)) -> int", "{", "return a; }", "}", "}",
                  "}"}) == Words{"f()"});
  CHECK(names_in({"bool operator==(const A& a,", "  const A& b) {", "  return a.x == b.x; }"}) ==
        Words{"operator==()"});
  CHECK(names_in({"A::A(int x) : x_{x}, y_(f({x})) {", "  run();", "}"}) == Words{"A()"});
  CHECK(names_in({"template <>", "__global__ void tag<7>(int* out) {", "}"}) == Words{"tag"});
  CHECK(names_in({"MACRO(1)", "void after() {", "}", "TEST_CASE(\"a\") {", "}"}) ==
        Words{"after()"});
}

TEST_CASE("what only looks like a function is none") {
  CHECK(names_in({"void declared(int a,", "              int b);", "int one_line() { return 1; }"})
            .empty());
  CHECK(names_in({"// void f() {", "// }", "/* void f() {", "} */", "#define F void f() {",
                  "const char* text = R\"(void f() {", "})\";"})
            .empty());
  CHECK(names_in({"const auto f = [](int a) {", "  return a;", "};", "int values[] = {", "  1};",
                  "struct S {", "  void f() {", "  }", "};", "enum E {", "  a", "};"})
            .empty());
}

TEST_CASE("a brace in a string or in a comment ends nothing") {
  const Words source = {"/// f.", "void f() {", "  puts(\"}\");  // }", "  /* } */ g('}');",
                        "}",      "int after;"};
  const auto functions = tools::functions_in(source);
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].lines == Words(source.begin(), source.begin() + 5));
  CHECK(tools::lines_beside_functions(source) == Words{"int after;"});
}

TEST_CASE("a passage is a function with its documentation, or a structure with its template") {
  const tools::TemporaryFolder folder;
  const auto file = folder.write("a.cuh",
                                 "/// One.\ntemplate <class T>\nstruct One final {\n  T f() {\n"
                                 "    return {};\n  }\n};\n\n/// f.\nvoid f() {\n}\n");
  CHECK(tools::passage_named(file, "f") == Words{"/// f.", "void f() {", "}"});
  CHECK(tools::passage_named(file, "One") == Words{"template <class T>", "struct One final {",
                                                   "  T f() {", "    return {};", "  }", "};"});
  CHECK_THROWS_WITH_AS(tools::passage_named(file, "two"),
                       (file.string() + " has no function or structure two").c_str(),
                       std::runtime_error);
}

TEST_CASE("arrays in constant memory have names") {
  CHECK(tools::constant_arrays_in(
            {"__constant__ float table[32];", "constexpr int kSize[] = {1};",
             "static __constant__ int", "    other[] = {1, 2};", "__constant__ float one;",
             "void f() { __constant__ int inner[2]; }"}) == Words{"table", "other"});
}

TEST_CASE("the code of a line") {
  CHECK(tools::code_of_line("  a[i] = \"//\";  // why") == "a[i] = \"//\";");
  CHECK(tools::code_of_line("  // nothing") == "");
}
