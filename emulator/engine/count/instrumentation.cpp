// Defines the functions that `g++ -fsanitize=thread` calls before every load and store of a .cu
// file. Usually a data-race detector defines them; here they count.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/device_copies.h"
#include "emulator/rounds.h"
#include "engine/check/check_host.hpp"
#include "engine/check/checker.hpp"
#include "engine/run/faults.hpp"
#include "engine/run/worker.hpp"

namespace emu {
namespace {

[[gnu::noinline]] void record_slowly(std::uintptr_t address, std::uintptr_t key, AccessKind kind,
                                     unsigned access_bytes) {
  if (__builtin_expect((address & (access_bytes - 1)) != 0, 0))
    check_alignment(address, access_bytes, kind, program_counter_of(key));
  if (__builtin_expect(hot.is_preempted, 0)) {
    if (address - hot.stack_begin >= hot.stack_bytes)
      Worker::running()->preempt(program_counter_of(key), address);
    return;
  }
  Worker::running()->log().record(address, key, kind, access_bytes);
}

/// @param is_atomic true also for atomic loads and stores
[[gnu::always_inline]] inline void record_at(std::uintptr_t address, std::uintptr_t key,
                                             AccessKind kind, unsigned access_bytes,
                                             bool is_atomic = false) {
  Row* const row = hot.cursor;
  if (__builtin_expect(row == nullptr, 0)) {  // host code, or a kernel that is not counted
    if (__builtin_expect((address & (access_bytes - 1)) != 0, 0))
      check_alignment(address, access_bytes, kind, program_counter_of(key));
    if (__builtin_expect(launches_are_running.load(std::memory_order_relaxed), 0))
      check_host_access(address, access_bytes, kind, program_counter_of(key), is_atomic);
    return;
  }
  if (is_expected(*row, key, address)) {
    hot.cursor = row + 1;
    return;
  }
  record_slowly(address, key, kind, access_bytes);
}

[[gnu::always_inline]] inline void record(const void* address, const void* call_site,
                                          AccessKind kind, unsigned access_bytes,
                                          bool is_atomic = false) {
  record_at(reinterpret_cast<std::uintptr_t>(address), reinterpret_cast<std::uintptr_t>(call_site),
            kind, access_bytes, is_atomic);
}

/// Called at atomic and volatile accesses of launches that are not counted. After many of them,
/// lets others run: the lane may be polling memory, and so wait for another lane or block.
[[gnu::always_inline]] inline void be_patient() {
  if (__builtin_expect(hot.cursor != nullptr, 0)) return;
  constexpr std::uint32_t kPatience = 4096;  // atomic and volatile accesses
  static __thread std::uint32_t looks;
  if (__builtin_expect(++looks % kPatience == 0, 0) && in_kernel()) Worker::running()->pause();
}

// Records an access in pieces. The compiler calls it for sizes that are no power of two, and for
// types aligned to less than their size. A device moves such data in pieces of the type's
// alignment. The type is unknown here, so the alignment of the address and the size stand for it,
// at most 4 bytes.
void record_range(const void* begin, std::size_t bytes, const void* call_site, AccessKind kind) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (hot.cursor == nullptr) {
    if (__builtin_expect(launches_are_running.load(std::memory_order_relaxed), 0))
      check_host_access(address, static_cast<unsigned>(bytes), kind,
                        reinterpret_cast<std::uintptr_t>(call_site), /*is_atomic=*/false);
    return;
  }
  if (address - hot.stack_begin < hot.stack_bytes) return;
  const std::uintptr_t alignment = (address | bytes) & (~(address | bytes) + 1);
  const auto piece = static_cast<unsigned>(std::min<std::uintptr_t>(alignment, kBankBytes));
  const auto key = reinterpret_cast<std::uintptr_t>(call_site);
  constexpr std::size_t kMost = 0xffff;
  hot.traits.struct_bytes = static_cast<std::uint16_t>(std::min(bytes, kMost));
  for (std::size_t part = 0; part * piece < bytes; ++part)
    record_at(address + part * piece,
              key | static_cast<std::uintptr_t>(part & 0xffff) << kPartShift, kind, piece);
  hot.traits = {};
}

/// Records the read of a small struct with padding, whole or in pieces.
[[gnu::always_inline]] inline void record_padded(const void* address, const void* call_site,
                                                 unsigned bytes, unsigned padding, bool in_pieces) {
  if (hot.cursor != nullptr) hot.traits.padding = static_cast<std::uint8_t>(padding);
  if (in_pieces)
    record_range(address, bytes, call_site, AccessKind::load);
  else
    record(address, call_site, AccessKind::load, bytes);
  hot.traits = {};
}

[[gnu::always_inline]] inline void record_volatile(const void* address, const void* call_site,
                                                   AccessKind kind, unsigned access_bytes) {
  // Set also in launches that are not checked, because the access site keeps its first traits.
  hot.traits.is_volatile = true;
  record(address, call_site, kind, access_bytes);
  hot.traits = {};
  if (__builtin_expect(hot.is_checked, 0))
    Worker::running()->synchronise(address, kind == AccessKind::load, kind == AccessKind::store);
  else
    be_patient();
}

}  // namespace

void record_atomic(const void* address, unsigned bytes, const void* call_site,
                   AtomicKind kind) noexcept {
  hot.traits.overwrites = kind == AtomicKind::exchange;
  hot.traits.is_swap = kind == AtomicKind::compare_and_swap;
  hot.traits.is_extreme = kind == AtomicKind::extreme;
  if (kind == AtomicKind::extreme && hot.is_checked && hot.cursor != nullptr)
    if (Worker& worker = *Worker::running(); worker.is_race_checked())
      worker.checker()->race.about_to_bound(worker.lane(),
                                            reinterpret_cast<std::uintptr_t>(address));
  record(address, call_site, AccessKind::atomic, bytes, /*is_atomic=*/true);
  hot.traits = {};
  if (hot.is_checked) Worker::running()->synchronise(address, true, true);
  be_patient();
}

void record_atomic_access(const void* address, unsigned bytes, const void* call_site,
                          bool writes) noexcept {
  hot.traits.is_volatile = hot.traits.is_atomic = true;
  record(address, call_site, writes ? AccessKind::store : AccessKind::load, bytes,
         /*is_atomic=*/true);
  hot.traits = {};
  if (hot.is_checked) Worker::running()->synchronise(address, !writes, writes);
  be_patient();
}

void note_compare_and_swap(const void* address) noexcept {
  if (!hot.is_checked || hot.cursor == nullptr) return;
  if (Worker& worker = *Worker::running(); worker.is_race_checked())
    worker.checker()->race.about_to_swap(worker.lane(), reinterpret_cast<std::uintptr_t>(address));
}

void note_compared(const void* address, bool has_swapped) noexcept {
  if (!hot.is_checked || hot.cursor == nullptr) return;
  if (Worker& worker = *Worker::running(); worker.is_race_checked())
    worker.checker()->race.has_compared(worker.lane(), reinterpret_cast<std::uintptr_t>(address),
                                        has_swapped);
}

namespace {

/// Records the accesses of a library call that copies (`from` is not null) or fills.
void record_call(const void* to, const void* from, std::size_t bytes, const void* call_site) {
  if (bytes == 0) return;
  // The load gets a key of its own, one byte before the return address, which belongs to the same
  // line.
  if (from) record_range(from, bytes, static_cast<const char*>(call_site) - 1, AccessKind::load);
  record_range(to, bytes, call_site, AccessKind::store);
}

}  // namespace

void* copy_recorded(void* to, const void* from, std::size_t bytes) noexcept {
  record_call(to, from, bytes, __builtin_return_address(0));
  const Unrecorded unrecorded;
  return std::memcpy(to, from, bytes);
}

void* move_recorded(void* to, const void* from, std::size_t bytes) noexcept {
  record_call(to, from, bytes, __builtin_return_address(0));
  const Unrecorded unrecorded;
  return std::memmove(to, from, bytes);
}

void* fill_recorded(void* to, int byte, std::size_t bytes) noexcept {
  record_call(to, nullptr, bytes, __builtin_return_address(0));
  const Unrecorded unrecorded;
  return std::memset(to, byte, bytes);
}

void record_late_store(const void* address, unsigned bytes, const void* call_site) noexcept {
  hot.traits.is_late = true;
  record(address, call_site, AccessKind::store, bytes);
  hot.traits = {};
}

void fence(bool of_device) noexcept {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (hot.cursor != nullptr) Worker::running()->log().order();
  if (hot.is_checked) Worker::running()->fence(of_device ? FenceScope::device : FenceScope::block);
}

}  // namespace emu

#define EMU_ACCESS(bytes)                                                                      \
  void __tsan_read##bytes(void* address) {                                                     \
    emu::record(address, __builtin_return_address(0), emu::AccessKind::load, bytes);           \
  }                                                                                            \
  void __tsan_write##bytes(void* address) {                                                    \
    emu::record(address, __builtin_return_address(0), emu::AccessKind::store, bytes);          \
  }                                                                                            \
  void __tsan_unaligned_read##bytes(void* address) {                                           \
    emu::record_range(address, bytes, __builtin_return_address(0), emu::AccessKind::load);     \
  }                                                                                            \
  void __tsan_unaligned_write##bytes(void* address) {                                          \
    emu::record_range(address, bytes, __builtin_return_address(0), emu::AccessKind::store);    \
  }                                                                                            \
  void __tsan_volatile_read##bytes(void* address) {                                            \
    emu::record_volatile(address, __builtin_return_address(0), emu::AccessKind::load, bytes);  \
  }                                                                                            \
  void __tsan_volatile_write##bytes(void* address) {                                           \
    emu::record_volatile(address, __builtin_return_address(0), emu::AccessKind::store, bytes); \
  }

// The compiler's own atomic operations (std::atomic, __atomic_*), counted as atomics.
#define EMU_ATOMIC_FETCH(bits, type, operation)                                           \
  type __tsan_atomic##bits##_fetch_##operation(volatile type* object, type value, int) {  \
    emu::record_atomic(const_cast<type*>(object), bits / 8, __builtin_return_address(0)); \
    return __atomic_fetch_##operation(object, value, __ATOMIC_SEQ_CST);                   \
  }
#define EMU_ATOMIC(bits, type)                                                                  \
  type __tsan_atomic##bits##_load(const volatile type* object, int) {                           \
    emu::record(const_cast<const type*>(object), __builtin_return_address(0),                   \
                emu::AccessKind::load, bits / 8, /*is_atomic=*/true);                           \
    emu::be_patient();                                                                          \
    return __atomic_load_n(object, __ATOMIC_SEQ_CST);                                           \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile type* object, type value, int) {                    \
    emu::record(const_cast<type*>(object), __builtin_return_address(0), emu::AccessKind::store, \
                bits / 8, /*is_atomic=*/true);                                                  \
    __atomic_store_n(object, value, __ATOMIC_SEQ_CST);                                          \
  }                                                                                             \
  type __tsan_atomic##bits##_exchange(volatile type* object, type value, int) {                 \
    emu::record_atomic(const_cast<type*>(object), bits / 8, __builtin_return_address(0));       \
    return __atomic_exchange_n(object, value, __ATOMIC_SEQ_CST);                                \
  }                                                                                             \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile type* object, type* expected,     \
                                                     type value, int, int) {                    \
    emu::record_atomic(const_cast<type*>(object), bits / 8, __builtin_return_address(0));       \
    return __atomic_compare_exchange_n(object, expected, value, false, __ATOMIC_SEQ_CST,        \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  bool __tsan_atomic##bits##_compare_exchange_weak(volatile type* object, type* expected,       \
                                                   type value, int, int) {                      \
    emu::record_atomic(const_cast<type*>(object), bits / 8, __builtin_return_address(0));       \
    return __atomic_compare_exchange_n(object, expected, value, true, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                       \
  }                                                                                             \
  EMU_ATOMIC_FETCH(bits, type, add)                                                             \
  EMU_ATOMIC_FETCH(bits, type, sub)                                                             \
  EMU_ATOMIC_FETCH(bits, type, and)                                                             \
  EMU_ATOMIC_FETCH(bits, type, or)                                                              \
  EMU_ATOMIC_FETCH(bits, type, xor)                                                             \
  EMU_ATOMIC_FETCH(bits, type, nand)

extern "C" {

void emu_be_patient() { emu::be_patient(); }

EMU_ACCESS(1)
EMU_ACCESS(2)
EMU_ACCESS(4)
EMU_ACCESS(8)
EMU_ACCESS(16)

void __tsan_read_range(void* begin, std::size_t bytes) {
  emu::record_range(begin, bytes, __builtin_return_address(0), emu::AccessKind::load);
}
void __tsan_write_range(void* begin, std::size_t bytes) {
  emu::record_range(begin, bytes, __builtin_return_address(0), emu::AccessKind::store);
}

// The plugin calls these where a small struct with padding is read. Bit i of `padding` is set if
// byte i is padding.
void emu_read_padded(void* address, unsigned bytes, unsigned padding) {
  emu::record_padded(address, __builtin_return_address(0), bytes, padding, false);
}
void emu_read_padded_range(void* address, unsigned bytes, unsigned padding) {
  emu::record_padded(address, __builtin_return_address(0), bytes, padding, true);
}

EMU_ATOMIC(8, std::uint8_t)
EMU_ATOMIC(16, std::uint16_t)
EMU_ATOMIC(32, std::uint32_t)
EMU_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int) { emu::fence(true); }
void __tsan_atomic_signal_fence(int) { std::atomic_signal_fence(std::memory_order_seq_cst); }
// Called where a constructor or destructor stores the address of a virtual function table.
void __tsan_vptr_update(void** place, void*) {
  emu::record(place, __builtin_return_address(0), emu::AccessKind::store, sizeof *place);
}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}

}  // extern "C"
