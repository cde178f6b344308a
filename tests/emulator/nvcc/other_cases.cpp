#include "cases.hpp"

namespace nvcc_tests {

std::vector<Case> other_cases() {
  return {
      {"#pragma unroll",
       "__global__ void k(int* p) {\n#pragma unroll\n  for (int i = 0; i < 4; ++i) ++p[i];\n# "
       "pragma unroll 4\n  for (int i = 0; i < 4; ++i) ++p[i];\n#pragma unroll(2)\n  for (int i = "
       "0; i < 4; ++i) ++p[i];\n"
       "#pragma nounroll\n  for (int i = 0; i < 4; ++i) ++p[i];\n}\n#pragma nv_diag_suppress "
       "177\n#pragma hd_warning_disable\n#pragma GCC diagnostic push\n#pragma GCC diagnostic pop\n",
       {"#pragma GCC diagnostic push"},
       {"unroll", "nv_diag", "hd_warning"}},
      {"empty inline assembly is a compiler's barrier",
       "__global__ void k() { asm volatile(\"\" ::: \"memory\"); asm volatile(\"\"); }",
       {"asm volatile(\"\" ::: \"memory\");"}},
      {"memcpy and its kin in device code",
       "#include <cstring>\nstruct Own { void memcpy(int) {} };\n"
       "__global__ void k(char* p, const char* q, int n) {\n  memcpy(p, q, n); std::memmove(p, q, "
       "n); "
       "::memset(p, 0, n);\n  Own own; own.memcpy(1);\n}\n"
       "void host(char* p) { memset(p, 0, 4); std::memcpy(p, p + 8, 4); }\n",
       {"::emu::device_memcpy(p, q, n); ::emu::device_memmove(p, q, n); ::emu::device_memset(p, 0, "
        "n);",
        "own.memcpy(1);", "{ memset(p, 0, 4); std::memcpy(p, p + 8, 4); }"}},
      {"assembly in host code",
       "int f(int x) { asm(\"nop\"); return x; }\n__global__ void k(int* p) { *p = 1; }\nint g() { "
       "asm volatile(\"nop\" ::: \"memory\"); return 1; }",
       {"asm(\"nop\");"}},
      {"names of textures that the program has taken",
       "template <class T> struct texture { T x; };\ntexture<int> t;\nfloat tex2D(float x) { "
       "return x; }\nfloat f() { return tex2D(1) + tex2D(2); }",
       {"texture<int> t;"}},
      {"classes, enumerations and initialisers around kernels",
       "enum class E { a, b }; enum { c }; struct S { int x = 1; int y{2}; struct T { int z[2] = "
       "{1, 2}; } t; void f() { if (x) { y = 1; } } public: int w; };\n"
       "int v[] = {1, 2}; auto l = [] { return 1; }; namespace n { inline namespace m { struct D : "
       "S { D() : S{}, q{3} {} int q; }; } }\n"
       "__device__ int after; __global__ void k() { S s{1, 2, {}, 3}; n::D d; after = s.x + d.q + "
       "v[0]; }\n",
       {"static __attribute__((section(", "k()"}},
      {"device code where the braces are of no known kind",
       "#define BEGIN namespace\n#define OPEN(x) x {\n"
       "OPEN(namespace n) struct S { __device__ int f() { return 1; } }; __device__ int g() { "
       "return 2; } }\n"
       "__global__ void k(int* p) { *p = n::S{}.f() + n::g(); }",
       {"struct S { int f() { return 1; } };"},
       {"__device__"}},
      {"digraphs",
       "__device__ int f() <% int a<:2:> = <%1, 2%>; return a<:0:>; %>\n"
       "template <class T> struct S <% __device__ T g() <% return T(); %> %>;\n"
       "__device__ dim3 h() { S<::dim3> s; return s.g(); }",
       {"static __attribute__((unused)) int f() {", "int a[ 2] = { 1, 2} ;", "S<::dim3> s;"},
       {"<%", "__device__"}},
      {"letters beyond ASCII, as g++ -E spells them",
       "__device__ int gr\\U000000f6\\u00dfe = 1;\n__global__ void k() { int \\u00e9 = "
       "gr\\U000000f6\\u00dfe; gr\\U000000f6\\u00dfe = \\u00e9; }",
       {"gr_U000000f6_u00dfe\"), unused)) int gr\\U000000f6\\u00dfe = 1;"}},
      {"functions of the program's own with the names of memcpy and its kin",
       "namespace own { __device__ int memset(int a) { return a + 1; }\n"
       "__device__ int f(int a) { return memset(a); } }\n"
       "__device__ int g() { struct L { int memmove(int a) { return a; } } l; return l.memmove(1); "
       "}",
       {"return memset(a);", "int memmove(int a) { return a; }"}},
      {"floats half-way between two others",
       "__device__ float f() { return 16777217.0f + 33'554'434.f + 16777219.0f + 0.1f + "
       "16777217.5f; }\nfloat g() { return 16777217.0f; }",
       {"return 0x1.000002p+24f + 0x1.000002p+25f + 16777219.0f + 0.1f + 16777217.5f;",
        "float g() { return 16777217.0f; }"}},
      {"standard attributes behind __device__",
       "[[nodiscard]] __device__ [[gnu::always_inline]] inline int f() { return 1; }",
       {"[[nodiscard]] [[gnu::always_inline]] static __attribute__((unused)) inline int f()"}},
      {"a variable of the device that a function names again",
       "__device__ int a = 1;\n__device__ int f() { extern __device__ int a; return a; }",
       {"{ extern int a; return a; }"}},
      {"a loop that the compiler works out",
       "__device__ int f(int x) {\n  constexpr int c = [] { int s = 0; for (int i = 0; i < 4; ++i) "
       "if (i > 1) s += i; return s; }();\n  return x + c;\n}",
       {"constexpr int c ="}},
  };
}

}  // namespace nvcc_tests
