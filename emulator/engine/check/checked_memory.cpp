#include "engine/check/checked_memory.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "emulator/memory.h"
#include "engine/check/touched_words.hpp"

namespace emu {

namespace {

bool memory_exists = false;

void make_written(ShadowPage& page, unsigned bit, bool is) {
  if (page.initialised && !is) {
    page.initialised = false;
    page.init.fill(~std::uint64_t{0});
  }
  if (page.initialised) return;
  is ? set_bits(page, bit, bit + 1) : clear_bits(page, bit, bit + 1);
}

/// Returns whether the part of a page that a launch has accessed is memory that the host may access
/// as well.
bool host_may_touch(std::uintptr_t begin, const ShadowPage& page) {
  if (!page.touched) return false;
  const std::uintptr_t first = begin + std::uintptr_t{page.touched->first()} * kWordBytes;
  const Space space = find_space(reinterpret_cast<const void*>(first));
  return space == Space::managed || space == Space::pinned;
}

/// Adds the records of a draft to those of the launch. Keeps the first reader and the last writer,
/// as if the blocks had run in turn.
void join_records(ShadowPage& mine, ShadowPage& theirs, std::uint32_t first,
                  const CheckedMemory::Renumber& renumber) {
  if (!theirs.writes && !theirs.reads) return;
  if (!mine.writes && !mine.reads && !mine.others) mine.shift = theirs.shift;
  if (mine.shift != theirs.shift) {
    mine.split_into_bytes();
    theirs.split_into_bytes();
  }
  const auto join = [&](ShadowPage::Records& to, const ShadowPage::Records& from, bool newest) {
    if (!from) return;
    mine.records(to);
    constexpr std::uint64_t kRest = (std::uint64_t{1} << AccessRecord::kSegmentShift) - 1;
    for (std::size_t i = 0; i < kPageBytes >> mine.shift; ++i) {
      const std::uint32_t segment = renumber(AccessRecord{from[i]}.segment());
      if (segment == 0) continue;  // a record of an earlier launch
      const std::uint64_t record = AccessRecord::first_of(segment) | (from[i] & kRest);
      const bool has_one = AccessRecord{to[i]}.segment() >= first;
      to[i] = !has_one ? record : newest ? std::max(to[i], record) : std::min(to[i], record);
    }
  };
  join(mine.writes, theirs.writes, true);
  join(mine.reads, theirs.reads, false);
  constexpr std::uint32_t kAny = ~0u;
  if (mine.writes) mine.newest_write = kAny;
  if (mine.reads) mine.newest_read = kAny;
}

}  // namespace

CheckedMemory& CheckedMemory::instance() {
  static CheckedMemory& memory =
      *new CheckedMemory;  // never destroyed: destructors that run later free allocations
  memory_exists = true;
  return memory;
}

bool CheckedMemory::exists() noexcept { return memory_exists; }

CheckedMemory::CheckedMemory(const CheckedMemory* below) : below_(below) {
  arena_.cover(reinterpret_cast<std::uintptr_t>(detail::arena_begin), detail::arena_bytes);
}

ShadowPage* CheckedMemory::find(std::uintptr_t address) const {
  if (arena_.covers(address)) return arena_.find(address);
  const auto found = outside_arena_.find(address / kPageBytes);
  return found == outside_arena_.end() ? nullptr : found->second;
}

ShadowPage& CheckedMemory::page_of(std::uintptr_t address) {
  if (ShadowPage* const page = find(address)) return *page;
  if (!arena_.covers(address)) {  // variables and registered memory: the host writes them unnoticed
    ShadowPage*& page = outside_arena_[address / kPageBytes];
    page = new_page();
    page->initialised = true;
    return *page;
  }
  ShadowPage& page = arena_.put(address, new_page());
  begin_as_below(page, address);
  return page;
}

/// Gives a new page the state of initialisation that is known of its memory.
void CheckedMemory::begin_as_below(ShadowPage& page, std::uintptr_t address) const {
  if (!below_) {
    page.initialised = is_written_by_host(address);
  } else if (const ShadowPage* const old = below_->find(address)) {
    page.initialised = old->initialised;
    if (!page.initialised) page.init = old->init;
  } else {
    page.initialised = below_->is_written_by_host(address);
  }
}

bool CheckedMemory::is_written_by_host(std::uintptr_t address) const {
  const auto after = tracked_.upper_bound(address);
  // Allocations do not share pages, but the first page may begin before the allocation does.
  const auto is_in = [&](auto entry) {
    return address / kPageBytes <= (entry->first + entry->second - 1) / kPageBytes &&
           address / kPageBytes >= entry->first / kPageBytes;
  };
  return !((after != tracked_.end() && is_in(after)) ||
           (after != tracked_.begin() && is_in(std::prev(after))));
}

void CheckedMemory::forget_records() {
  each_page([](std::uintptr_t, ShadowPage& page) { page.forget_records(); });
}

template <class Visit>
void CheckedMemory::each_page(Visit&& visit) {
  arena_.each_page(visit);
  for (auto& [number, page] : outside_arena_) visit(number * kPageBytes, *page);
}

void CheckedMemory::released(std::uintptr_t begin, std::size_t bytes) {
  tracked_.erase(begin);
  arena_.forget(begin, bytes);
}

void CheckedMemory::written(std::uintptr_t begin, std::size_t bytes) {
  if (!arena_.covers(begin)) return;
  for_pages(begin, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
    ShadowPage& page = page_of(at);
    if (last - first == kPageBytes)
      page.initialised = true;
    else if (!page.initialised)
      set_bits(page, first, last);
  });
}

void CheckedMemory::copied(std::uintptr_t target, std::uintptr_t source, std::size_t bytes) {
  if (!arena_.covers(source)) return written(target, bytes);
  if (!arena_.covers(target)) return;
  // Copies the state of whole parts where all of the source is written, which is the usual case.
  for_pages(source, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
    const ShadowPage& from = page_of(at);
    const std::uintptr_t to = target + (at - source);
    if (is_written(from, first, last)) return written(to, last - first);
    for (unsigned bit = first; bit < last; ++bit)
      make_written(page_of(to + (bit - first)),
                   static_cast<unsigned>((to + (bit - first)) % kPageBytes),
                   is_written(from, bit, bit + 1));
  });
}

bool CheckedMemory::depend_on_one_another(CheckedMemory& one, CheckedMemory& other) {
  bool depend = false;
  one.each_page([&](std::uintptr_t at, ShadowPage& page) {
    if (depend || !page.touched) return;
    const ShadowPage* const same = other.find(at);
    depend = same && same->touched && page.touched->depends_on(*same->touched);
  });
  return depend;
}

void CheckedMemory::take_over(CheckedMemory& draft, std::uint32_t first, const Renumber& renumber) {
  draft.each_page([&](std::uintptr_t at, ShadowPage& theirs) {
    ShadowPage& mine = page_of(at);
    mine.initialised |= theirs.initialised;
    for (std::size_t i = 0; i < mine.init.size(); ++i) mine.init[i] |= theirs.init[i];
    if (host_may_touch(at, theirs)) join_records(mine, theirs, first, renumber);
  });
}

void CheckedMemory::clear() {
  const auto keep = [&](std::uintptr_t, ShadowPage& page) {
    std::unique_ptr<ShadowPage> one(&page);
    if (one->shift != 0) spare_.push_back(std::move(one));
  };
  each_page(keep);
  arena_.let_go();
  outside_arena_.clear();
}

ShadowPage* CheckedMemory::new_page() {
  if (spare_.empty()) return new ShadowPage;
  ShadowPage* const page = spare_.back().release();
  spare_.pop_back();
  page->initialised = false;
  page->init = {};
  if (page->touched) *page->touched = {};
  return page;
}

}  // namespace emu
