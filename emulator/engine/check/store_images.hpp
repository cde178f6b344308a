/// @file
/// What the stores of a phase found where they were made: two that write the same do not race.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/count/cost.hpp"

namespace emu {

/// Of the stores of one row, the first 8 bytes of each.
struct StoreImage {
  std::array<std::int64_t, kWarpSize> values{};  ///< [lane]
  std::uint32_t lanes = 0;                       ///< of which it is known
};

/// By the number of a row's own addresses. Rows that are foretold have none.
class StoreImages {
 public:
  void begin_phase() {
    images_.clear();
    of_row_.clear();
  }
  /// A lane is about to make its store.
  void note(std::uint32_t row, unsigned lane, std::uintptr_t address, unsigned bytes) {
    if (of_row_.size() <= row) of_row_.resize(row + 1);
    if (of_row_[row].image == 0) {
      images_.emplace_back();
      of_row_[row].image = static_cast<std::uint32_t>(images_.size());
    }
    StoreImage& image = images_[of_row_[row].image - 1];
    std::memcpy(&image.values[lane], reinterpret_cast<const void*>(address),
                std::min<std::size_t>(bytes, sizeof(std::int64_t)));
    image.lanes |= 1u << lane;
  }
  /// Null if nothing is known of the row.
  const StoreImage* find(std::uint32_t row) const {
    return row < of_row_.size() && of_row_[row].image != 0 ? &images_[of_row_[row].image - 1]
                                                           : nullptr;
  }

 private:
  struct Slot {
    std::uint32_t image = 0;  // 1 + its index; 0: none
  };
  std::vector<StoreImage> images_;
  std::vector<Slot> of_row_;
};

}  // namespace emu
