/// What clangd reads before each CUDA source and header (.clangd). It is no part of any program.
///
/// clang knows CUDA's language; the emulator's headers have its library. They are plain C++, which
/// a kernel may only call if clang is told so: whatever stands between force_cuda_host_device and
/// its end may be called from both sides. The C++ library stays outside, because its later headers
/// would not fit to what was declared like that.
#pragma once

#pragma clang system_header

#pragma clang force_cuda_host_device begin
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // C's own: they bring nothing of the C++ library along
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#pragma clang force_cuda_host_device end

// clang's own <new> for CUDA would define `operator new` for devices, once there is `__device__`.
#include <new>
#define __CLANG_CUDA_WRAPPERS_NEW

#define __CUDACC__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __grid_constant__

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "host.hpp"

#if __clang_major__ < 15  // a keyword since
#define __noinline__ __attribute__((noinline))
#endif

namespace clangd {
template <class T>
constexpr unsigned long alignment() {
  return alignof(T);
}
template <unsigned long number>
constexpr unsigned long alignment() {
  return number;
}
}  // namespace clangd
// clang takes `__shared__ alignas(16)` for a mistake, because one is an attribute of GNU's and the
// other of the standard's. What stands behind alignas is a type or a number.
#define alignas(...) __attribute__((aligned(::clangd::alignment<__VA_ARGS__>())))

// Of the two `operator new` that clang declares, host and device, it only finds the device's again
// if all this was read ahead. Host code takes these.
template <class... None>
void* operator new(std::size_t bytes, None...);
template <class... None>
void* operator new[](std::size_t bytes, None...);

// clang declares no device's form of those that return null.
__device__ void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept;
__device__ void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept;

#pragma clang force_cuda_host_device begin
#define __syncthreads clang_has_its_own
#include <cooperative_groups.h>
#include <cooperative_groups/functional.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <cuda/ptx>
#undef __syncthreads
#pragma clang force_cuda_host_device end

// What clang makes of kernel<<<grid, block>>>(): one of these, by clang's version.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     cudaStream_t stream = nullptr);
unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                           cudaStream_t stream = nullptr);
