#include "engine/check/undo.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "emulator/memory.h"

namespace emu {

namespace {

std::uintptr_t arena_begin() { return reinterpret_cast<std::uintptr_t>(detail::arena_begin); }

/// [page of the arena], all zero between launches.
void* new_table() {
  void* const table = mmap(nullptr, detail::arena_bytes / kPageBytes + 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) throw std::bad_alloc();
  return table;
}

}  // namespace

Undo::Undo() = default;

namespace {
template <class State>
std::atomic<State>& state_of(std::uintptr_t address) {
  static auto* const table = static_cast<std::atomic<State>*>(new_table());
  return table[(address - arena_begin()) / kPageBytes];
}
}  // namespace

Undo::~Undo() {
  for (const Page& page : pages_) state_of<State>(page.begin) = untouched;
}

void Undo::about_to_write(std::uintptr_t begin, std::size_t bytes) {
  if (!in_arena(reinterpret_cast<const void*>(begin))) return save_elsewhere(begin);
  for (std::uintptr_t at = begin / kPageBytes * kPageBytes; at < begin + bytes; at += kPageBytes) {
    std::atomic<State>& state = state_of<State>(at);
    if (state.load(std::memory_order_acquire) != saved) save_page(state, at);
  }
}

void Undo::save_page(std::atomic<State>& state, std::uintptr_t begin) {
  State before = untouched;
  if (state.compare_exchange_strong(before, is_being_saved)) {
    const std::lock_guard lock(mutex_);
    Page& page = pages_.emplace_back();
    page.begin = begin;
    std::memcpy(page.bytes.data(), reinterpret_cast<const void*>(begin), kPageBytes);
    state.store(saved, std::memory_order_release);
    return;
  }
  while (state.load(std::memory_order_acquire) != saved) {
  }
}

void Undo::save_elsewhere(std::uintptr_t address) {
  Allocation whole{};
  if (!find_allocation(reinterpret_cast<const void*>(address), &whole)) return;
  const std::lock_guard lock(mutex_);
  auto& bytes = elsewhere_[reinterpret_cast<std::uintptr_t>(whole.begin)];
  if (bytes.empty()) bytes.assign(whole.begin, whole.begin + whole.bytes);
}

void Undo::restore() {
  for (const Page& page : pages_)
    std::memcpy(reinterpret_cast<void*>(page.begin), page.bytes.data(), kPageBytes);
  for (const auto& [begin, bytes] : elsewhere_)
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(begin));
}

}  // namespace emu
