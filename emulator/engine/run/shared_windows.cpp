#include "engine/run/shared_windows.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace emu {

void SharedWindows::describe(char* begin, std::size_t bytes) {
  begin_ = begin;
  bytes_ = bytes;
  skew_ = reinterpret_cast<std::uintptr_t>(begin) % static_cast<std::size_t>(getpagesize());
}

void SharedWindows::protect(unsigned rank, int access) {
  constexpr std::size_t kWindow = std::size_t{1} << kRankShift;
  if (base_ == 0) {
    if (access == PROT_NONE) return;
    void* memory = mmap(nullptr, kMostRanks * kWindow, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    base_ = reinterpret_cast<std::uintptr_t>(memory);
  }
  mprotect(reinterpret_cast<void*>(base_ + rank * kWindow), kWindow, access);
}

void SharedWindows::open(unsigned rank) { protect(rank, PROT_READ | PROT_WRITE); }
void SharedWindows::close(unsigned rank) { protect(rank, PROT_NONE); }

void SharedWindows::close_all() {
  for (unsigned rank = 0; rank < kMostRanks; ++rank) close(rank);
}

char* SharedWindows::in_window(const void* shared, unsigned rank) {
  if (base_ == 0) open(rank), close(rank);
  return reinterpret_cast<char*>(base_ + (std::uintptr_t{rank} << kRankShift) + skew_ +
                                 static_cast<std::size_t>(static_cast<const char*>(shared) - begin_));
}

char* SharedWindows::in_place(const void* window) const {
  const std::uintptr_t offset = (reinterpret_cast<std::uintptr_t>(window) - base_) &
                                ((std::uintptr_t{1} << kRankShift) - 1);
  return begin_ + (offset - skew_);
}

}  // namespace emu
