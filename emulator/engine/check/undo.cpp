#include "engine/check/undo.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "emulator/memory.h"

namespace emu {

namespace {

std::uintptr_t arena_begin() { return reinterpret_cast<std::uintptr_t>(detail::arena_begin); }

/// Makes a table with an entry for each page of the arena, all zero between launches.
void* new_table() {
  void* const table = mmap(nullptr, detail::arena_bytes / kPageBytes + 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) throw std::bad_alloc();
  return table;
}

enum class PageState : std::uint8_t { untouched, is_being_saved, saved };

std::atomic<PageState>& state_of(std::uintptr_t address) {
  static auto* const table = static_cast<std::atomic<PageState>*>(new_table());
  return table[(address - arena_begin()) / kPageBytes];
}

}  // namespace

void Undo::about_to_write(std::uintptr_t begin, std::size_t bytes) {
  if (!in_arena(reinterpret_cast<const void*>(begin))) return save_outside_arena(begin);
  for (std::uintptr_t at = begin / kPageBytes * kPageBytes; at < begin + bytes; at += kPageBytes)
    if (state_of(at).load(std::memory_order_acquire) != PageState::saved) save_page(at);
}

void Undo::save_page(std::uintptr_t begin) {
  std::atomic<PageState>& state = state_of(begin);
  PageState before = PageState::untouched;
  if (!state.compare_exchange_strong(before, PageState::is_being_saved)) {
    while (state.load(std::memory_order_acquire) != PageState::saved) {
    }
    return;
  }
  Page& page = take_page();
  page.begin = begin;
  std::memcpy(page.bytes.data(), reinterpret_cast<const void*>(begin), kPageBytes);
  state.store(PageState::saved, std::memory_order_release);
}

Undo::Page& Undo::take_page() {
  const std::lock_guard lock(mutex_);
  if (used_ == pages_.size()) pages_.emplace_back();
  return pages_[used_++];
}

void Undo::save_outside_arena(std::uintptr_t address) {
  Allocation whole{};
  if (!find_allocation(reinterpret_cast<const void*>(address), &whole)) return;
  const std::lock_guard lock(mutex_);
  auto& bytes = outside_arena_[reinterpret_cast<std::uintptr_t>(whole.begin)];
  if (bytes.empty()) bytes.assign(whole.begin, whole.begin + whole.bytes);
}

void Undo::restore() {
  for (std::size_t i = 0; i < used_; ++i)
    std::memcpy(reinterpret_cast<void*>(pages_[i].begin), pages_[i].bytes.data(), kPageBytes);
  for (const auto& [begin, bytes] : outside_arena_)
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(begin));
  forget();
}

void Undo::forget() {
  constexpr std::size_t kKept = (std::size_t{64} << 20) / kPageBytes;
  for (std::size_t i = 0; i < used_; ++i) state_of(pages_[i].begin) = PageState::untouched;
  used_ = 0;
  if (pages_.size() > kKept) pages_.resize(kKept);
  outside_arena_.clear();
}

}  // namespace emu
