/// @file
/// Finds a row of a phase by its request and the occurrence: how often the lane has made it before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emu {

class RowIndex {
 public:
  void clear();
  /// Returns the row of occurrence number `occurrence`, from 0 on; null if no lane has made as
  /// many.
  const std::uint32_t* find(std::uintptr_t request, std::uint32_t occurrence) const {
    const std::size_t slot = slot_of(request, occurrence);
    return is_empty(slot) ? nullptr : &entries_[slot].row;
  }
  /// Adds a row as the next occurrence of `request`.
  void add(std::uintptr_t request, std::uint32_t row);

 private:
  struct Entry {
    std::uintptr_t request = 0;
    std::uint32_t occurrence = 0;
    std::uint32_t row = 0;
    std::uint64_t generation = 0;  // the entry is empty unless this is the current generation
  };
  bool is_empty(std::size_t slot) const { return entries_[slot].generation != generation_; }
  std::size_t slot_of(std::uintptr_t request, std::uint32_t occurrence) const;
  void insert(std::uintptr_t request, std::uint32_t occurrence, std::uint32_t row);

  std::vector<Entry> entries_ = std::vector<Entry>(256);  // open addressing
  std::size_t used_ = 0;
  std::uint64_t generation_ = 1;
};

}  // namespace emu
