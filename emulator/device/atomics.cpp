// Atomic operations of device code. They are real atomics, because blocks run on several host
// threads.
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "emulator/device.h"
#include "emulator/device_atomics.h"

namespace emu::detail {
namespace {

constexpr int kOrder = __ATOMIC_SEQ_CST;

// A lane that waits for another one, at a lock for example, calls atomic functions in a loop, and
// the other lane runs only if this one lets it. So a lane yields after this many calls in a row.
constexpr unsigned kCallsBeforeYield = 256;

struct Caller {
  uint3 block, thread;
};

void give_way_sometimes() {
  static thread_local Caller last;
  static thread_local unsigned calls;
  if (!in_kernel()) return;
  const Caller caller{blockIdx, threadIdx};
  if (std::memcmp(&caller, &last, sizeof caller) != 0) {
    last = caller;
    calls = 0;
  }
  if (++calls < kCallsBeforeYield) return;
  calls = 0;
  yield();
}

template <class T>
using Word = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T, class Change>
T update(T* address, const Change& change) {
  auto* const word = reinterpret_cast<Word<T>*>(address);
  Word<T> old = __atomic_load_n(word, kOrder);
  while (!__atomic_compare_exchange_n(
      word, &old, std::bit_cast<Word<T>>(change(std::bit_cast<T>(old))), false, kOrder, kOrder)) {
  }
  return std::bit_cast<T>(old);
}

// The common begin of all operations; inlined, because it needs the return address.
[[gnu::always_inline]] inline void enter(const void* address, unsigned bytes, const void* call_site,
                                         AtomicKind kind = AtomicKind::update) {
  give_way_sometimes();
  record_atomic(address, bytes, call_site, kind);
}

// A lock for accesses of 16 bytes, for which there is no portable instruction.
void lock_16(bool take) {
  static bool locked;
  if (!take) return __atomic_clear(&locked, __ATOMIC_RELEASE);
  while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {
  }
}

}  // namespace

template <class T>
[[gnu::noinline]] T atomic_load(const T* address) {
  give_way_sometimes();
  record_atomic_access(address, sizeof(T), __builtin_return_address(0), false);
  return __atomic_load_n(address, kOrder);
}

template <class T>
[[gnu::noinline]] void atomic_store(T* address, T value) {
  record_atomic_access(address, sizeof(T), __builtin_return_address(0), true);
  __atomic_store_n(address, value, kOrder);
}

template <class T>
[[gnu::noinline]] T atomic_add(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0));
  if constexpr (std::is_integral_v<T>)
    return __atomic_fetch_add(address, value, kOrder);
  else
    return update(address, [value](T old) { return old + value; });
}

// Each component is atomic, the vector as a whole is not.
[[gnu::noinline]] float2 atomic_add(float2* address, float2 value) {
  enter(address, sizeof(float2), __builtin_return_address(0));
  return {update(&address->x, [value](float old) { return old + value.x; }),
          update(&address->y, [value](float old) { return old + value.y; })};
}
[[gnu::noinline]] float4 atomic_add(float4* address, float4 value) {
  enter(address, sizeof(float4), __builtin_return_address(0));
  return {update(&address->x, [value](float old) { return old + value.x; }),
          update(&address->y, [value](float old) { return old + value.y; }),
          update(&address->z, [value](float old) { return old + value.z; }),
          update(&address->w, [value](float old) { return old + value.w; })};
}

namespace {

template <class Float, class Bits>
[[gnu::always_inline]] inline Bits add_bits(Bits* address, Bits value, const void* call_site) {
  enter(address, sizeof(Bits), call_site);
  return std::bit_cast<Bits>(update(reinterpret_cast<Float*>(address), [value](Float old) {
    return old + std::bit_cast<Float>(value);
  }));
}

}  // namespace

[[gnu::noinline]] std::uint16_t atomic_add_f16(std::uint16_t* address, std::uint16_t value) {
  return add_bits<__half>(address, value, __builtin_return_address(0));
}
[[gnu::noinline]] std::uint16_t atomic_add_bf16(std::uint16_t* address, std::uint16_t value) {
  return add_bits<__nv_bfloat16>(address, value, __builtin_return_address(0));
}
[[gnu::noinline]] std::uint32_t atomic_add_f16x2(std::uint32_t* address, std::uint32_t value) {
  return add_bits<__half2>(address, value, __builtin_return_address(0));
}
[[gnu::noinline]] std::uint32_t atomic_add_bf16x2(std::uint32_t* address, std::uint32_t value) {
  return add_bits<__nv_bfloat162>(address, value, __builtin_return_address(0));
}

template <class T>
[[gnu::noinline]] T atomic_subtract(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0));
  return __atomic_fetch_sub(address, value, kOrder);
}

template <class T>
[[gnu::noinline]] T atomic_exchange(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0), AtomicKind::exchange);
  return std::bit_cast<T>(__atomic_exchange_n(reinterpret_cast<Word<T>*>(address),
                                              std::bit_cast<Word<T>>(value), kOrder));
}

template <class T>
[[gnu::noinline]] T atomic_min(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0), AtomicKind::extreme);
  return update(address, [value](T old) { return value < old ? value : old; });
}

template <class T>
[[gnu::noinline]] T atomic_max(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0), AtomicKind::extreme);
  return update(address, [value](T old) { return old < value ? value : old; });
}

template <class T>
[[gnu::noinline]] T atomic_and(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0));
  return __atomic_fetch_and(address, value, kOrder);
}

template <class T>
[[gnu::noinline]] T atomic_or(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0));
  return __atomic_fetch_or(address, value, kOrder);
}

template <class T>
[[gnu::noinline]] T atomic_xor(T* address, T value) {
  enter(address, sizeof(T), __builtin_return_address(0));
  return __atomic_fetch_xor(address, value, kOrder);
}

template <class T>
[[gnu::noinline]] T atomic_compare_and_swap(T* address, T expected, T value) {
  note_compare_and_swap(address);
  enter(address, sizeof(T), __builtin_return_address(0), AtomicKind::compare_and_swap);
  const bool swaps = __atomic_compare_exchange_n(address, &expected, value, false, kOrder, kOrder);
  note_compared(address, swaps);
  return expected;
}

[[gnu::noinline]] unsigned atomic_increment(unsigned* address, unsigned limit) {
  enter(address, sizeof(unsigned), __builtin_return_address(0));
  return update(address, [limit](unsigned old) { return old >= limit ? 0 : old + 1; });
}

[[gnu::noinline]] unsigned atomic_decrement(unsigned* address, unsigned limit) {
  enter(address, sizeof(unsigned), __builtin_return_address(0));
  return update(address,
                [limit](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}

[[gnu::noinline]] void atomic_load_16(const void* address, void* value) {
  give_way_sometimes();
  record_atomic_access(address, 16, __builtin_return_address(0), false);
  lock_16(true);
  std::memcpy(value, address, 16);
  lock_16(false);
}

[[gnu::noinline]] void atomic_store_16(void* address, const void* value) {
  record_atomic_access(address, 16, __builtin_return_address(0), true);
  lock_16(true);
  std::memcpy(address, value, 16);
  lock_16(false);
}

[[gnu::noinline]] void atomic_exchange_16(void* address, const void* value, void* old) {
  enter(address, 16, __builtin_return_address(0), AtomicKind::exchange);
  lock_16(true);
  std::memcpy(old, address, 16);
  std::memcpy(address, value, 16);
  lock_16(false);
}

[[gnu::noinline]] void atomic_compare_and_swap_16(void* address, const void* expected,
                                                  const void* value, void* old) {
  note_compare_and_swap(address);
  enter(address, 16, __builtin_return_address(0), AtomicKind::compare_and_swap);
  lock_16(true);
  std::memcpy(old, address, 16);
  const bool swaps = std::memcmp(old, expected, 16) == 0;
  if (swaps) std::memcpy(address, value, 16);
  lock_16(false);
  note_compared(address, swaps);
}

template std::uint8_t atomic_load(const std::uint8_t*);
template std::uint16_t atomic_load(const std::uint16_t*);
template std::uint32_t atomic_load(const std::uint32_t*);
template std::uint64_t atomic_load(const std::uint64_t*);
template void atomic_store(std::uint8_t*, std::uint8_t);
template void atomic_store(std::uint16_t*, std::uint16_t);
template void atomic_store(std::uint32_t*, std::uint32_t);
template void atomic_store(std::uint64_t*, std::uint64_t);
template int atomic_add(int*, int);
template unsigned atomic_add(unsigned*, unsigned);
template unsigned long long atomic_add(unsigned long long*, unsigned long long);
template float atomic_add(float*, float);
template double atomic_add(double*, double);
template __half atomic_add(__half*, __half);
template __half2 atomic_add(__half2*, __half2);
template __nv_bfloat16 atomic_add(__nv_bfloat16*, __nv_bfloat16);
template __nv_bfloat162 atomic_add(__nv_bfloat162*, __nv_bfloat162);
template int atomic_subtract(int*, int);
template unsigned atomic_subtract(unsigned*, unsigned);
template int atomic_exchange(int*, int);
template unsigned atomic_exchange(unsigned*, unsigned);
template unsigned long long atomic_exchange(unsigned long long*, unsigned long long);
template float atomic_exchange(float*, float);
template int atomic_min(int*, int);
template unsigned atomic_min(unsigned*, unsigned);
template long long atomic_min(long long*, long long);
template unsigned long long atomic_min(unsigned long long*, unsigned long long);
template int atomic_max(int*, int);
template unsigned atomic_max(unsigned*, unsigned);
template long long atomic_max(long long*, long long);
template unsigned long long atomic_max(unsigned long long*, unsigned long long);
template int atomic_and(int*, int);
template unsigned atomic_and(unsigned*, unsigned);
template long long atomic_and(long long*, long long);
template unsigned long long atomic_and(unsigned long long*, unsigned long long);
template int atomic_or(int*, int);
template unsigned atomic_or(unsigned*, unsigned);
template long long atomic_or(long long*, long long);
template unsigned long long atomic_or(unsigned long long*, unsigned long long);
template int atomic_xor(int*, int);
template unsigned atomic_xor(unsigned*, unsigned);
template long long atomic_xor(long long*, long long);
template unsigned long long atomic_xor(unsigned long long*, unsigned long long);
template int atomic_compare_and_swap(int*, int, int);
template unsigned atomic_compare_and_swap(unsigned*, unsigned, unsigned);
template unsigned long long atomic_compare_and_swap(unsigned long long*, unsigned long long,
                                                    unsigned long long);
template unsigned short atomic_compare_and_swap(unsigned short*, unsigned short, unsigned short);

}  // namespace emu::detail
