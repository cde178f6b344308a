#include "engine/check/check_init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "emulator/memory.h"
#include "engine/check/checked_block.hpp"
#include "engine/check/checker.hpp"
#include "engine/check/findings.hpp"
#include "engine/check/hazards.hpp"
#include "engine/engine.hpp"
#include "engine/meet/bulk_copy.hpp"

namespace emu {

namespace {

/// Accesses up to this size are of numbers, or of structs with known padding, and are checked to
/// the byte. Larger ones may be of structs with any padding.
constexpr unsigned kLargestNumber = 4;

/// A gap of unwritten bytes shorter than this may be padding of a struct.
constexpr std::size_t kNoPadding = 16;
/// A copy of at least so many bytes is of an array, not of a single struct.
constexpr std::size_t kLongCopy = 1024;

/// Calls `visit(page, first, last)` for each part of [begin, begin + bytes) that lies in one page.
template <class Pages, class Visit>
void for_pages(std::uintptr_t begin, std::size_t bytes, Pages&& page_of, Visit&& visit) {
  emu::for_pages(begin, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
    visit(page_of(at), first, last);
  });
}

void mark_written(ShadowPage& page, unsigned first, unsigned last) {
  if (page.initialised) return;
  if (first == 0 && last == kPageBytes)
    page.initialised = true;
  else
    set_bits(page, first, last);
}

}  // namespace

void InitCheck::begin_block() {
  for (const NamedVariable& variable : context_.shared_variables)
    for_pages(
        variable.begin, variable.bytes,
        [&](std::uintptr_t at) -> ShadowPage& {
          return context_.page_of(context_.now->shared, at);
        },
        [](ShadowPage& page, unsigned first, unsigned last) { clear_bits(page, first, last); });
}

void InitCheck::access(const WarpAccess& a) {
  const auto pages = [&](std::uintptr_t at) -> ShadowPage& {
    return context_.page_of(*a.memory, at + a.to_own_address);
  };
  if (a.shape != Shape::scattered) {
    const auto first = static_cast<unsigned>(std::countr_zero(a.lanes));
    const std::uintptr_t begin = a.address(first);
    const unsigned bytes =
        a.bytes * (a.shape == Shape::same ? 1 : static_cast<unsigned>(std::popcount(a.lanes)));
    bool written = true;
    if (a.kind != AccessKind::store && !a.overwrites)
      for_pages(begin, bytes, pages, [&](ShadowPage& page, unsigned from, unsigned to) {
        written = written && is_written(page, from, to);
      });
    if (written) {
      if (a.kind != AccessKind::load) for_pages(begin, bytes, pages, mark_written);
      return;
    }
  }
  // Checks the bytes of consecutive lanes together, as long as each lane's access begins where the
  // one before ends.
  for (std::uint32_t left = a.lanes; left != 0;) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uintptr_t begin = a.address(lane);
    unsigned run = 1;
    left &= left - 1;
    const std::uintptr_t stride = left >> (lane + 1) & 1 ? a.address(lane + 1) - begin : a.bytes;
    if (stride == a.bytes || stride == 0)
      while (lane + run < kWarpSize && left >> (lane + run) & 1 &&
             a.address(lane + run) == begin + run * stride) {
        left &= left - 1;
        ++run;
      }
    const unsigned bytes = stride == 0 ? a.bytes : run * a.bytes;
    if (a.kind != AccessKind::store && !a.overwrites) {
      bool written = true;
      for_pages(begin, bytes, pages, [&](ShadowPage& page, unsigned first, unsigned last) {
        written = written && is_written(page, first, last);
      });
      if (!written)
        for (unsigned i = 0; i < run; ++i) read(a, begin + i * stride, a.bytes, lane + i);
    }
    if (a.kind != AccessKind::load) for_pages(begin, bytes, pages, mark_written);
  }
}

/// A copy writes all of its box, with zeros for elements outside the tensor. A target byte counts
/// as written if its source does.
void InitCheck::made(const BulkCopy& copy) {
  const auto target = [&](std::uintptr_t at) -> ShadowPage& {
    return context_.page_of(context_.now->shared, at);
  };
  for_pages(reinterpret_cast<std::uintptr_t>(copy.target), copy.tensor.box_bytes(), target,
            set_bits);
  if (copy.staged) return;  // the source is shared memory, which was checked when it was read
  for (std::uint32_t i = 0; i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    std::uint32_t offset = row.offset + row.before;
    for_pages(
        reinterpret_cast<std::uintptr_t>(row.source), row.bytes,
        [&](std::uintptr_t at) -> ShadowPage& { return context_.global->page_of(at); },
        [&](ShadowPage& page, unsigned first, unsigned last) {
          const bool all = is_written(page, first, last);
          for (unsigned byte = first; byte < last; ++byte, ++offset) {
            if (all || is_written(page, byte, byte + 1)) continue;
            const auto to = reinterpret_cast<std::uintptr_t>(copy.swizzled_address(offset));
            const auto bit = static_cast<unsigned>(to % kPageBytes);
            clear_bits(target(to), bit, bit + 1);
          }
        });
  }
}

/// Copies the state of the source in shared memory to the target.
void InitCheck::made_store(const BulkCopy& copy) {
  for (std::uint32_t i = 0; i < copy.tensor.box_rows(); ++i) {
    const BulkCopy::Row row = copy.row(i);
    std::uint32_t offset = row.offset + row.before;
    for_pages(
        reinterpret_cast<std::uintptr_t>(row.source), row.bytes,
        [&](std::uintptr_t at) -> ShadowPage& { return context_.global->page_of(at); },
        [&](ShadowPage& page, unsigned first, unsigned last) {
          for (unsigned byte = first; byte < last; ++byte, ++offset) {
            const auto from = reinterpret_cast<std::uintptr_t>(copy.swizzled_address(offset));
            const auto bit = static_cast<unsigned>(from % kPageBytes);
            const ShadowPage& source = context_.page_of(context_.now->shared, from);
            if (is_written(source, bit, bit + 1)) mark_written(page, byte, byte + 1);
          }
        });
  }
}

/// Checks one lane's access, some of whose bytes may be unwritten.
void InitCheck::read(const WarpAccess& a, std::uintptr_t begin, unsigned bytes, unsigned lane) {
  // A piece of a struct: the check of the first piece covers the struct.
  const bool whole = a.struct_bytes != 0;
  if (whole && a.part != 0) return;
  const unsigned extent = whole ? a.struct_bytes : bytes;
  unsigned missing = 0;
  unsigned padding = a.padding;
  for_pages(
      begin, extent,
      [&](std::uintptr_t at) -> ShadowPage& {
        return context_.page_of(*a.memory, at + a.to_own_address);
      },
      [&](ShadowPage& page, unsigned first, unsigned last) {
        for (unsigned byte = first; byte < last; ++byte, padding >>= 1)
          missing += (padding & 1) == 0 && !is_written(page, byte, byte + 1);
      });
  if (missing == 0 || (extent > kLargestNumber && missing < extent)) return;
  report(a, begin, missing, lane);
}

void InitCheck::report(const WarpAccess& a, std::uintptr_t begin, unsigned missing, unsigned lane) {
  const std::uintptr_t program_counter = program_counter_of(a.key);
  const std::string key =
      fmt::format("uninitialised|{}|{}", program_counter, context_.launch->name);
  if (count_finding(key, 1, missing)) return;
  Finding finding = finding_of(Hazard::uninitialized_read);
  finding.title = fmt::format("{} of {} memory that nothing wrote", action_of(a.kind),
                              a.is_shared ? "shared" : "global");
  finding.kernel = context_.launch->name;
  finding.first = context_.culprit(action_of(a.kind), program_counter, lane);
  finding.memory = context_.describe(begin);
  finding.hint = a.is_shared ? "each block must fill its shared memory before it reads it"
                             : "cudaMalloc does not clear memory: fill it first, with cudaMemset, "
                               "cudaMemcpy or a kernel";
  finding.bytes = missing;
  add_finding(key, std::move(finding));
}

void note_written(const void* begin, std::size_t bytes) {
  if (!checking().init || bytes == 0) return;
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  memory.written(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void note_allocated(const void* begin, std::size_t bytes) {
  if (!checking().init) return;
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  memory.allocated(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void note_released(const void* begin, std::size_t bytes) {
  if (!CheckedMemory::exists()) return;
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  memory.released(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void UnwrittenCopy::row(const void* source, std::size_t bytes) {
  if (!checking().init || !in_arena(source)) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(source);
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  bytes_ += bytes;
  std::size_t run = 0;
  std::uintptr_t run_begin = 0;
  const auto end_run = [&] {
    if (run == 0) return;
    ++runs_;
    missing_ += run;
    if (run > longest_) {
      longest_ = run;
      first_ = run_begin;
    }
    run = 0;
  };
  emu::for_pages(begin, bytes, [&](std::uintptr_t at, unsigned first, unsigned last) {
    const ShadowPage& page = memory.page_of(at);
    if (is_written(page, first, last)) return end_run();
    for (unsigned byte = first; byte < last; ++byte) {
      if (is_written(page, byte, byte + 1)) {
        end_run();
      } else if (run++ == 0) {
        run_begin = at - at % kPageBytes + byte;
      }
    }
  });
  is_at_end_ = run != 0;
  end_run();
}

void UnwrittenCopy::report(const char* call, const void* call_site) const {
  const bool is_end_of_array = runs_ == 1 && is_at_end_ && bytes_ >= kLongCopy;
  if (missing_ == 0 || (longest_ < kNoPadding && missing_ < bytes_ && !is_end_of_array)) return;
  const std::string key = fmt::format("unwritten|{}", call_site);
  if (count_finding(key, 1, missing_)) return;
  Finding finding = finding_of(Hazard::uninitialized_read);
  finding.title = fmt::format("{} copies to the host {} bytes that nothing wrote", call, missing_);
  finding.memory = address_in_words(reinterpret_cast<const void*>(first_));
  finding.first = {call, source_line(reinterpret_cast<std::uintptr_t>(call_site)), "", ""};
  finding.hint =
      "did the kernel run, and does its grid reach all elements? cudaMalloc does not clear memory; "
      "cudaMemset does";
  finding.bytes = missing_;
  add_finding(key, std::move(finding));
  print_new_findings();
}

void note_copied(const void* target, const void* source, std::size_t bytes) {
  if (!checking().init || bytes == 0) return;
  CheckedMemory& memory = CheckedMemory::instance();
  const std::lock_guard lock(memory.mutex);
  memory.copied(reinterpret_cast<std::uintptr_t>(target), reinterpret_cast<std::uintptr_t>(source),
                bytes);
}

}  // namespace emu
