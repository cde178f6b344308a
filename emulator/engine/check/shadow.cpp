#include "engine/check/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace emu {

namespace {

/// Calls `visit(word, mask)` for each 64-bit word that has bits in [first, last), until it returns
/// false.
template <class Visit>
bool for_words(unsigned first, unsigned last, Visit&& visit) {
  while (first < last) {
    const unsigned bit = first % 64, count = std::min(64 - bit, last - first);
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    if (!visit(first / 64, ones << bit)) return false;
    first += count;
  }
  return true;
}

}  // namespace

bool all_set(const ShadowPage& page, unsigned first, unsigned last) {
  return for_words(first, last, [&](unsigned word, std::uint64_t mask) {
    return (page.init[word] & mask) == mask;
  });
}

void set_bits(ShadowPage& page, unsigned first, unsigned last) {
  for_words(first, last, [&](unsigned word, std::uint64_t mask) {
    page.init[word] |= mask;
    return true;
  });
}

void clear_bits(ShadowPage& page, unsigned first, unsigned last) {
  for_words(first, last, [&](unsigned word, std::uint64_t mask) {
    page.init[word] &= ~mask;
    return true;
  });
}

void ShadowPage::split_into_bytes() {
  if (shift == 0) return;
  counted_since = 0;
  for (Records* records : {&writes, &reads, &others}) {
    if (!*records) continue;
    auto bytes = std::make_unique<std::uint64_t[]>(kPageBytes);
    for (unsigned i = 0; i < kPageBytes; ++i) bytes[i] = (*records)[i >> shift];
    *records = std::move(bytes);
  }
  shift = 0;
}

Shadow::~Shadow() { release(); }

void Shadow::release() {
  forget(begin_, bytes_);
  if (pages_) munmap(pages_, bytes_ / kPageBytes * sizeof(ShadowPage*));
}

void ShadowPage::forget_records() {
  for (Records* records : {&writes, &reads, &others}) records->reset();
  newest_write = newest_read = newest_other = 0;
}

void Shadow::cover(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t first = begin / kPageBytes * kPageBytes;
  const std::size_t count = (begin + bytes - first + kPageBytes - 1) / kPageBytes;
  if (first == begin_ && count * kPageBytes == bytes_) return;
  release();
  void* const table = mmap(nullptr, count * sizeof(ShadowPage*), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (table == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<ShadowPage**>(table);
  begin_ = first;
  bytes_ = count * kPageBytes;
}

ShadowPage& Shadow::make(std::uintptr_t address) {
  ShadowPage* const page = find(address);
  return page ? *page : put(address, new ShadowPage);
}

ShadowPage& Shadow::put(std::uintptr_t address, ShadowPage* page) {
  pages_[(address - begin_) / kPageBytes] = page;
  made_.push_back(address / kPageBytes * kPageBytes);
  return *page;
}

void Shadow::let_go() {
  for (const std::uintptr_t at : made_) pages_[(at - begin_) / kPageBytes] = nullptr;
  made_.clear();
}

void Shadow::forget(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t first = begin / kPageBytes * kPageBytes;
  std::erase_if(made_, [&](std::uintptr_t at) {
    if (at < first || at >= begin + bytes) return false;
    delete std::exchange(pages_[(at - begin_) / kPageBytes], nullptr);
    return true;
  });
}

void Shadow::forget_records() {
  for (const std::uintptr_t at : made_) {
    find(at)->forget_records();
  }
}

}  // namespace emu
