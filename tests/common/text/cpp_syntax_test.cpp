/// Tests the lexer and the small grammar that rewrites are based on.

#include "course/cpp_syntax.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "course/cpp_source.hpp"

using course::cpp::kNoToken;
using course::cpp::Parameter;
using course::cpp::Range;
using course::cpp::Source;
using course::cpp::TokenKind;

namespace {

std::vector<std::string> spellings(const std::string& text) {
  const Source s(text);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < s.size(); ++i) result.emplace_back(s.spelling(i));
  return result;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("tokens") {
  CHECK(spellings("a+b->c::d") == Words{"a", "+", "b", "->", "c", "::", "d"});
  CHECK(spellings("x<<y>>z") == Words{"x", "<", "<", "y", ">", ">", "z"});
  CHECK(spellings("a<=b>=c<<=1>>=2<=>3") ==
        Words{"a", "<=", "b", ">=", "c", "<<=", "1", ">>=", "2", "<=>", "3"});
  CHECK(spellings("1.5e-3f 0x1p+4 1'000'000ull .5 1..2") ==
        Words{"1.5e-3f", "0x1p+4", "1'000'000ull", ".5", "1..2"});
  CHECK(spellings("'\\'' u8\"a\\\"b\"_s L'x' \"\"sv") ==
        Words{"'\\''", "u8\"a\\\"b\"_s", "L'x'", "\"\"sv"});
  CHECK(spellings("R\"(a \" ) b)\" uR\"xy()\")xy\" c") ==
        Words{"R\"(a \" ) b)\"", "uR\"xy()\")xy\"", "c"});
  CHECK(spellings("a // b\nc /* d\n*/ e") == Words{"a", "c", "e"});
  CHECK(spellings("a\n#pragma x y \\\n z\nb") == Words{"a", "b"});
  CHECK(spellings("operator<<<int> operator () operator-> operator new operator bool") ==
        Words{"operator<<", "<", "int", ">", "operator ()", "operator->", "operator", "new",
              "operator", "bool"});
}

TEST_CASE("lines and files") {
  const Source s("a\n\nb\n# 10 \"f.h\" 1 3\nc\n/*\n*/ d R\"(\n)\" e\n# 4 \"m.cu\" 2\ng", "m.cu");
  const std::vector<unsigned> lines = {1, 3, 10, 12, 12, 13, 4};
  const std::vector<std::string> files = {"m.cu", "m.cu", "f.h", "f.h", "f.h", "f.h", "m.cu"};
  REQUIRE(s.size() == lines.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    CAPTURE(i);
    CHECK(s.tokens()[i].line == lines[i]);
    CHECK(s.file(i) == files[i]);
    CHECK(s.tokens()[i].system_header == (files[i] == "f.h"));
  }
}

TEST_CASE("brackets find their partners, in broken code as well") {
  const Source s("{ ( [ ] ) } ) ( {");
  CHECK(s.partner(0) == 5);
  CHECK(s.partner(4) == 1);
  CHECK(s.partner(2) == 3);
  CHECK(s.partner(6) == kNoToken);
  CHECK(s.partner(7) == kNoToken);
  CHECK(s.partner(8) == kNoToken);
}

TEST_CASE("the names of parameters") {
  const auto name_of = [](const std::string& text, bool of_template) {
    const Source s(text);
    const Range all{0, s.size()};
    const Parameter p =
        of_template ? read_template_parameter(s, all) : read_function_parameter(s, all);
    return (p.name == kNoToken ? "-" : std::string(s.spelling(p.name))) + (p.pack ? "..." : "");
  };
  const std::vector<std::pair<std::string, std::string>> function = {
      {"int", "-"},
      {"int x", "x"},
      {"unsigned long x = f(1, 2)", "x"},
      {"T", "-"},
      {"T x", "x"},
      {"const T", "-"},
      {"T const", "-"},
      {"a::B", "-"},
      {"a::B c", "c"},
      {"::B c", "c"},
      {"A<int> x", "x"},
      {"A<(1 > 2)>", "-"},
      {"struct S", "-"},
      {"struct S s", "s"},
      {"typename A<T>::type", "-"},
      {"typename A<T>::type x", "x"},
      {"float (*f)(int)", "f"},
      {"float (*)(int)", "-"},
      {"int (&a)[3]", "a"},
      {"int a[2][3]", "a"},
      {"Ts... ts", "ts..."},
      {"Ts...", "-..."},
      {"const Ts&... ts", "ts..."},
      {"auto x", "x"},
      {"decltype(1) x", "x"},
      {"T* __restrict__ p", "p"},
      {"T* __restrict__", "-"},
      {"[[maybe_unused]] T x", "x"},
      {"T x [[maybe_unused]]", "x"},
      {"const __grid_constant__ P p", "p"},
      {"void (S::*m)(int)", "m"},
      {"A<B<C>> x = A<B<C>>{}", "x"}};
  for (const auto& [text, name] : function) {
    CAPTURE(text);
    CHECK(name_of(text, false) == name);
  }
  const std::vector<std::pair<std::string, std::string>> templates = {
      {"class T", "T"},
      {"typename", "-"},
      {"class = void", "-"},
      {"typename T = A<int>", "T"},
      {"class... Ts", "Ts..."},
      {"typename...", "-..."},
      {"int N", "N"},
      {"int N = (1 > 2)", "N"},
      {"int", "-"},
      {"int... Is", "Is..."},
      {"auto V", "V"},
      {"typename T::type v", "v"},
      {"typename T::type = 0", "-"},
      {"template <class> class C", "C"},
      {"template <class...> typename C = A", "C"},
      {"template <class> class", "-"},
      {"Concept T", "T"},
      {"Concept<int> T", "T"},
      {"Concept", "-"},
      {"float (*F)(float)", "F"},
      {"std::enable_if_t<(N > 2), int> = 0", "-"},
      {"template <class> class... Cs", "Cs..."}};
  for (const auto& [text, name] : templates) {
    CAPTURE(text);
    CHECK(name_of(text, true) == name);
  }
}

TEST_CASE("template argument lists end where they end") {
  const auto close = [](const std::string& text) {
    const Source s(text);
    const auto end = close_angle(s, 1);
    return end ? static_cast<int>(*end) : -1;
  };
  CHECK(close("A<int> x") == 3);
  CHECK(close("A<B<int>> x") == 6);
  CHECK(close("A<(1 > 2)> x") == 7);
  CHECK(close("A<1 << 2> x") == 6);
  CHECK(close("A<x < y> z") == 5);
  CHECK(close("A<B<C<int>>::v, 3> x") == 13);
  CHECK(close("a < b;") == -1);
  CHECK(close("a < b)") == -1);
  CHECK(close("a < b static c > d") == -1);
}

TEST_CASE("hopeless input ends in time") {
  std::string text = "a < ";
  for (int i = 0; i < 5000; ++i) text += "b < ";
  const Source s(text + ";");
  CHECK_FALSE(close_angle(s, 1).has_value());
  CHECK_FALSE(close_launch(Source("k<<<" + text + ";"), 1).has_value());
}
