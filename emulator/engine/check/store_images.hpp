/// @file
/// The values that stores of a phase have overwritten. Two stores of the same value do not race.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/count/cost.hpp"

namespace emu {

/// The first 8 bytes that each lane's store in a row has overwritten.
struct StoreImage {
  std::array<std::int64_t, kWarpSize> values{};  ///< [lane]
  std::uint32_t lanes = 0;                       ///< lanes whose values are known
};

/// Images by the number of a row's own addresses. Rows that follow a pattern have none.
class StoreImages {
 public:
  void begin_phase() {
    notes_.clear();
    by_address_.clear();
    images_.clear();
    of_row_.clear();
  }
  /// Notes the old value, just before a lane's store.
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
    notes_.push_back(
        {address, of_row_[row].image - 1, static_cast<std::uint8_t>(lane),
         static_cast<std::uint8_t>(std::min<std::size_t>(bytes, sizeof(std::int64_t)))});
  }
  /// Returns the image of a row; null if there is none.
  const StoreImage* find(std::uint32_t row) const {
    return row < of_row_.size() && of_row_[row].image != 0 ? &images_[of_row_[row].image - 1]
                                                           : nullptr;
  }

  /// Returns the value that a lane's first store to these bytes has overwritten; null if unknown.
  const unsigned char* found_first(unsigned lane, std::uintptr_t address, unsigned bytes) const {
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(notes_[a].lane, notes_[a].address) <
             std::pair(notes_[b].lane, notes_[b].address);
    };
    if (by_address_.empty()) {
      by_address_.resize(notes_.size());
      std::iota(by_address_.begin(), by_address_.end(), 0);
      std::stable_sort(by_address_.begin(), by_address_.end(), before);
    }
    const std::pair lowest(static_cast<std::uint8_t>(lane), address - sizeof(std::int64_t) + 1);
    auto at = std::lower_bound(by_address_.begin(), by_address_.end(), lowest,
                               [&](std::uint32_t note, const auto& key) {
                                 return std::pair(notes_[note].lane, notes_[note].address) < key;
                               });
    const unsigned char* found = nullptr;
    std::uint32_t first = ~std::uint32_t{0};
    for (; at != by_address_.end() && notes_[*at].lane == lane && notes_[*at].address <= address;
         ++at) {
      const Note& note = notes_[*at];
      const std::uintptr_t offset = address - note.address;
      if (*at >= first || offset + bytes > note.bytes) continue;
      first = *at;
      found = reinterpret_cast<const unsigned char*>(&images_[note.image].values[lane]) + offset;
    }
    return found;
  }

 private:
  /// In the order of the stores.
  struct Note {
    std::uintptr_t address;
    std::uint32_t image;  // index in images_
    std::uint8_t lane, bytes;
  };
  struct Slot {
    std::uint32_t image = 0;  // 1 + index in images_; 0: none
  };
  std::vector<Note> notes_;
  // Indices of notes_, sorted by lane and address; made on first use.
  mutable std::vector<std::uint32_t> by_address_;
  std::vector<StoreImage> images_;
  std::vector<Slot> of_row_;
};

}  // namespace emu
