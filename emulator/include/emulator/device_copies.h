/// @file
/// memcpy, memmove and memset in device code, where each byte is an access of the thread: the
/// library's own functions would move them unseen.
#pragma once

#include <cstddef>
#include <cstring>

namespace emu {

void* copy_recorded(void* to, const void* from, std::size_t bytes) noexcept;
void* move_recorded(void* to, const void* from, std::size_t bytes) noexcept;
void* fill_recorded(void* to, int byte, std::size_t bytes) noexcept;

/// Whether the compiler makes one load and one store of it, which are seen.
[[gnu::always_inline]] constexpr bool is_one_access(std::size_t bytes) {
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

[[gnu::always_inline]] inline void* device_memcpy(void* to, const void* from, std::size_t bytes) {
  if (__builtin_constant_p(bytes) && is_one_access(bytes)) return std::memcpy(to, from, bytes);
  return copy_recorded(to, from, bytes);
}

[[gnu::always_inline]] inline void* device_memmove(void* to, const void* from, std::size_t bytes) {
  if (__builtin_constant_p(bytes) && is_one_access(bytes)) return std::memmove(to, from, bytes);
  return move_recorded(to, from, bytes);
}

[[gnu::always_inline]] inline void* device_memset(void* to, int byte, std::size_t bytes) {
  if (__builtin_constant_p(bytes) && is_one_access(bytes)) return std::memset(to, byte, bytes);
  return fill_recorded(to, byte, bytes);
}

}  // namespace emu
