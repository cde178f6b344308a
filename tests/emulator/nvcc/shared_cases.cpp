#include "cases.hpp"

namespace nvcc_tests {

std::vector<Case> shared_cases() {
  return {
      {"arrays and scalars",
       "__global__ void k() { __shared__ float tile[32][33]; __shared__ int n; tile[0][0] = 1; n = "
       "2; }",
       {"static __thread float tile[32][33];", "static __thread int n;"},
       {"__shared__"}},
      {"several declarators",
       "__global__ void k() { __shared__ int a, b[3], *p; a = b[0]; p = &a; }",
       {"static __thread int a, b[3], *p;"}},
      {"pointers to arrays and functions",
       "__global__ void k(float* p) { __shared__ float (*a)[4]; __shared__ float (*b[2])(float); "
       "a = nullptr; b[0] = nullptr; *p = a == nullptr && b[0] == nullptr; }",
       {"static __thread float (*a)[4];", "static __thread float (*b[2])(float);"}},
      {"static before and after",
       "__global__ void k() { static __shared__ int a; __shared__ static int b; a = b; }",
       {"static __thread int a;", "static __thread int b;"},
       {"static static", "__thread static"}},
      {"qualifiers and alignment",
       "__global__ void k() { volatile __shared__ int a; __shared__ volatile int b; __shared__ "
       "alignas(16) float c[4]; "
       "alignas(8) __shared__ char d[8]; __shared__ __align__(16) int e[4]; static __shared__ "
       "alignas(16) int g; "
       "a = b; c[0] = d[0]; e[0] = 1; g = 2; }",
       {"static __thread volatile int a;", "static __thread volatile int b;",
        "alignas(16) __constinit static __thread float c[4];",
        "alignas(8) __constinit static __thread char d[8];", "alignas(16) static __thread int g;"}},
      {"types: structures, unsigned, templates, typename, anonymous",
       "struct P { int x; }; template <class T> struct A { using type = T; };\n"
       "template <class T> __global__ void k(T* p) { __shared__ P a[4]; __shared__ struct P b; "
       "__shared__ unsigned long long c; "
       "__shared__ A<A<int>> d; __shared__ typename A<T>::type e[2]; __shared__ struct { int u, v; "
       "} g; __shared__ T h[8]; "
       "a[0] = b; c = 1; (void)d; e[0] = 1; g.u = 2; *p = h[0]; }\nvoid f(float* p) { k<<<1, "
       "1>>>(p); }",
       {"static __thread P a[4];", "static __thread struct P b;",
        "static __thread unsigned long long c;", "static __thread A<A<int>> d;",
        "static __thread typename A<T>::type e[2];", "static __thread struct { int u, v; } g;",
        "static __thread T h[8];"}},
      {"classes whose constructors and destructors are empty",
       "template <class T> struct Complex { T re, im; __host__ __device__ Complex() {} __device__ "
       "Complex(T a, T b) : re(a), im(b) {} "
       "__device__ ~Complex() { } __device__ void set() {} };\nstruct Plain { float x; __device__ "
       "Plain() {} };\n"
       "template <class T> __global__ void k(T* p) { __shared__ Complex<T> a[4]; __shared__ Plain "
       "b[2]; a[1] = Complex<T>(1, 2); b[0].x = 3; *p = a[1].im + b[0].x; }\n"
       "void f(float* p) { k<<<1, 1>>>(p); }",
       {"Complex() = default;", "~Complex() = default;", "void set() {}", "Plain() = default;",
        "static __thread Complex<T> a[4];"}},
      {"arrays alone are initialised without a question at run time",
       "struct Number { Number() = default; Number(float v) : x(v) {} float x; };\n"
       "template <class T> __global__ void k(T* p) { __shared__ T a[4], b[2][2]; __shared__ T c; "
       "__shared__ T d[4], e; a[0] = p[0]; b[1][1] = a[0]; c = b[1][1]; d[0] = c; e = d[0]; "
       "p[1] = e; }\n"
       "void f(Number* p) { k<<<1, 1>>>(p); }",
       {"__constinit static __thread T a[4], b[2][2];", "; static __thread T c;",
        "; static __thread T d[4], e;"}},
      {"vector types",
       "__global__ void k(float4* p) { __shared__ float4 a[32]; a[0] = p[0]; p[1] = a[0]; }",
       {"static __thread float4 a[32];"}},
      {"in nested blocks, device functions and lambdas",
       "__device__ int f() { __shared__ int a; return a; }\n"
       "__global__ void k() { if (true) { __shared__ int b; b = f(); } for (;;) { __shared__ int "
       "c; c = 1; break; } "
       "switch (1) { case 1: __shared__ int d; d = 1; } auto g = [] { __shared__ int e; e = 1; }; "
       "g(); }",
       {"static __thread int a;", "static __thread int b;", "static __thread int c;",
        "case 1: static __thread int d;", "static __thread int e;"}},
      {"outside functions",
       "__shared__ int a; namespace n { __shared__ float b[3]; }\n__global__ void k() { a = 1; "
       "n::b[0] = 2; }",
       {"static __thread int a;", "static __thread float b[3];"}},
      {"dynamic",
       "__global__ void k() { extern __shared__ float s[]; s[0] = 1; }",
       {"__attribute__((unused)) float (&s)[] = *reinterpret_cast<float "
        "(*)[]>(::emu::dynamic_shared());"},
       {"extern"}},
      {"dynamic: order, alignment, qualifiers, pointers, structures",
       "struct P { int x; };\n__global__ void a() { __shared__ extern int s[]; s[0] = 1; }\n"
       "__global__ void b() { extern __shared__ __align__(16) unsigned char s[]; s[0] = 1; }\n"
       "__global__ void c() { extern volatile __shared__ float s[]; s[0] = 1; }\n__global__ void "
       "d() { extern __shared__ float* s[]; *s[0] = 1; }\n"
       "__global__ void e() { extern __shared__ struct P s[]; s[0].x = 1; }\n__global__ void g() { "
       "alignas(16) extern __shared__ double s[]; s[0] = 1; }\n"
       "__global__ void h() { extern __shared__ int s[], t[]; s[0] = t[0]; }\n__global__ void i() "
       "{ extern __shared__ float s[][33]; s[1][2] = 1; }\n"
       "__global__ void j() { extern __shared__ unsigned long long int s[]; s[1] = 1; "
       "}\n__global__ void l() { extern __shared__ alignas(16) float4 s[]; s[1] = s[0]; }",
       {"int (&s)[] = *reinterpret_cast<int (*)[]>",
        "unsigned char (&s)[] = *reinterpret_cast<unsigned char (*)[]>",
        "volatile float (&s)[] = *reinterpret_cast<volatile float (*)[]>",
        "float* (&s)[] = *reinterpret_cast<float * (*)[]>",
        "struct P (&s)[] = *reinterpret_cast<struct P (*)[]>",
        "double (&s)[] = *reinterpret_cast<double (*)[]>",
        "(&t)[] = *reinterpret_cast<int (*)[]>(::emu::dynamic_shared());",
        "float (&s)[][33] = *reinterpret_cast<float (*)[][33]>",
        "*reinterpret_cast<unsigned long long int (*)[]>", "*reinterpret_cast<float4 (*)[]>"}},
      {"dynamic: one name with several types, in templates",
       "template <class T> __global__ void k(T* p) { extern __shared__ T s[]; *p = s[0]; }\n"
       "template __global__ void k<int>(int*);\ntemplate __global__ void k<double>(double*);\n"
       "template <class T> __global__ void j() { extern __shared__ typename T::type s[]; s[0] = 1; "
       "}\nstruct A { using type = int; };\nvoid f() { j<A><<<1, 1, 8>>>(); }",
       {"T (&s)[] = *reinterpret_cast<T (*)[]>",
        "typename T::type (&s)[] = *reinterpret_cast<typename T::type (*)[]>"}},
      {"dynamic: used by a lambda",
       "__global__ void k() { extern __shared__ int s[]; auto f = [&](int i) { return s[i]; }; "
       "s[0] = f(1); }",
       {"(&s)[]"}},
      {"dynamic, outside functions",
       "extern __shared__ float outer[]; namespace n { extern __shared__ int inner[]; "
       "}\n__global__ void k() { outer[0] = 1; n::inner[1] = 2; }",
       {"extern __thread float outer[] __asm__(\"emu_dynamic_shared_memory\");",
        "extern __thread int inner[] __asm__(\"emu_dynamic_shared_memory\");"}},
  };
}

}  // namespace nvcc_tests
