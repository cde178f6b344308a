#include "cases.hpp"

namespace nvcc_tests {
namespace {

const std::string kOwn = "static __attribute__((unused)) ";

}  // namespace

std::vector<Case> function_cases() {
  return {
      {"device functions belong to their file",
       "__device__ float f(float x) { return x; }\n__device__ inline float g(float x) { return x; "
       "}\ninline __device__ void h();\n"
       "__device__ __forceinline__ int i() { return 1; }\n__forceinline__ __device__ int j() { "
       "return i(); }\ninline void h() {}\n__global__ void k(float* p) { *p = f(g(*p)); h(); j(); "
       "}",
       {kOwn + "float f(float x)", kOwn + "inline float g(float x)",
        "inline " + kOwn + "void h();"},
       {"__device__"}},
      {"static ones stay",
       "static __device__ float f(float x) { return x; }\n__device__ static float g(float x) { "
       "return f(x); }\n__global__ void k(float* p) { *p = g(*p); }",
       {"static float f(float x)", "static float g(float x)"},
       {"static static", "__device__", "unused"}},
      {"host and device functions are shared",
       "__host__ __device__ float f(float x) { return x; }\n__device__ __host__ inline float "
       "g(float x) { return x; }\n__host__ float h(float x) { return f(g(x)); }\n"
       "__host__ __device__ constexpr int i(int x) { return x; }\n__host__ int main_like(int argc, "
       "char** argv) { return argc + **argv; }",
       {"float f(float x)", "inline float g(float x)", "constexpr int i(int x)"},
       {"static", "__host__", "__device__"}},
      {"declarations, then definitions",
       "__device__ int f(int); __device__ int f(int x);\n__device__ int f(int x) { return x; "
       "}\n__global__ void k(int* p) { *p = f(*p); }",
       {kOwn + "int f(int); " + kOwn + "int f(int x);"}},
      {"templates, specialisations, instantiations",
       "template <class T> __device__ T f(T x) { return x; }\ntemplate <> __device__ int "
       "f<int>(int x) { return x + 1; }\n"
       "template __device__ float f<float>(float);\ntemplate <class T> __host__ __device__ T g(T "
       "x) { return x; }\n__global__ void k(int* p) { *p = f(g(*p)); }",
       {"template <class T> T f(T x)", "template <> int f<int>(int x)",
        "template float f<float>(float);"},
       {"static", "__device__"}},
      {"extern \"C\" and extern",
       "extern \"C\" __device__ int f(int x) { return x; }\nextern __device__ int "
       "g(int);\n__device__ int g(int x) { return f(x); }\n__global__ void k(int* p) { *p = g(*p); "
       "}",
       {"extern \"C\" int f(int x)", "extern int g(int);"},
       {"static"}},
      {"members",
       "struct S { int v; __host__ __device__ S() : v{1}, w(2) {} __device__ explicit S(int x) : "
       "v(x) {} __device__ ~S() {} __device__ S(const S&) = default; "
       "__device__ int get() const { return v; } __device__ int twice() const; static __device__ "
       "int one() { return 1; } __device__ S& operator=(const S&) = default; "
       "__device__ bool operator<(const S& o) const { return v < o.v; } __device__ int "
       "operator()(int x) const { return x + v; } __device__ operator int() const { return v; } "
       "template <class T> __device__ T as() const { return T(v); } __device__ virtual void go() "
       "{} __device__ int& operator[](int) & { return v; } int w = 0; };\n"
       "__device__ int S::twice() const { return 2 * v; }\n__global__ void k(int* p) { S s(3); *p "
       "= s.get() + s.twice() + S::one() + s(1) + int(s) + s.as<int>() + (s < S()) + s[0]; }",
       {"S() : v{1}, w(2) {}", "explicit S(int x) : v(x) {}", "~S() = default;",
        "S(const S&) = default;", "static int one()", "bool operator<(const S& o) const",
        "operator int() const", "int S::twice() const"},
       {"__device__", "__host__", "unused"}},
      {"operators",
       "struct V { float x; };\n__host__ __device__ inline V operator+(V a, V b) { return {a.x + "
       "b.x}; }\n__device__ V operator*(V a, float b) { return {a.x * b}; }\n"
       "__device__ V& operator+=(V& a, V b) { a.x += b.x; return a; }\n__device__ bool operator<(V "
       "a, V b) { return a.x < b.x; }\n__device__ V operator<<(V a, int) { return a; }\n__device__ "
       "V operator-(V a) { return {-a.x}; }\n"
       "__global__ void k(V* p) { p[0] += (p[1] + p[2]) * 2 << 1; if (p[0] < p[1]) p[0] = -p[0]; }",
       {kOwn + "V operator*(V a, float b)", kOwn + "V& operator+=(V& a, V b)",
        kOwn + "bool operator<(V a, V b)", kOwn + "V operator<<(V a, int)"}},
      {"friends keep their linkage",
       "struct S { int v; friend __device__ int get(S); friend __device__ S operator+(S a, S b) { "
       "return {a.v + b.v}; } };\n__device__ int get(S s) { return s.v; }\n"
       "__global__ void k(S s, int* p) { *p = get(s + s); }",
       {"friend int get(S);", "\nint get(S s)"},
       {"static "}},
      {"odd types",
       "#include <array>\n__device__ auto f(int x) -> int { return x; }\n__device__ decltype(1 + "
       "2) g() { return 3; }\n__device__ std::array<int, 2> h() { return {1, 2}; }\n__device__ "
       "const char* i() { return \"\"; }\n"
       "__device__ unsigned long long j(unsigned long long x) { return x; }\n__device__ int "
       "(*pick())(int) { return f; }\n__device__ int& ref(int& x) { return x; }\n[[nodiscard]] "
       "__device__ int l() { return 1; }\n"
       "__global__ void k(int* p) { *p = f(*p) + g() + h()[0] + *i() + int(j(1)) + pick()(1) + "
       "ref(*p) + l(); }",
       {kOwn + "auto f(int x) -> int", kOwn + "decltype(1 + 2) g()",
        kOwn + "std::array<int, 2> h()", kOwn + "int (*pick())(int)",
        "[[nodiscard]] " + kOwn + "int l()"}},
      {"__noinline__",
       "__device__ __noinline__ int f(int x) { return x; }\n__noinline__ __device__ int g(int x) { "
       "return f(x); }\n__attribute__((__noinline__)) int h(int x) { return x; "
       "}\n[[gnu::__noinline__]] int i(int x) { return h(x); }\n"
       "__attribute__((__noinline__, __unused__)) static int j(int x) { return i(x); }\n__global__ "
       "void k(int* p) { *p = g(*p); }",
       {kOwn + "__attribute__((noinline)) int f(int x)",
        "__attribute__((noinline)) " + kOwn + "int g(int x)", "__attribute__((__noinline__)) int h",
        "[[gnu::__noinline__]] int i", "__attribute__((__noinline__, __unused__)) static int j"}},
      {"lambdas",
       "template <class F> __global__ void k(F f) { f(1); }\n"
       "void g(int n) { k<<<1, 1>>>([=] __device__ (int i) { return i + n; }); k<<<1, 1>>>([n] "
       "__host__ __device__ (int i) mutable noexcept { n += i; }); "
       "k<<<1, 1>>>([] __device__ (auto i) -> int { return i; }); auto h = [&] __host__ (int x) { "
       "return x + n; }; h(1); k<<<1, 1>>>([=] __device__ <class T>(T i) { return i + n; }); "
       "auto e = [] __device__ { return 1; }; (void)e; int a[2] = {n, n}; (void)a[0]; }",
       {"[=] (int i) { return i + n; }", "[n] (int i) mutable noexcept { n += i; }",
        "[] (auto i) -> int", "[&] (int x)", "[=] <class T>(T i)", "[] { return 1; }"},
       {"__device__", "__host__"}},
      {"a launch in a host function after device code",
       "__device__ int f() { return 1; }\nstruct S { __device__ S() {} void go(); __device__ int "
       "d() { auto l = [] { return f(); }; return l(); } };\n__global__ void k() { f(); }\n"
       "void S::go() { k<<<1, 1>>>(); }\nvoid h() { auto l = [] __device__ () { f(); }; (void)l; "
       "k<<<1, 1>>>(); }",
       {"(::emu::push_launch(1, 1), k());"}},
      {"prototypes that look like variables",
       "struct A {}; struct B {};\n__device__ A f(B); __device__ A g(A a, const B& b); __device__ "
       "int h(unsigned); __device__ int i(int (*)(int)); __device__ A j();",
       {kOwn + "A f(B);", kOwn + "A g(A a, const B& b);", kOwn + "int h(unsigned);"},
       {"section"}},
  };
}

}  // namespace nvcc_tests
