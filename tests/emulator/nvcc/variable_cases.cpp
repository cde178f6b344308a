#include "cases.hpp"

namespace nvcc_tests {
namespace {

std::string section(const std::string& kind, const std::string& name) {
#if defined(__aarch64__)
  const std::string comment = "//";
#else
  const std::string comment = "#";
#endif
  return "__attribute__((section(\"emu_" + kind + ",\\\"aw\\\"" + comment + name + "\"), unused))";
}

}  // namespace

std::vector<Case> variable_cases() {
  return {
      {"scalars and arrays",
       "__device__ int a; __device__ float b[4]; __device__ int* c; __constant__ float d[3]; "
       "__managed__ int e;",
       {"static " + section("device", "a") + " int a;",
        "static " + section("device", "b") + " float b[4];",
        "static " + section("device", "c") + " int* c;",
        "static " + section("constant", "d") + " float d[3];",
        "static " + section("managed", "e") + " int e;"},
       {"__device__", "__constant__", "__managed__"}},
      {"several declarators",
       "__device__ int a = 1, b[2] = {3, 4}, *c = nullptr;",
       {section("device", "a") + " int a = 1, b[2] = {3, 4}, *c = nullptr;"}},
      {"static ones of device functions, unless they are constant",
       "struct T { static int number(int x) { return x; } };\n"
       "template <class A, class B> struct Pair { A a; B b; };\n"
       "__device__ int f(int x) { static int n = 0; static const int t[2] = {1, 2}; "
       "const static char* s = \"s\"; static constexpr int k = 2; static int* const p = nullptr; "
       "static int (*g)(int) = nullptr; static Pair<const int*, int> q; alignas(8) static int "
       "l[2]; "
       "{ static unsigned m; n += int(++m); } (void)p; (void)s; (void)g; (void)q; (void)l; "
       "return ++n + t[x] + k; }\n"
       "template <class A> __device__ A h() { static A n = 0, m = 1; return ++n + m; }\n"
       "int host() { static int m; return ++m; }",
       {"unused)) int n = 0;", "static const int t[2]", "unused)) char* s =",
        "static constexpr int k", "static int* const p", "unused)) int (*g)(int)",
        "unused)) Pair<const int*, int> q;", "unused)) int l[2];", "unused)) unsigned m;",
        "unused)) A n = 0, m = 1;", "int host() { static int m;", "static int number(int x)"}},
      {"initialisers",
       "struct P { int x, y; constexpr P(int a, int b) : x(a), y(b) {} };\n"
       "__device__ int a[3] = {1, 2, 3}; __device__ int b{4}; __device__ int c(5); __device__ P "
       "d(1, 2); __device__ P e = P(3, 4); "
       "__constant__ const float g[] = {1.0f, 2.0f}; __device__ float h = -1.0f; __device__ int "
       "i(-3);",
       {section("device", "a") + " int a[3] = {1, 2, 3};", section("device", "b") + " int b{4};",
        section("device", "c") + " int c(5);", section("device", "d") + " P d(1, 2);",
        section("device", "e") + " P e = P(3, 4);",
        section("constant", "g") + " const float g[] = {1.0f, 2.0f};",
        section("device", "i") + " int i(-3);"}},
      {"order of the specifiers",
       "int __device__ a; static __device__ int b; __device__ static int c; const __device__ int d "
       "= 1; unsigned __constant__ e; "
       "__device__ volatile int g; __device__ __managed__ int h; __device__ __constant__ int i; "
       "alignas(16) __device__ float j[4]; __device__ alignas(16) float l[4];",
       {"int static " + section("device", "a") + " a;",
        "static " + section("device", "b") + " int b;", section("device", "c") + " static int c;",
        section("managed", "h") + " int h;", section("constant", "i") + " int i;",
        "alignas(16) static " + section("device", "j") + " float j[4];",
        "alignas(16) static " + section("device", "l") + " float l[4];"},
       {"static static", "__device__"}},
      {"const, constexpr and inline, beside plain ones",
       "__device__ int plain = 1; __device__ const int a = 2; __device__ constexpr int b = 3; "
       "constexpr __device__ float c = 4.0f; inline static __device__ int d = 5; "
       "__constant__ int e; __constant__ const int g = 7; __constant__ constexpr int h = 8; "
       "static_assert(a + b == 5); int array[h];\n"
       "__global__ void k(int* p) { p[0] = plain + a + b + int(c) + d + e + g + h; p[1] = *(&a) + "
       "*(&g); }",
       {section("device", "a") + " const int a = 2;",
        section("device", "b") + " constexpr int b = 3;"}},
      {"templates",
       "template <class T> __device__ T zero = T(0); template <class T> __constant__ T table[4] = "
       "{};\n"
       "template <int N> struct S { static int v; }; template <int N> __device__ int S<N>::v = N;\n"
       "__device__ int plain; __global__ void k(float* p) { *p = zero<float> + zero<int> + "
       "table<float>[1] + S<3>::v + plain; }",
       {"template <class T> " + section("device", "zero") + " T zero = T(0);",
        "template <class T> " + section("constant", "table") + " T table[4] = {};"},
       {"static __attribute__((section(\"emu_device,\\\"aw\\\"#zero"}},
      {"namespaces",
       "namespace a { __device__ int x; namespace { __constant__ int y; } }\n__global__ void k() { "
       "a::x = a::y; }",
       {"static " + section("device", "x"), "static " + section("constant", "y")}},
      {"extern stays extern",
       "extern __device__ int x; extern __constant__ float t[4]; __device__ int x = 3; __global__ "
       "void k() { x = 4; }",
       {"extern " + section("device", "x") + " int x;",
        "extern " + section("constant", "t") + " float t[4];",
        "; " + section("device", "x") + " int x = 3;"},
       {"static"}},
      {"structures and anonymous types",
       "struct P { int x; }; __device__ struct P a; __device__ struct { int u; } b; __constant__ "
       "struct Q { int v; } c[2];\n__global__ void k() { a.x = b.u + c[0].v; }",
       {section("device", "a") + " struct P a;", section("device", "b") + " struct { int u; } b;",
        section("constant", "c") + " struct Q { int v; } c[2];"}},
      {"function pointers",
       "using F = float (*)(float);\n__device__ float twice(float x) { return 2 * x; }\n__device__ "
       "F a = twice; __device__ F b[] = {twice}; "
       "__device__ float (*c)(float) = twice; __device__ float (*d[2])(float) = {twice, "
       "twice};\n__global__ void k(float* p) { *p = a(b[0](c(d[1](*p)))); }",
       {section("device", "a") + " F a = twice;", section("device", "b") + " F b[] = {twice};",
        section("device", "c") + " float (*c)(float) = twice;",
        section("device", "d") + " float (*d[2])(float)"}},
      {"a lambda as initialiser",
       "__device__ auto f = [] __device__ (int x) { return x + 1; };\n__global__ void k(int* p) { "
       "*p = f(*p); }",
       {section("device", "f") + " auto f = [] (int x) { return x + 1; };"}},
      {"types with arguments",
       "#include <array>\ntemplate <int N> struct A { int x[N]; };\n__device__ A<sizeof(int)> a; "
       "__device__ A<(3 > 2)> b; __device__ std::array<float, 3> c = {1, 2, 3}; __device__ "
       "A<A<2>{}.x[0] + 1> d;",
       {section("device", "a") + " A<sizeof(int)> a;", section("device", "b") + " A<(3 > 2)> b;",
        section("device", "c") + " std::array<float, 3> c = {1, 2, 3};"}},
      {"static in a function",
       "__device__ int f() { static __device__ int n = 3; static __constant__ const int t[2] = {1, "
       "2}; return n + t[1]; }\n__global__ void k(int* p) { *p = f(); }",
       {"static " + section("device", "n") + " int n = 3;",
        "static " + section("constant", "t") + " const int t[2] = {1, 2};"}},
  };
}

}  // namespace nvcc_tests
