#include "cases.hpp"

namespace nvcc_tests {

std::vector<Case> launch_cases() {
  return {
      {"one and two arguments",
       "__global__ void k(int n);\n"
       "void f() { k<<<1, 2>>>(3); k<<<dim3(1, 2, 3), dim3(4)>>>(5); }",
       {"(::emu::push_launch(1, 2), k(3));",
        "(::emu::push_launch(dim3(1, 2, 3), dim3(4)), k(5));"}},
      {"three and four arguments",
       "__global__ void k();\n"
       "void f(cudaStream_t s) { k<<<1, 2, 3 * sizeof(float)>>>(); k<<<1, 2, 0, s>>>(); }",
       {"(::emu::push_launch(1, 2, 3 * sizeof(float)), k());",
        "(::emu::push_launch(1, 2, 0, s), k());"}},
      {"spelled as a macro's expansion spells it",
       "__global__ void k(int);\nvoid f() { k<< <1, 2>> > (3); k << < 1, 2 >> > (3); k <<<1,2>>> "
       "(3); }",
       {"(::emu::push_launch(1, 2), k (3)); (::emu::push_launch(1, 2), k (3)); "
        "(::emu::push_launch(1,2), k (3));"}},
      {"a template-id as kernel",
       "template <class T, int N> __global__ void k(T*);\n"
       "void f(float* p) { k<float, 4><<<1, 2>>>(p); k<float, (3 > 2)><<<1, 2>>>(p); k<float, 1 << "
       "3><<<1, 2>>>(p); }",
       {"(::emu::push_launch(1, 2), k<float, 4>(p));",
        "(::emu::push_launch(1, 2), k<float, (3 > 2)>(p));",
        "(::emu::push_launch(1, 2), k<float, 1 << 3>(p));"}},
      {"nested templates as kernel arguments",
       "template <class T> struct A {}; template <class T> __global__ void k(T);\n"
       "void f() { k<A<A<A<int>>>><<<1, 2>>>({}); k<A<A<int>>> <<<1, 2>>>({}); }",
       {"k<A<A<A<int>>>>({}));", "k<A<A<int>>>({}));"}},
      {"templates that end in >>> inside the configuration",
       "template <class T> struct A { static constexpr int v = 1; };\n"
       "template <class T> constexpr int kV = 2;\ntemplate <class T> int g(int);\n"
       "__global__ void k(int);\n"
       "void f() { k<<<A<A<A<int>>>::v, 2>>>(3); k<<<1, kV<A<int>>>>>(4); k<<<g<A<A<int>>>(1), "
       "2>>>(5); "
       "k<<<1, kV<A<A<int>>>>>>(6); }",
       {"(::emu::push_launch(A<A<A<int>>>::v, 2), k(3));",
        "(::emu::push_launch(1, kV<A<int>>), k(4));",
        "(::emu::push_launch(g<A<A<int>>>(1), 2), k(5));",
        "(::emu::push_launch(1, kV<A<A<int>>>), k(6));"}},
      {">>> elsewhere is left alone",
       "template <class T> struct A { int x = 0; };\n"
       "void f() { A<A<A<int>>> a; (void)a; int b = 64 >> 2 >> 1; b >>= 1; (void)b; }",
       {"A<A<A<int>>> a;", "64 >> 2 >> 1; b >>= 1;"},
       {"push_launch"}},
      {"comparisons and shifts in the configuration",
       "__global__ void k(int);\n"
       "void f(int n, int m) { k<<<n < m ? 1 : 2, 32>>>(n); k<<<n >> 5, m << 1>>>(n); "
       "k<<<(n > m) ? n : m, 32>>>(n); k<<<n < 4, m>>>(1), k<<<n, m>>>(2); }",
       {"(::emu::push_launch(n < m ? 1 : 2, 32), k(n));",
        "(::emu::push_launch(n >> 5, m << 1), k(n));",
        "(::emu::push_launch((n > m) ? n : m, 32), k(n));",
        "(::emu::push_launch(n < 4, m), k(1)), (::emu::push_launch(n, m), k(2));"}},
      {"qualified names",
       "namespace a { namespace b { __global__ void k(int); } template <class T> struct S { static "
       "void g(); }; }\n"
       "void f() { a::b::k<<<1, 2>>>(3); if (true) a::b::k<<<1, 2>>>(4); else a::b::k<<<1, "
       "2>>>(5); }",
       {"(::emu::push_launch(1, 2), a::b::k(3));",
        "if (true) (::emu::push_launch(1, 2), a::b::k(4)); else"}},
      {"function pointers, table elements, members, groups",
       "__global__ void k(int); using K = void (*)(int);\n"
       "struct S { K fn; K get() { return fn; } }; struct T { S* s; };\n"
       "void f(K p, K* table, T t, K (*choose)(int)) { p<<<1, 2>>>(3); (*p)<<<1, 2>>>(4); "
       "table[1]<<<1, 2>>>(5); "
       "t.s->fn<<<1, 2>>>(6); t.s->get()<<<1, 2>>>(7); choose(3)<<<1, 2>>>(8); (p ? p : k)<<<1, "
       "2>>>(9); "
       "return (k)<<<1, 2>>>(10); }",
       {"(::emu::push_launch(1, 2), p(3));", "(::emu::push_launch(1, 2), (*p)(4));",
        "(::emu::push_launch(1, 2), table[1](5));", "(::emu::push_launch(1, 2), t.s->fn(6));",
        "(::emu::push_launch(1, 2), t.s->get()(7));", "(::emu::push_launch(1, 2), choose(3)(8));",
        "(::emu::push_launch(1, 2), (p ? p : k)(9));",
        "return (::emu::push_launch(1, 2), (k)(10));"}},
      {"members of templates",
       "template <class T> struct S { void (*fn)(T); void go(T x) { fn<<<1, 2>>>(x); this->fn<<<1, "
       "2>>>(x); } };\n"
       "template struct S<int>;",
       {"(::emu::push_launch(1, 2), fn(x)); (::emu::push_launch(1, 2), this->fn(x));"}},
      {"statements that end in a parenthesis before the kernel",
       "__global__ void k(int);\n"
       "void f(bool b, int n) { if (b) (k)<<<1, 2>>>(3); while (b) (k)<<<1, 2>>>(4); "
       "for (int i = 0; i < n; ++i) k<<<1, 2>>>(i); (void)k<<<1, 2>>>(5); }",
       {"if (b) (::emu::push_launch(1, 2), (k)(3));",
        "while (b) (::emu::push_launch(1, 2), (k)(4));", "++i) (::emu::push_launch(1, 2), k(i));",
        "(void)(::emu::push_launch(1, 2), k(5));"}},
      {"expressions: ternary, comma, lambda, argument",
       "__global__ void k(int); __global__ void j(int); template <class F> void run(F f) { f(); }\n"
       "void f(bool b) { b ? k<<<1, 2>>>(1) : j<<<3, 4>>>(2); k<<<1, 2>>>(3), j<<<1, 2>>>(4); "
       "run([&] { k<<<1, 2>>>(b); }); auto g = [] { return k<<<1, 2>>>(6); }; g(); }",
       {"b ? (::emu::push_launch(1, 2), k(1)) : (::emu::push_launch(3, 4), j(2));",
        "run([&] { (::emu::push_launch(1, 2), k(b)); });",
        "{ return (::emu::push_launch(1, 2), k(6)); }"}},
      {"a launch inside a launch's arguments",
       "__global__ void k(int); int g();\n"
       "void f() { k<<<1, 2>>>((k<<<3, 4>>>(5), 6)); k<<<1, [] { k<<<7, 8>>>(9); return 2; "
       "}()>>>(10); }",
       {"(::emu::push_launch(1, 2), k(((::emu::push_launch(3, 4), k(5)), 6)));",
        "(::emu::push_launch(1, [] { (::emu::push_launch(7, 8), k(9)); return 2; }()), k(10));"}},
      {"default arguments and initialisers",
       "__global__ void k(int);\n"
       "void f(int x = (k<<<1, 2>>>(3), 4)) { (void)x; int y = (k<<<1, 2>>>(5), 6); (void)y; }",
       {"int x = ((::emu::push_launch(1, 2), k(3)), 4)",
        "int y = ((::emu::push_launch(1, 2), k(5)), 6);"}},
      {"inside a template",
       "template <class T> __global__ void k(T*, int);\n"
       "template <class T> void f(T* p, int n) { k<T><<<n, 2>>>(p, n); k<<<n, 2>>>(p, n); }\n"
       "template void f<float>(float*, int);",
       {"(::emu::push_launch(n, 2), k<T>(p, n)); (::emu::push_launch(n, 2), k(p, n));"}},
      {"dependent template members",
       "template <int N> struct Ops { template <class T> static void (*pick())(T*); };\n"
       "template <class O> void f(float* p, O o) { O::template pick<float>()<<<1, 2>>>(p); "
       "o.template pick<float>()<<<1, 2>>>(p); }\ntemplate void f(float*, Ops<3>);",
       {"(::emu::push_launch(1, 2), O::template pick<float>()(p));",
        "(::emu::push_launch(1, 2), o.template pick<float>()(p));"}},
      {"shifts and stream operators are no launches",
       "struct S {}; template <class T> S operator<<(S s, T) { return s; }\n"
       "void f(S s, int a, int b) { s << a << b; operator<< <int>(s, 3); operator<<<int>(s, 4); "
       "(void)(a << b); "
       "a <<= 2; (void)(a < b); }",
       {"s << a << b; operator<< <int>(s, 3); operator<<<int>(s, 4);"},
       {"push_launch"}},
      {"strings, characters, raw strings and comments",
       "const char* a = \"k<<<1, 2>>>(3)\"; const char* b = R\"x(k<<<1, 2>>>(3) \" )\" )x\"; // "
       "k<<<1, 2>>>(3)\n"
       "/* k<<<1, 2>>>(3) \" */ const char c = '\"'; const char* d = \"\\\"k<<<1, 2>>>(3)\"; int n "
       "= 1'000'000;",
       {"\"k<<<1, 2>>>(3)\"", "R\"x(k<<<1, 2>>>(3) \" )\" )x\"", "// k<<<1, 2>>>(3)",
        "/* k<<<1, 2>>>(3) \" */"},
       {"push_launch"}},
      {"null pointers and braces stay what they are",
       "struct P { int x, y; }; __global__ void k(int*, P);\nvoid f() { k<<<1, 2>>>(0, {1, 2}); "
       "k<<<1, 2>>>(nullptr, P{}); }",
       {"k(0, {1, 2}));", "k(nullptr, P{}));"}},
      {"braces in the configuration",
       "__global__ void k();\nvoid f() { k<<<{1, 2}, {3}>>>(); k<<<dim3{1, 2}, dim3{3}>>>(); }",
       {"(::emu::push_launch({1, 2}, {3}), k());",
        "(::emu::push_launch(dim3{1, 2}, dim3{3}), k());"}},
      {"cast as kernel",
       "__global__ void k(int*);\nvoid f(const void* p, int* q) { ((void (*)(int*))p)<<<1, "
       "2>>>(q); "
       "reinterpret_cast<void (*)(int*)>(const_cast<void*>(p))<<<1, 2>>>(q); }",
       {"(::emu::push_launch(1, 2), ((void (*)(int*))p)(q));",
        "(::emu::push_launch(1, 2), reinterpret_cast<void (*)(int*)>(const_cast<void*>(p))(q));"}},
  };
}

}  // namespace nvcc_tests
