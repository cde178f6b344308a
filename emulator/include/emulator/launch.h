/// @file
/// Passes a launch from host code to the engine. The source rewriter writes calls of these
/// functions: `k<<<g, b>>>(x)` becomes `(emu::push_launch(g, b), k(x))`, and a kernel's first
/// statement passes the launch, with its converted arguments, to emu::launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "driver_types.h"
#include "emulator/device.h"
#include "vector_types.h"

extern "C" {
// Constant, so that reads are not counted. Kernels are never inlined, so each call reads it once.
extern __thread const int emu_launch_is_pending;
}

namespace emu {

/// Remembers the configuration of the kernel call that follows, in host code or in a lane.
void push_launch(dim3 grid, dim3 block, std::size_t dynamic_shared_bytes = 0,
                 cudaStream_t stream = nullptr);

/// Stands behind a kernel's call in device code, so that a kernel which launches itself last does
/// not become a loop: the compiler takes `emu_launch_is_pending` for a constant.
void launched() noexcept;

inline constexpr unsigned kMostThreadsOfBlock = 1024;

/// Properties of launches that a kernel's definition sets.
struct KernelBounds {
  unsigned max_threads = kMostThreadsOfBlock;  ///< per block: `__launch_bounds__`
  uint3 cluster{0, 0, 0};                      ///< in blocks: `__cluster_dims__`; {0, 0, 0}: any
};

/// The argument of `__cluster_dims__(x, y, z)`.
template <int x, int y = 1, int z = 1>
constexpr uint3 cluster_dims() {
  static_assert(x > 0 && y > 0 && z > 0, "a cluster has at least one block in each direction");
  return {x, y, z};
}

/// Returns whether the program calls the kernel, rather than the engine for one of its lanes.
inline bool launch_pending() noexcept { return emu_launch_is_pending != 0; }

/// The writable name of threadIdx.
extern __thread uint3 thread_index __asm__("threadIdx");

/// Where a parameter lies among all of a kernel, as CUDA lays them out.
struct ParameterPlace {
  std::size_t offset, bytes;
};

namespace detail {
/// Threads of a block that run one after the other until one of them waits.
struct LaneRun {
  const uint3* index = nullptr;             ///< [thread]
  unsigned thread = 0;                      ///< the running one
  unsigned end = 0;                         ///< after the last one of the run
  std::uint64_t waits = 0;                  ///< number of waits of any thread
  void (*between)(LaneRun& run) = nullptr;  ///< called between two threads
};
using RunLanes = void (*)(void* object, LaneRun& run);
using RunBlock = bool (*)(void* object, const uint3* shape);

/// The forms of a kernel. `instrumented` calls the engine before each access, for counting and
/// checking. `quick` does not, and is as fast as the compiler can make it. `block` runs all threads
/// of a block in one function, if the kernel permits that.
struct Forms {
  RunLanes instrumented = nullptr, quick = nullptr;
  RunBlock block = nullptr;
  std::size_t object_bytes = 0;  ///< size of the object with the kernel's arguments
};

// Bounds come apart: this is a part of every kernel, and a kernel that has a struct of 16 bytes may
// have accesses that look misaligned (uses_half_aligned_struct).
/// @return whether the call of the kernel is a launch; false if it is a lane, which is to run while
/// another lane is about to launch
bool launch(const char* pretty_name, const std::type_info& body, const Forms& forms, void* object,
            unsigned max_threads, const uint3& cluster);
/// The same for a kernel that is known by its mangled name, without `_Z`.
bool launch(const char* encoding, RunLanes run_lanes, void* object);
void register_kernel(const void* kernel, void (*invoke)(const void*, void**),
                     void (*ask)(const void*), const ParameterPlace* parameters,
                     std::size_t parameter_count);

/// Whether C++ passes a parameter of this type by the address of a copy, which the caller makes and
/// destroys, because its copy, move or destructor is not trivial. That also holds for classes with
/// virtual functions, and for lambdas that captured such an object.
template <class T>
constexpr bool is_passed_by_address() {
  if constexpr (!std::is_class_v<T> && !std::is_union_v<T>) {
    return false;
  } else {
    constexpr bool copies = std::is_copy_constructible_v<T>;
    constexpr bool moves = std::is_move_constructible_v<T>;
    return !std::is_trivially_destructible_v<T> ||
           (copies && !std::is_trivially_copy_constructible_v<T>) ||
           (moves && !std::is_trivially_move_constructible_v<T>) ||
           (!copies && !moves && !std::is_trivially_constructible_v<T, T&>);
  }
}

/// The type that replaces a parameter in calls of a kernel's function. Where C++ would copy an
/// object, the function gets its bytes: a device copies only bytes, and calls no constructor or
/// destructor.
template <class T>
using Passed = std::conditional_t<is_passed_by_address<T>(), T&, T>;

/// Returns a kernel's argument from the address given to cudaLaunchKernel; for a reference, that is
/// the address of a pointer.
template <class T>
Passed<T>&& argument_at(void* given) {
  if constexpr (std::is_reference_v<T>)
    return static_cast<T&&>(**static_cast<std::remove_reference_t<T>**>(given));
  else
    return static_cast<Passed<T>&&>(*static_cast<T*>(given));
}

template <class... Parameters, std::size_t... Index>
void invoke(const void* kernel, void** arguments, std::index_sequence<Index...>) {
  reinterpret_cast<void (*)(Passed<Parameters>...)>(const_cast<void*>(kernel))(
      argument_at<Parameters>(arguments[Index])...);
}
template <class... Parameters>
void invoke_kernel(const void* kernel, [[maybe_unused]] void** arguments) {
  invoke<Parameters...>(kernel, arguments, std::index_sequence_for<Parameters...>{});
}

/// A placeholder argument for a kernel that is called without running.
template <class T>
struct NoArgument {
  alignas(T) static inline unsigned char bytes[sizeof(T)];
};
/// Calls the kernel so that it returns its bounds.
template <class... Parameters>
void ask_kernel(const void* kernel) {
  void* arguments[] = {
      NoArgument<std::conditional_t<std::is_reference_v<Parameters>, void*, Parameters>>::bytes...,
      nullptr};
  invoke_kernel<Parameters...>(kernel, arguments);
}

// In the header rather than in the engine, so that the kernel is called directly: small kernels
// consist mostly of this loop. Not instrumented: reading the arguments is not an access of the
// kernel.
template <class Body>
__attribute__((no_sanitize("thread"))) void run_lanes(void* object, LaneRun& run) {
  Body& body = *static_cast<Body*>(object);
  const std::uint64_t waits = run.waits;
  const unsigned end = run.end;
  unsigned thread = run.thread;
  for (;;) {
    thread_index = run.index[thread];
    body();
    if (run.waits != waits) return;
    run.thread = ++thread;
    if (thread == end) return;
    if (run.between) run.between(run);
  }
}

/// Runs lanes without counting and checks. The compiler's plugin recognises this function by name,
/// and makes quick forms of all functions that it calls (quick_forms.cpp).
template <class Body>
__attribute__((no_sanitize("thread"))) void run_lanes_quick(void* object, LaneRun& run) {
  Body& body = *static_cast<Body*>(object);
  const std::uint64_t waits = run.waits;
  const unsigned end = run.end;
  unsigned thread = run.thread;
  for (;;) {
    thread_index = run.index[thread];
    body();
    if (run.waits != waits) return;
    run.thread = ++thread;
    if (thread == end) return;
  }
}

// The plugin replaces these calls by its answers. Without it, no kernel has a block form.
extern "C" int emu_has_block_form() noexcept;  ///< whether a block can be
extern "C" int emu_has_barriers() noexcept;    ///< whether its threads wait for each other
/// Continues after the barrier with this number; 0: starts at the beginning.
extern "C" void emu_resume(unsigned point) noexcept;
/// Called by a thread that has reached a barrier and stored its number.
extern "C" void emu_suspended(unsigned* points) noexcept;

/// Limit of a launch for the block form: no thread's index in the whole grid overflows, and the
/// plugin tells the compiler so.
inline constexpr unsigned kMostBlocksInLine = 1u << 20;

#if defined(__x86_64__)
// Vectors with masks, for inactive threads. The engine asks the processor.
#define EMU_BLOCK_TARGET __attribute__((target("avx2")))
#else
#define EMU_BLOCK_TARGET
#endif

/// Runs a block's threads in loops: all of them up to a barrier, then all from there on. Threads
/// have no stacks of their own; the plugin saves the variables that a thread keeps across a barrier
/// (lane_loops.cpp). Between barriers, threads do not depend on each other: hence `ivdep`. `shape`
/// is blockDim; if it is null, nothing runs. Returns whether this kernel has a block form.
template <class Body>
EMU_BLOCK_TARGET __attribute__((no_sanitize("thread"))) bool run_block_quick(void* object,
                                                                             const uint3* shape) {
  if (!emu_has_block_form()) return false;
  if (!shape) return true;
  const Body body = *static_cast<const Body*>(object);
  const uint3 size = blockDim;
  if (!emu_has_barriers()) {
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y)
#pragma GCC ivdep
        for (unsigned x = 0; x < size.x; ++x) {
          thread_index = {x, y, z};
          body();
        }
    return true;
  }
  constexpr unsigned kOver = ~0u;
  unsigned points[kMostThreadsOfBlock] = {};  // where each thread continues
  for (bool is_over = false; !is_over;) {
    is_over = true;
    std::size_t thread = 0;
    for (unsigned z = 0; z < size.z; ++z)
      for (unsigned y = 0; y < size.y; ++y)
#pragma GCC ivdep
        for (unsigned x = 0; x < size.x; ++x, ++thread) {
          if (points[thread] == kOver) continue;
          thread_index = {x, y, z};
          emu_resume(points[thread]);
          body();
          points[thread] = kOver;
          emu_suspended(points);
          is_over = is_over && points[thread] == kOver;
        }
  }
  return true;
}
/// The bytes of a launch's argument.
template <std::size_t number, class T>
class KeptArgument {
 public:
  __attribute__((no_sanitize("thread"))) explicit KeptArgument(const T& given) {
    __builtin_memcpy(bytes_, const_cast<std::remove_cv_t<T>*>(__builtin_addressof(given)),
                     sizeof(T));
  }
  __attribute__((no_sanitize("thread"))) Passed<T>&& passed() {
    return static_cast<Passed<T>&&>(reinterpret_cast<T&>(bytes_));
  }

 private:
  alignas(T) unsigned char bytes_[sizeof(T)];
};
/// A launch does not copy the object behind a reference.
template <std::size_t number, class T>
class KeptArgument<number, T&> {
 public:
  explicit KeptArgument(T& given) : place_(__builtin_addressof(given)) {}
  __attribute__((no_sanitize("thread"))) T& passed() { return *place_; }

 private:
  T* place_;
};
template <std::size_t number, class T>
class KeptArgument<number, T&&> : KeptArgument<number, T&> {
 public:
  using KeptArgument<number, T&>::KeptArgument;
  __attribute__((no_sanitize("thread"))) T&& passed() {
    return static_cast<T&&>(KeptArgument<number, T&>::passed());
  }
};

template <class Numbers, class... Parameters>
struct KeptArguments;
template <std::size_t... number, class... Parameters>
struct KeptArguments<std::index_sequence<number...>, Parameters...>
    : KeptArgument<number, Parameters>... {
  // `const`, because a pointer with __restrict__ is passed as a copy without it.
  explicit KeptArguments(std::add_lvalue_reference_t<const Parameters>... given)
      : KeptArgument<number, Parameters>(given)... {}

  /// Calls the kernel's function for one thread, which may modify its parameters.
  template <auto kernel>
  __attribute__((no_sanitize("thread"))) void call() const {
    KeptArguments mine = *this;
    // Through a function without parameters, because g++ does not warn of such casts.
    reinterpret_cast<void (*)(Passed<Parameters>...)>(reinterpret_cast<void (*)()>(kernel))(
        mine.KeptArgument<number, Parameters>::passed()...);
  }
};
}  // namespace detail

/// A number that must be a compile-time constant.
template <unsigned number>
inline constexpr unsigned kConstant = number;

/// Runs `per_thread` once for every thread of the pending launch; false if the caller is a lane
/// that no launch is pending for.
template <class Function>
bool launch(const char* pretty_name, Function&& per_thread,
            unsigned max_threads = kMostThreadsOfBlock, uint3 cluster = {0, 0, 0}) {
  using Body = std::remove_reference_t<Function>;
  return detail::launch(pretty_name, typeid(Body),
                        {&detail::run_lanes<Body>, &detail::run_lanes_quick<Body>,
                         &detail::run_block_quick<Body>, sizeof(Body)},
                        &per_thread, max_threads, cluster);
}

/// Whether a kernel has a parameter that C++ passes by the address of a copy.
template <class... Parameters>
inline constexpr bool any_passed_by_address = (detail::is_passed_by_address<Parameters>() || ...);

/// Stands for an object in a kernel's call that is compiled and never made, because C++ passes the
/// object by address. Perhaps it cannot be copied.
struct NeverCaptured {
  template <class T>
  operator T() const {
    __builtin_unreachable();
  }
};

/// Returns what a lambda keeps of a kernel's argument: its value, if `any_passed_by_address` is
/// false for the kernel.
template <class T>
__attribute__((always_inline, no_sanitize("thread"))) inline auto captured(const T& given) {
  if constexpr (detail::is_passed_by_address<T>())
    return NeverCaptured();
  else
    return given;
}

/// The arguments of a launch of such a kernel; they replace a lambda's captures.
template <class... Parameters>
using KeptArguments = detail::KeptArguments<std::index_sequence_for<Parameters...>, Parameters...>;

/// Calls such a kernel for one thread.
template <auto kernel, class Arguments>
__attribute__((no_sanitize("thread"))) void call_kernel(const Arguments& arguments) {
  arguments.template call<kernel>();
}

namespace detail {
/// A reference is passed as a pointer.
template <class T>
using Stored = std::conditional_t<std::is_reference_v<T>, void*, T>;

template <class... Parameters>
struct ParameterPlaces {
  ParameterPlace places[sizeof...(Parameters) + 1];  // the last one is the end of all parameters

  constexpr ParameterPlaces() : places{} {
    constexpr std::size_t sizes[] = {sizeof(Stored<Parameters>)..., 0};
    constexpr std::size_t alignments[] = {alignof(Stored<Parameters>)..., 1};
    std::size_t end = 0;
    for (std::size_t i = 0; i <= sizeof...(Parameters); ++i) {
      const std::size_t begin = (end + alignments[i] - 1) / alignments[i] * alignments[i];
      places[i] = {begin, sizes[i]};
      end = begin + sizes[i];
    }
  }
};

template <class... Parameters>
inline constexpr ParameterPlaces<Parameters...> kParameterPlaces{};
}  // namespace detail

/// Remembers the signature, so that a launch by address (`cudaLaunchKernel`) can pass arguments,
/// and bounds_of can ask.
template <class... Parameters>
auto kernel_handle(void (*kernel)(Parameters...)) {
  detail::register_kernel(reinterpret_cast<const void*>(kernel),
                          &detail::invoke_kernel<Parameters...>, &detail::ask_kernel<Parameters...>,
                          detail::kParameterPlaces<Parameters...>.places, sizeof...(Parameters));
  return kernel;
}

/// A kernel of a module, for whoever loads that.
struct KernelRecord {
  const void* (*address)();
  void (*invoke)(const void* kernel, void** arguments);
  void (*ask)(const void* kernel);
  const ParameterPlace* parameters;
  std::size_t parameter_count;
};

/// A module has the record of each kernel under a name by which it is found.
template <auto kernel>
struct ModuleKernel;
template <class... Parameters, void (*kernel)(Parameters...)>
struct ModuleKernel<kernel> {
  static const void* address() { return reinterpret_cast<const void*>(kernel); }
  __attribute__((used)) static const KernelRecord record;
};
/// @cond
template <class... Parameters, void (*kernel)(Parameters...)>
const KernelRecord ModuleKernel<kernel>::record = {
    &ModuleKernel::address, &detail::invoke_kernel<Parameters...>,
    &detail::ask_kernel<Parameters...>, detail::kParameterPlaces<Parameters...>.places,
    sizeof...(Parameters)};
/// @endcond

/// Registers nothing for other entities with a kernel's name or address.
inline void* kernel_handle(void* other) { return other; }
inline const void* kernel_handle(const void* other) { return other; }
inline std::nullptr_t kernel_handle(std::nullptr_t none) { return none; }

/// Calls a registered kernel with the pending launch; returns false if its signature is unknown.
bool call_registered(const void* kernel, void** arguments);

/// Returns the bounds in the kernel's definition; default bounds if it is not registered.
KernelBounds bounds_of(const void* kernel);

/// Returns this block's dynamic shared memory.
void* dynamic_shared() noexcept;

/// Returns the bytes of `__shared__` variables declared in the kernel itself.
std::size_t static_shared_bytes(const void* kernel);

}  // namespace emu
