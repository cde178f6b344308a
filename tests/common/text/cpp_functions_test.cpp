/// Tests which functions are found in a CUDA source, and their parts.

#include "course/cpp_functions.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace course::cpp;

namespace {

struct Found {
  Source source;
  Functions functions;

  explicit Found(const std::string& text)
      : source(text), functions(find_functions(source, std::vector<bool>(source.size(), true))) {}

  std::string names() const {
    std::string all;
    for (const Definition& one : functions.definitions)
      all += std::string(source.spelling(one.name)) + " ";
    return all;
  }
  /// Returns the body of the first function.
  std::string body() const {
    const Definition& one = functions.definitions.at(0);
    const auto& tokens = source.tokens();
    return source.text().substr(tokens[one.body].begin,
                                tokens[one.last].end - tokens[one.body].begin);
  }
};

}  // namespace

TEST_CASE("definitions are found in namespaces, linkage blocks and classes, not in functions") {
  const Found found(
      "namespace a { inline namespace b { int f() { struct S { int g() { return 1; } }; return 2; "
      "} } }\n"
      "extern \"C\" { int c(void) { return 0; } }\n"
      "template <class T, int N = 3> struct P : Q<T> { public: P() {} ~P() {} int m() const { "
      "return N; } };\n"
      "__global__ void __launch_bounds__(32) k(int n) { for (;;) {} }\n");
  CHECK(found.names() == "f c P P m k ");
  const auto& all = found.functions.definitions;
  REQUIRE(all.size() == 6);
  CHECK_FALSE(all[0].is_global);
  CHECK(all[1].is_global);
  CHECK(all[2].is_member);
  CHECK(all[5].is_global);
  CHECK(all[5].is_for_device);
}

TEST_CASE("variables are no functions, whatever braces they have") {
  CHECK(
      Found("int a[] = {1, 2}; int b{3}; auto f = [](int x) { return x; };\n"
            "std::function<int(int)> g = [](int x) { return x; };\n"
            "int (*const table[2])(int) = {p, q}; enum class E { x }; struct S { int y; } s{1};\n")
          .names()
          .empty());
}

TEST_CASE("a body begins with a constructor's initialisers and ends with its last brace") {
  CHECK(Found("S::S(int x) : a{x}, b(x), c{{1}} { f(); }").body() ==
        ": a{x}, b(x), c{{1}} { f(); }");
  CHECK(Found("auto f(A::B b = {}) -> A::B { return b; }").body() == "{ return b; }");
  CHECK(Found("std::ostream& operator<<(std::ostream& o, P p) { return o; }").names() ==
        "operator<< ");
}

TEST_CASE("what is for the device") {
  const Found found(
      "__host__ __device__ int a() { return 1; } constexpr int b() { return 1; }\n"
      "int c() { return 1; } template <class T> __device__ constexpr T d(T t) { return t; }\n"
      "__device__ int e(int); void f();\n");
  const auto& all = found.functions.definitions;
  REQUIRE(all.size() == 4);
  CHECK(all[0].is_for_device);
  CHECK_FALSE(all[0].is_constant_only);
  CHECK(all[1].is_for_device);
  CHECK(all[1].is_constant_only);
  CHECK_FALSE(all[2].is_for_device);
  CHECK_FALSE(all[3].is_constant_only);
  REQUIRE(found.functions.declarations.size() == 2);
  CHECK(found.functions.declarations[0].is_for_device);
  CHECK_FALSE(found.functions.declarations[1].is_for_device);
}
