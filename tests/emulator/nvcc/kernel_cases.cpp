#include "cases.hpp"

namespace nvcc_tests {
namespace {

// Returns a kernel's first statement, which runs `call` for each thread; `call`'s name is in
// parentheses.
std::string starts_with(std::string call, const std::string& more_arguments) {
  call = "(" + call.insert(call.find('('), ")");
  return "{ if (__builtin_expect(::emu::launch_pending(), 0)) { if "
         "(::emu::launch(__PRETTY_FUNCTION__, [=]() __attribute__((no_sanitize(\"thread\"))) { " +
         call + "; }" + more_arguments + ")) return; }";
}

std::string starts(const std::string& call, const std::string& bounds = {}) {
  return starts_with(
      call, bounds.empty() ? "" : ", ::emu::kConstant<static_cast<unsigned>(" + bounds + ")>");
}

// The same for a kernel whose parameters may be objects that C++ passes by address. Outside of
// templates, the first of `names` is one.
std::string starts_with_objects(const std::string& call, const std::string& types,
                                const std::string& names, bool is_template = false) {
  const std::string name = call.substr(0, call.find('('));
  std::string plain = starts(call);
  if (!is_template) {
    const std::string object = names.substr(0, names.find(','));
    plain.replace(plain.find("[=]"), 3, "[=, emu_object_0 = ::emu::captured(" + object + ")]");
    plain.replace(plain.find(")(" + object) + 2, object.size(), "emu_object_0");
  }
  const std::size_t launch = plain.find("if (::emu::launch("), end = plain.rfind(" }");
  return plain.substr(0, launch) + "if constexpr (::emu::any_passed_by_address<" + types +
         ">) { if (::emu::launch(__PRETTY_FUNCTION__, [emu_kept = ::emu::KeptArguments<" + types +
         ">(" + names +
         ")]() __attribute__((no_sanitize(\"thread\"))) { "
         "::emu::call_kernel<static_cast<void (*)(" +
         types + ")>(" + name + ")>(emu_kept); })) return; } else { " +
         plain.substr(launch, end - launch) + " }" + plain.substr(end);
}

std::string clusters(const std::string& call, const std::string& threads, const std::string& size) {
  return starts_with(call, ", " + threads + ", ::emu::cluster_dims<" + size + ">()");
}

}  // namespace

std::vector<Case> kernel_cases() {
  return {
      {"a plain kernel",
       "__global__ void k(float* p, int n) { p[n] = 0; }",
       {"void k(float* p, int n) " + starts("k(p, n)") + " p[n] = 0; }"},
       {"__global__"}},
      {"references, which a launch does not copy",
       "struct S {};\ntemplate <class... Ts> __global__ void k(S& s, const int (&row)[8], int n, "
       "Ts&&... ts) {}\n__global__ void j(const float&, int&& x, float* const p) {}",
       {"[=, &s, &row, &ts...]() __attribute__((no_sanitize(\"thread\"))) { (k<Ts...>)(s, row, n, "
        "static_cast<decltype(ts)>(ts)...); }",
        "[=, &emu_argument_0, &x]() __attribute__((no_sanitize(\"thread\"))) { "
        "(j)(emu_argument_0, static_cast<decltype(x)>(x), p); }"}},
      {"objects, which C++ may pass by an address",
       "struct S { S(const S&); ~S(); };\n__global__ void k(const S s, unsigned long n) {}\n"
       "template <class... Ts> __global__ void j(S& s, Ts... ts) {}\n"
       "__global__ void numbers(std::size_t n, const float x, S* s, int rows[4]) {}",
       {"void k(const S s, unsigned long n) " +
            starts_with_objects("k(s, n)", "decltype(s), decltype(n)", "s, n"),
        "::emu::KeptArguments<decltype(s), decltype(ts)...>(s, ts...)",
        "::emu::call_kernel<static_cast<void (*)(decltype(s), decltype(ts)...)>(j<Ts...>)>",
        "int rows[4]) " + starts("numbers(n, x, s, rows)")}},
      {"pointers with __restrict__ beside objects",
       "struct S { S(S&&); };\n__global__ void k(float* __restrict__ p, S s) {}",
       {"::emu::KeptArguments<decltype(::emu::captured(p)), decltype(s)>(::emu::captured(p), s)",
        "[=, emu_object_0 = ::emu::captured(s)]", "(k)(p, emu_object_0)"}},
      {"no parameters",
       "__global__ void k() {}\n__global__ void j(void) {}",
       {"void k() " + starts("k()"), "void j(void) " + starts("j()")}},
      {"the qualifier's places",
       "static __global__ void a() {}\n__global__ static void b() {}\ninline __global__ void c() "
       "{}\n"
       "void __global__ d() {}\nextern \"C\" __global__ void e() {}\n[[maybe_unused]] __global__ "
       "static void g() {}\n"
       "extern \"C\" { __global__ void h() {} }\nvoid use() { a<<<1, 1>>>(); b<<<1, 1>>>(); }",
       {"static __attribute__((noipa)) void a() " + starts("a()"),
        "__attribute__((noipa)) static void b() " + starts("b()"),
        "inline __attribute__((noipa)) void c() " + starts("c()"),
        "void __attribute__((noipa)) d() " + starts("d()"),
        "extern \"C\" __attribute__((noipa)) void e() " + starts("e()"),
        "[[maybe_unused]] __attribute__((noipa)) static void g() " + starts("g()"),
        "extern \"C\" { __attribute__((noipa)) void h() " + starts("h()")}},
      {"a declaration only loses the qualifier",
       "__global__ void k(int* p, int = 3);\n__global__ void a(int), b(float);\nextern __global__ "
       "void c();\nvoid f() { k<<<1, 1>>>(nullptr); }\n__global__ void k(int* p, int n) { *p = n; "
       "}",
       {"void k(int* p, int = 3);", "void a(int), b(float);", "extern void c();",
        "void k(int* p, int n) " + starts("k(p, n)")},
       {"__global__"}},
      {"templates",
       "template <class T, int N> __global__ void k(T* p) { *p = N; }\n"
       "template <typename T, unsigned N, bool B, typename... Ts> __global__ void j(T, Ts...) {}\n"
       "void f(float* p) { k<float, 3><<<1, 1>>>(p); j<int, 2, true><<<1, 1>>>(1, 2.0, 'c'); }",
       {"template <class T, int N> __attribute__((noipa)) void k(T* p) " + starts("k<T, N>(p)"),
        "void j(T emu_argument_0, Ts... emu_argument_1) " +
            starts_with_objects("j<T, N, B, Ts...>(emu_argument_0, emu_argument_1...)",
                                "decltype(emu_argument_0), decltype(emu_argument_1)...",
                                "emu_argument_0, emu_argument_1...", true)}},
      {"default and unnamed template parameters",
       "#include <type_traits>\n"
       "template <class T = float, int N = 4, class = void, int = 3, typename U = "
       "std::enable_if_t<(N > 2), T>,\n"
       "          std::enable_if_t<(N < 9), int> = 0>\n__global__ void k(T* p) { *p = U(N); "
       "}\nvoid f(float* p) { k<<<1, 1>>>(p); }",
       {"class EmuParameter2 = void, int EmuParameter3 = 3,",
        "std::enable_if_t<(N < 9), int> EmuParameter5 = 0>",
        "(k<T, N, EmuParameter2, EmuParameter3, U, EmuParameter5>)(p)"}},
      {"comparisons in template defaults",
       "template <int N, bool Small = N < 4> __global__ void k() {}\n"
       "template <int N, int M = (N > 3), bool B = (N >> 1) != 0> __global__ void j() {}\nvoid f() "
       "{ k<3><<<1, 1>>>(); j<3><<<1, 1>>>(); }",
       {starts("k<N, Small>()"), starts("j<N, M, B>()")}},
      {"packs",
       "template <class... Ts> __global__ void k(Ts... ts) { int n[] = {0, (int)sizeof(ts)...}; "
       "(void)n; }\n"
       "template <class F, int... Is> __global__ void j(F f) { (f(Is), ...); }\n"
       "template <class F, class... Ts> __global__ void h(F f, const Ts*... in) { f(in...); }\n"
       "struct G { template <class... X> void operator()(X...) const {} };\n"
       "void f(int* a, float* b) { k<<<1, 1>>>(1, 2.0f, a); j<G, 1, 2, 3><<<1, 1>>>(G{}); h<<<1, "
       "1>>>(G{}, a, b); k<<<1, 1>>>(); }",
       {"(k<Ts...>)(ts...)", "(j<F, Is...>)(f)", "(h<F, Ts...>)(f, in...)"}},
      {"template template, auto and constrained parameters",
       "#include <concepts>\n"
       "template <class T> struct Box { T x; };\ntemplate <class T> concept Number = "
       "std::integral<T> || std::floating_point<T>;\n"
       "template <template <class> class B, class T> __global__ void a(B<T>) {}\ntemplate "
       "<template <class...> class> __global__ void b() {}\n"
       "template <auto V> __global__ void c() {}\ntemplate <Number T> __global__ void d(T) "
       "{}\ntemplate <Number> __global__ void e() {}\n"
       "template <std::integral T, Number... Ns> __global__ void g(T, Ns...) {}\ntemplate <class "
       "T> using Id = T; template <class...> struct Many {};\n"
       "void f() { a<<<1, 1>>>(Box<int>{1}); b<Many><<<1, 1>>>(); c<3><<<1, 1>>>(); d<<<1, "
       "1>>>(3); e<int><<<1, 1>>>(); g<<<1, 1>>>(1, 2.0); }",
       {"(a<B, T>)(emu_argument_0)", "class EmuParameter0> __attribute__((noipa)) void b()",
        "(b<EmuParameter0>)()", "(c<V>)()", "(d<T>)(emu_argument_0)",
        "template <Number EmuParameter0> __attribute__((noipa)) void e()", "(g<T, Ns...>)("}},
      {"function pointers and references as template parameters",
       "template <float (*F)(float), class T> __global__ void k(T* p) { *p = F(*p); }\ntemplate "
       "<float (*)(float)> __global__ void j() {}\n"
       "template <const int& R> __global__ void h(int* p) { *p = R; }\nstatic const int kR = 3;\n"
       "inline float twice(float x) { return 2 * x; }\nvoid f(float* p, int* q) { k<twice><<<1, "
       "1>>>(p); j<twice><<<1, 1>>>(); h<kR><<<1, 1>>>(q); }",
       {"(k<F, T>)(p)", "float (* EmuParameter0)(float)>", "(j<EmuParameter0>)()", "(h<R>)(p)"}},
      {"explicit specialisations",
       "template <class T, int N> __global__ void k(T* p) { *p = N; }\n"
       "template <> __global__ void k<int, 3>(int* p) { *p = 4; }\ntemplate <class T> __global__ "
       "void j(T* p) { *p = 0; }\n"
       "template <> __global__ void j(double* p) { *p = 1; }\n",
       {"template <> __attribute__((noipa)) void k<int, 3>(int* p) " + starts("k<int, 3>(p)"),
        "template <> __attribute__((noipa)) void j(double* p) " + starts("j<>(p)")}},
      {"explicit instantiations",
       "template <class T> __global__ void k(T* p) { *p = 0; }\ntemplate __global__ void "
       "k<int>(int*);\n"
       "extern template __global__ void k<float>(float*);\ntemplate __global__ void k(double*);",
       {"template void k<int>(int*);", "extern template void k<float>(float*);",
        "template void k(double*);"},
       {"__global__"}},
      {"friends",
       "struct S { S(int x) : v(x) {} friend __global__ void k(S, int*); template <class T> friend "
       "__global__ void j(S, T*); private: int v; };\n"
       "__global__ void k(S s, int* p) { *p = s.v; }\ntemplate <class T> __global__ void j(S s, T* "
       "p) { *p = s.v; }\n"
       "void f(int* p) { k<<<1, 1>>>(S(3), p); j<<<1, 1>>>(S(3), p); }",
       {"friend void k(S, int*);",
        "void k(S s, int* p) " +
            starts_with_objects("k(s, p)", "decltype(s), decltype(p)", "s, p")},
       {"__global__"}},
      {"a kernel of the same name beside the type of an argument",
       "struct P { int x; };\n__global__ void k(P* p) { p->x = 1; }\n"
       "namespace other { __global__ void k(P* p) { p->x = 2; } }\n"
       "void f(P* p) { k<<<1, 1>>>(p); other::k<<<1, 1>>>(static_cast<P*>(p)); }",
       {"namespace other { __attribute__((noipa)) void k(P* p) " + starts("k(p)")}},
      {"unnamed parameters of all kinds",
       "struct P { int x; }; template <class T> struct A { using type = T; };\n"
       "__global__ void k(int, const float*, P, const P, struct P, A<int>, A<A<int>>::type, "
       "unsigned, long long, float (*)(int), "
       "const char*, std::size_t, int* const, int = 3) {}",
       {"int emu_argument_0, const float* emu_argument_1, P emu_argument_2, const P "
        "emu_argument_3, struct P emu_argument_4, "
        "A<int> emu_argument_5, A<A<int>>::type emu_argument_6, unsigned emu_argument_7, long long "
        "emu_argument_8, "
        "float (* emu_argument_9)(int), const char* emu_argument_10, std::size_t emu_argument_11, "
        "int* const emu_argument_12, int emu_argument_13 = 3)"}},
      {"named parameters of all kinds",
       "struct P { int x; }; template <class T> struct A { using type = T; };\n"
       "__global__ void k(int a, const float* __restrict__ b, P c, P const d, struct P e, A<int> "
       "g, typename A<A<int>>::type h, "
       "unsigned i, float (*j)(int), const float l[], int m[3], std::size_t n, int* const o, "
       "[[maybe_unused]] int p, "
       "int q __attribute__((unused)), int (r), const volatile int* s, int (*t)[4], decltype(1 + "
       "2) u, int v = 1 < 2 ? 3 : 4, A<int> w = A<int>{}) {}",
       {"emu_object_0 = ::emu::captured(c), emu_object_1 = ::emu::captured(d)",
        "(k)(a, b, emu_object_0, emu_object_1, emu_object_2, emu_object_3, emu_object_4, i, "
        "emu_object_5, l, m, n, o, emu_object_6, q, emu_object_7, s, emu_object_8, emu_object_9, "
        "v, emu_object_10)"},
       {"emu_argument"}},
      {"an abbreviated template",
       "__global__ void k(auto x, auto* p) { *p = x; }\nvoid f(int* p) { k<<<1, 1>>>(1, p); }",
       {"[=, emu_object_0 = ::emu::captured(x)]", "(k)(emu_object_0, p)"}},
      {"launch bounds before and after the type",
       "constexpr int kThreads = 128;\n"
       "__global__ void __launch_bounds__(256) a() {}\n__launch_bounds__(kThreads * 2, 4) "
       "__global__ void b() {}\n"
       "__global__ __launch_bounds__(64, 2) void c() {}\nvoid __launch_bounds__(32) __global__ d() "
       "{}\n"
       "template <int N> __global__ void __launch_bounds__(N < 64 ? 64 : N) e() {}\n__global__ "
       "void __launch_bounds__(256) g();\n"
       "void use() { e<3><<<1, 1>>>(); }",
       {"void a() " + starts("a()", "256"), "void b() " + starts("b()", "kThreads * 2"),
        "void c() " + starts("c()", "64"), "void __attribute__((noipa)) d() " + starts("d()", "32"),
        starts("e<N>()", "N < 64 ? 64 : N"), "void g();"},
       {"__launch_bounds__"}},
      {"clusters",
       "__global__ void __cluster_dims__(2, 1, 1) a() {}\n__cluster_dims__(sizeof(int) > 2 ? 2 : "
       "4) "
       "__global__ void b() {}\n__global__ void __cluster_dims__(1, 2) __launch_bounds__(64) c() "
       "{}",
       {"void a() " + clusters("a()", "::emu::kMostThreadsOfBlock", "(2), (1), (1)"),
        "void b() " + clusters("b()", "::emu::kMostThreadsOfBlock", "(sizeof(int) > 2 ? 2 : 4)"),
        "void c() " + clusters("c()", "::emu::kConstant<static_cast<unsigned>(64)>", "(1), (2)")},
       {"__cluster_dims__"}},
      {"bounds of an earlier declaration",
       "namespace n { __global__ void __cluster_dims__(2) a(int*);\n__global__ void "
       "__launch_bounds__(64) b(int*, int); }\n__global__ void a(int* p) { *p = 1; }\n"
       "namespace n { __global__ void a(int* p) { *p = 1; }\n__global__ void a(int* p, int) {} }\n"
       "__global__ void n::b(int* p, int i) { *p = i; }",
       {"} __attribute__((noipa)) void a(int* p) " + starts("a(p)"),
        "void a(int* p) " + clusters("a(p)", "::emu::kMostThreadsOfBlock", "(2)"),
        "void a(int* p, int emu_argument_1) " + starts("a(p, emu_argument_1)"),
        "void n::b(int* p, int i) " + starts("n::b(p, i)", "64")}},
      {"trailing return type, attributes",
       "__global__ auto c(int x) -> void { (void)x; }\n"
       "__global__ void d(int) __attribute__((cold));\n__attribute__((noinline)) __global__ void "
       "e(int x) { (void)x; }\n"
       "__global__ [[gnu::hot]] void g() {}",
       {"auto c(int x) -> void " + starts("c(x)"), starts("e(x)")}},
      {"requires-clauses",
       "#include <type_traits>\n"
       "template <class T> requires std::is_integral_v<T> && (sizeof(T) > 1) __global__ void a(T* "
       "p) { *p = 1; }\n"
       "template <class T> requires requires(T t) { t + 1; } __global__ void b(T* p) { *p = 1; }\n"
       "template <class T> __global__ void c(T* p) requires(sizeof(T) < 9) { *p = 1; }\n"
       "template <class T> __global__ void d(T* p) requires std::is_integral_v<T> || requires(T t) "
       "{ t.x; } { *p = 1; }\n"
       "void f(int* p) { a<<<1, 1>>>(p); b<<<1, 1>>>(p); c<<<1, 1>>>(p); d<<<1, 1>>>(p); }",
       {starts("a<T>(p)"), starts("b<T>(p)"), "requires(sizeof(T) < 9) " + starts("c<T>(p)"),
        "{ t.x; } " + starts("d<T>(p)")}},
      {"namespaces and qualified definitions",
       "namespace a::b { __global__ void k(int); template <class T> __global__ void j(T) {} "
       "}\n__global__ void a::b::k(int x) { (void)x; }\n"
       "void f() { a::b::k<<<1, 1>>>(1); a::b::j<<<1, 1>>>(2); }",
       {"void a::b::k(int x) " + starts("a::b::k(x)")}},
      {"a parameter with the kernel's name",
       "namespace outer { namespace { __global__ void scale(float* p, float scale) { *p *= scale; "
       "} } }\n"
       "void f(float* p) { outer::scale<<<1, 1>>>(p, 2); }",
       {"(::outer::scale)(p, scale)"}},
      {"overloads",
       "__global__ void k(int* p) { *p = 1; }\n__global__ void k(float* p) { *p = 2; }\ntemplate "
       "<class T> __global__ void k(T* p, int) { *p = 3; }\n"
       "void f(int* a, float* b) { k<<<1, 1>>>(a); k<<<1, 1>>>(b); k<<<1, 1>>>(b, 1); }",
       {starts("k(p)"), starts("k<T>(p, emu_argument_1)")}},
      {"classes passed by value",
       "struct Op { int bias; int operator()(int x) const { return x + bias; } };\n"
       "template <class F> __global__ void apply(F f, int* p) { *p = f(*p); }\nvoid g(int* p) { "
       "apply<<<1, 1>>>(Op{3}, p); apply<<<1, 1>>>([] __device__ (int x) { return -x; }, p); }",
       {"(apply<F>)(f, p)", "[] (int x) { return -x; }"}},
      {"a body on its own line", "__global__ void k(int x)\n{\n  (void)x;\n}\n", {starts("k(x)")}},
  };
}

}  // namespace nvcc_tests
