/// @file
/// Finds a row of a phase by its request and how often the lane has made it before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emu {

class RowIndex {
 public:
  void clear();
  /// The row of a request's occurrence, counted from 0; null if no lane has made it so often.
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
    std::uint64_t generation = 0;  // of an older one: empty
  };
  bool is_empty(std::size_t slot) const { return entries_[slot].generation != generation_; }
  std::size_t slot_of(std::uintptr_t request, std::uint32_t occurrence) const;
  void insert(std::uintptr_t request, std::uint32_t occurrence, std::uint32_t row);

  std::vector<Entry> entries_ = std::vector<Entry>(256);  // open addressing
  std::size_t used_ = 0;
  std::uint64_t generation_ = 1;
};

}  // namespace emu
