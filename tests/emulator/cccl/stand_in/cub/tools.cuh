/// A stand-in for CCCL: language features that its headers use and ordinary programs do not.
#pragma once
#pragma GCC system_header

#include <cuda/std/version>

#ifdef __CUDA_ARCH__
#define TOOLS_ARCH __CUDA_ARCH__
#define TOOLS_CONSTANT __device__ constexpr
#include "only_on_device.cuh"
#else
#define TOOLS_ARCH 0
#define TOOLS_CONSTANT inline constexpr
#endif

namespace tools {

/// A constant whose definition differs between host and device.
struct Answer {
  __host__ __device__ constexpr int operator()() const { return 42; }
};
TOOLS_CONSTANT Answer answer{};

/// A default that differs between host and device.
template <int kArch = TOOLS_ARCH>
__host__ __device__ int architecture() {
  return kArch;
}
template <class T, int kArch = TOOLS_ARCH>
struct Tuned {
  static constexpr int arch = kArch;
  using Word = T;
#ifdef __CUDA_ARCH__
  enum { kItems = 4 };
#else
  enum { kItems = 2 };
#endif
  __host__ __device__ static const char* side() {
#ifdef __CUDA_ARCH__
    return "device";
#else
    return "host";
#endif
  }
  __host__ __device__ static int count(const Tuned& of);
  __host__ __device__ constexpr int items() const noexcept {
#ifdef __CUDA_ARCH__
    static_assert(sizeof(T) > 0, "");
#endif
    return kItems;
  }
};
template <class T, int kArch>
__host__ __device__ int Tuned<T, kArch>::count(const Tuned&) {
  return sizeof(T);
}

/// A member has the name of a class outside.
template <class T>
struct Scan {};
template <class T>
struct Block {
  Scan<T> before;
  using Scan = Scan<T>;
  Scan behind;
};

/// Is never called; no device of today has the instruction.
__device__ inline void unknown_instruction() { asm volatile("tcgen05.fence::before_thread_sync;"); }

/// PTX with the operation first, and a lane that exits from a function.
__device__ inline void add(unsigned* sum, unsigned value) {
  unsigned old;
  asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(sum), "r"(value)
               : "memory");
}
__device__ inline void leave() { asm volatile("exit;"); }

__host__ __device__ inline void copy(void* to, const void* from) {
  ::cuda::std::memcpy(to, from, 4);
}

/// In a block's memory, nobody calls the destructor.
struct Guarded {
  unsigned value;
  Guarded() = default;
  __host__ __device__ ~Guarded() { value = 9; }
};

/// A launch in a function for both sides, which is right on the host.
template <class Kernel, class... Arguments>
__host__ __device__ void run(Kernel kernel, int threads, Arguments... arguments) {
#pragma GCC unroll 4
  for (int i = 0; i < 1; ++i) kernel<<<1, threads>>>(arguments...);
}

}  // namespace tools
