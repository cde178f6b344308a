// Stand before the hooks of g++'s instrumentation: each notes what is about to be touched, and goes
// on to the real one as a jump, so that the engine still sees who called.
#include "lane_guard.hpp"

namespace coursework::guard {
namespace {

/// Whether there is to be a ticket: not for local memory and constants, which need none. Ends the
/// kernel for every other address, so that behind a hook its access may be made without a check.
[[gnu::noinline]] bool look_up(std::uintptr_t begin, std::size_t bytes, Access access,
                               std::uintptr_t stack_pointer, const void* caller) {
  if (is_own(begin, bytes, access, stack_pointer)) return false;
  if (is_device_memory(begin, bytes, access)) return true;
  emu::end_at_bad_address(reinterpret_cast<const void*>(begin), bytes, access == Access::store,
                          caller);
}

template <Access access>
[[gnu::always_inline]] inline void note(void* address, std::size_t bytes) {
  const auto stack_pointer = reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa());
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  LaneGuard& guard = lane();
  const auto is_known = [&](const Ticket& range) {
    return begin >= range.begin && begin < range.end && bytes <= range.end - begin;
  };
  if (__builtin_expect(!is_known(guard.valid[0]) && !is_known(guard.valid[1]), 0) &&
      !look_up(begin, bytes, access, stack_pointer, __builtin_return_address(0)))
    return;
  if constexpr (access == Access::load)
    guard.loads[guard.next_load++ % kTickets] = {begin, begin + bytes};
  else
    guard.stores[guard.next_store++ % kTickets] = {begin, begin + bytes};
}

}  // namespace
}  // namespace coursework::guard

using coursework::guard::Access;
using coursework::guard::note;

#define CONFINED_HOOK(name, access, bytes)   \
  void __tsan_##name(void*);                 \
  void confined_tsan_##name(void* address) { \
    note<Access::access>(address, bytes);    \
    __tsan_##name(address);                  \
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
  note<Access::load>(address, bytes);
  __tsan_read_range(address, bytes);
}
void __tsan_write_range(void*, std::size_t);
void confined_tsan_write_range(void* address, std::size_t bytes) {
  note<Access::store>(address, bytes);
  __tsan_write_range(address, bytes);
}

}  // extern "C"
