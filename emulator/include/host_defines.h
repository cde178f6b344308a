/// Spellings of CUDA that stand for attributes of g++.
///
/// With `__CUDACC__` (a .cu source) the qualifiers `__global__`, `__device__`, `__host__`,
/// `__shared__`, `__constant__`, `__managed__`, `__launch_bounds__` and `__grid_constant__` are
/// tokens of the source rewriter, and so is `__noinline__`, which the C++ library writes inside its
/// own attributes. A plain C++ source that includes the runtime sees them vanish, as with the real
/// headers.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL

#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __inline_hint__
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__

#ifndef __CUDACC__
#define __host__
#define __global__
#define __device__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __grid_constant__
#elif !defined(__grid_constant__)  // clangd/cuda.hpp defines it for clang
#define __grid_constant__ __grid_constant__
#endif

#endif  // __HOST_DEFINES_H__
