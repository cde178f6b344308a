#pragma once

/// @file
/// Lists a folder without an allocator: the keeper of a sandbox has none.

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace coursework::inner {

/// Calls `visit(name)` with the name of each entry of an open folder, including "." and "..".
/// Returns false if some entries could not be read.
template <class Visit>
bool for_each_name(int folder, Visit visit) {
  struct Entry {  // the record that getdents64 writes
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short bytes;
    unsigned char type;
    char name[1];
  };
  constexpr std::size_t kBufferBytes = 4096;
  alignas(Entry) std::array<char, kBufferBytes> buffer;
  for (;;) {
    const long bytes = syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (bytes <= 0) return bytes == 0;
    for (long at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      at += entry->bytes;
      visit(entry->name);
    }
  }
}

}  // namespace coursework::inner
