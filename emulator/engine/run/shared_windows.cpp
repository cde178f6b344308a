#include "engine/run/shared_windows.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace emu {

SharedWindows::SharedWindows(char* begin, std::size_t bytes) : begin_(begin), bytes_(bytes) {
  skew_ = reinterpret_cast<std::uintptr_t>(begin) % static_cast<std::size_t>(getpagesize());
  void* memory =
      mmap(nullptr, kAllBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  base_ = reinterpret_cast<std::uintptr_t>(memory);
}

SharedWindows::~SharedWindows() { munmap(reinterpret_cast<void*>(base_), kAllBytes); }

void SharedWindows::protect(unsigned rank, int access) const {
  mprotect(reinterpret_cast<void*>(base_ + (std::uintptr_t{rank} << kRankShift)), skew_ + bytes_,
           access);
}

void SharedWindows::open(unsigned rank) { protect(rank, PROT_READ | PROT_WRITE); }
void SharedWindows::close(unsigned rank) { protect(rank, PROT_NONE); }

char* SharedWindows::in_place(const void* window) const {
  const std::uintptr_t offset =
      (reinterpret_cast<std::uintptr_t>(window) - base_) & ((std::uintptr_t{1} << kRankShift) - 1);
  return begin_ + (static_cast<std::ptrdiff_t>(offset) - static_cast<std::ptrdiff_t>(skew_));
}

}  // namespace emu
