#include "engine/count/row_index.hpp"

#include <utility>

#include "engine/engine.hpp"

namespace emu {

namespace {
// Instead of an occurrence number: the entry's `row` is the number of occurrences.
constexpr std::uint32_t kTimes = ~std::uint32_t{0};
}  // namespace

void RowIndex::clear() {
  ++generation_;
  used_ = 0;
}

std::size_t RowIndex::slot_of(std::uintptr_t request, std::uint32_t occurrence) const {
  const std::size_t last = entries_.size() - 1;
  std::size_t slot = scrambled(request + kRandomStep * occurrence) & last;
  while (!is_empty(slot) &&
         (entries_[slot].request != request || entries_[slot].occurrence != occurrence))
    slot = (slot + 1) & last;
  return slot;
}

void RowIndex::insert(std::uintptr_t request, std::uint32_t occurrence, std::uint32_t row) {
  if (2 * ++used_ > entries_.size()) {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    for (const Entry& one : old)
      if (one.generation == generation_) entries_[slot_of(one.request, one.occurrence)] = one;
  }
  entries_[slot_of(request, occurrence)] = {request, occurrence, row, generation_};
}

void RowIndex::add(std::uintptr_t request, std::uint32_t row) {
  const std::size_t times = slot_of(request, kTimes);
  const std::uint32_t occurrence = is_empty(times) ? 0 : entries_[times].row++;
  if (is_empty(times)) insert(request, kTimes, 1);
  insert(request, occurrence, row);
}

}  // namespace emu
