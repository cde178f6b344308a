// Wrappers of the hooks of g++'s instrumentation. Each records the bytes that will be touched, then
// makes a tail call to the real hook, so that the engine still sees the caller.
#include "lane_guard.hpp"

namespace coursework::guard {
namespace {

/// Returns whether the access needs a ticket; local memory and constants do not. Ends the kernel
/// for any invalid address, so that the access after a hook needs no check.
[[gnu::noinline]] bool look_up(std::uintptr_t begin, std::size_t bytes, Access access,
                               std::uintptr_t stack_pointer, const void* caller) {
  if (is_own(begin, bytes, access, stack_pointer)) return false;
  if (is_device_memory(begin, bytes, access)) return true;
  emu::end_at_bad_address(reinterpret_cast<const void*>(begin), bytes, access == Access::store,
                          caller);
}

template <Access access>
[[gnu::always_inline]] inline void add_ticket(std::uintptr_t begin, std::size_t bytes) {
  LaneGuard& guard = lane();
  if constexpr (access == Access::load)
    guard.loads[guard.next_load++ % kTickets] = {begin, begin + bytes};
  else
    guard.stores[guard.next_store++ % kTickets] = {begin, begin + bytes};
}

/// A tail call, too: the real hook sees the submission as caller.
template <Access access>
[[gnu::noinline]] void look_up_and_go_on(void* address, std::size_t bytes, void (*hook)(void*)) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const auto stack_pointer = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
  if (look_up(begin, bytes, access, stack_pointer, __builtin_return_address(0)))
    add_ticket<access>(begin, bytes);
  hook(address);
}

/// Returns whether the bytes are in an allocation that was looked up recently.
[[gnu::always_inline]] inline bool is_known(std::uintptr_t begin, std::size_t bytes) {
  const LaneGuard& guard = lane();
  const auto covers = [&](const Ticket& range) {
    return begin >= range.begin && begin < range.end && bytes <= range.end - begin;
  };
  return covers(guard.valid[0]) || covers(guard.valid[1]);
}

template <Access access>
[[gnu::always_inline]] inline void guard_hook(void* address, std::size_t bytes,
                                              void (*hook)(void*)) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (__builtin_expect(!is_known(begin, bytes), 0))
    return look_up_and_go_on<access>(address, bytes, hook);
  add_ticket<access>(begin, bytes);
  hook(address);
}

/// As above, for a number of bytes known only at run time.
template <Access access>
[[gnu::always_inline]] inline void guard_range(void* address, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const auto stack_pointer = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
  if (look_up(begin, bytes, access, stack_pointer, __builtin_return_address(0)))
    add_ticket<access>(begin, bytes);
}

}  // namespace
}  // namespace coursework::guard

using coursework::guard::Access;

#define CONFINED_HOOK(name, access, bytes)                                         \
  void __tsan_##name(void*);                                                       \
  void confined_tsan_##name(void* address) {                                       \
    coursework::guard::guard_hook<Access::access>(address, bytes, &__tsan_##name); \
  }
#define CONFINED_HOOKS(bytes)                         \
  CONFINED_HOOK(read##bytes, load, bytes)             \
  CONFINED_HOOK(write##bytes, store, bytes)           \
  CONFINED_HOOK(unaligned_read##bytes, load, bytes)   \
  CONFINED_HOOK(unaligned_write##bytes, store, bytes) \
  CONFINED_HOOK(volatile_read##bytes, load, bytes)    \
  CONFINED_HOOK(volatile_write##bytes, store, bytes)

extern "C" {

CONFINED_HOOKS(1)
CONFINED_HOOKS(2)
CONFINED_HOOKS(4)
CONFINED_HOOKS(8)
CONFINED_HOOKS(16)

void __tsan_read_range(void*, std::size_t);
void confined_tsan_read_range(void* address, std::size_t bytes) {
  coursework::guard::guard_range<Access::load>(address, bytes);
  __tsan_read_range(address, bytes);
}
void __tsan_write_range(void*, std::size_t);
void confined_tsan_write_range(void* address, std::size_t bytes) {
  coursework::guard::guard_range<Access::store>(address, bytes);
  __tsan_write_range(address, bytes);
}

}  // extern "C"
