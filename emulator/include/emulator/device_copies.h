/// @file
/// memcpy, memmove and memset for device code, which count and check each access. The library's own
/// functions would bypass that.
#pragma once

#include <cstddef>
#include <cstring>

namespace emu {

void* copy_recorded(void* to, const void* from, std::size_t bytes) noexcept;
void* move_recorded(void* to, const void* from, std::size_t bytes) noexcept;
void* fill_recorded(void* to, int byte, std::size_t bytes) noexcept;

/// Returns whether the compiler makes a single, instrumented load and store of the copy.
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
