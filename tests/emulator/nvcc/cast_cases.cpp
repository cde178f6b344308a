#include "cases.hpp"

namespace nvcc_tests {

std::vector<Case> cast_cases() {
  return {
      {"C casts",
       "__global__ void k(int*) {} template <class T, int N> __global__ void t(T*) {} namespace n "
       "{ __global__ void m() {} }\n"
       "const void* a[] = {(void*)k, (const void*)k, (void const*)&k, (void*)t<float, 3>, "
       "(void*)&t<int, 1>, (const void*)n::m, (void*)(k)};",
       {"(void*)::emu::kernel_handle(k), (const void*)::emu::kernel_handle(k), (void "
        "const*)::emu::kernel_handle(&k), (void*)::emu::kernel_handle(t<float, 3>), "
        "(void*)::emu::kernel_handle(&t<int, 1>), (const void*)::emu::kernel_handle(n::m)",
        "(void*)(::emu::kernel_handle(k))"}},
      {"C++ casts",
       "__global__ void k(int*) {} template <class T> __global__ void t(T*) {}\n"
       "const void* a = reinterpret_cast<void*>(k); const void* b = reinterpret_cast<const "
       "void*>(&t<float>); const void* c = reinterpret_cast<void const*>(t<int>);",
       {"reinterpret_cast<void*>(::emu::kernel_handle(k))",
        "reinterpret_cast<const void*>(::emu::kernel_handle(&t<float>))"}},
      {"cudaLaunchKernel",
       "__global__ void k(int*) {}\nvoid f(void** arguments) { cudaLaunchKernel((void*)k, dim3(1), "
       "dim3(2), arguments, 0, nullptr); }",
       {"cudaLaunchKernel((void*)::emu::kernel_handle(k), dim3(1)"}},
      {"cudaLaunchKernel with a pointer",
       "struct S { void (*k[2])(int*); };\nvoid f(S* s, void (*p)(int*), void** a) { "
       "cudaLaunchKernel((void*)p, dim3(1), dim3(2), a, 0, nullptr); "
       "cudaLaunchKernel((const void*)s->k[1], dim3(1, 2), dim3(2), a, 0, nullptr); "
       "cudaLaunchCooperativeKernel((void*)(p), 1, 2, a, 0, nullptr); }",
       {"cudaLaunchKernel((void*)::emu::kernel_handle(p), dim3(1)",
        "((const void*)::emu::kernel_handle(s->k[1]), dim3(1, 2)"}},
      {"a variable with a kernel's name",
       "__global__ void k(int*) {}\nvoid f() { const int* k = nullptr; const void* p = (const "
       "void*)k; (void)p; }\nvoid g(int* j) { int* k = j; cudaFree((void*)k); }",
       {"(const void*)::emu::kernel_handle(k)"}},
      {"other casts and names are left alone",
       "__global__ void k(int*) {}\nvoid f(int* p, void (*table[1])(int*)) { void* a = (void*)p; "
       "void** b = (void**)&p; const void* c = reinterpret_cast<const void*>(p); "
       "const void* d = (const void*)table[0]; (void)a; (void)b; (void)c; (void)d; (void)k; }",
       {"(void*)p", "(void**)&p", "reinterpret_cast<const void*>(p)"},
       {"kernel_handle"}},
  };
}

}  // namespace nvcc_tests
