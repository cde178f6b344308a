/// @file
/// Records which words of a page the blocks of a launch have accessed, to find out whether their
/// order matters.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace emu {

class TouchedWords {
 public:
  enum class How : std::uint8_t {
    read,
    written,
    strong  ///< atomic or volatile: the order of two such accesses does not matter
  };

  /// Records an access to words `first` to `last` of the page by a unit (a block or cluster).
  /// @return whether an earlier unit has accessed one of them so that the order matters
  bool add(std::uint64_t unit, How how, unsigned first, unsigned last) {
    if (unit != unit_) begin_unit(unit);
    bool depends = false;
    for (unsigned word = first / kBits; word <= last / kBits; ++word) {
      const std::uint64_t mask = mask_of(word, first, last);
      now_[static_cast<std::size_t>(how)][word] |= mask;
      for (std::size_t other = 0; other < kHows; ++other)
        if (matters(how, static_cast<How>(other))) depends |= (earlier_[other][word] & mask) != 0;
    }
    return depends;
  }

  /// Returns whether earlier units have read all of these words. Then this unit's read needs no
  /// record: a write by any unit will be found to conflict with the earlier reads.
  bool were_read_before(std::uint64_t unit, unsigned first, unsigned last) {
    if (unit != unit_) begin_unit(unit);
    const auto& read = earlier_[static_cast<std::size_t>(How::read)];
    for (unsigned word = first / kBits; word <= last / kBits; ++word) {
      const std::uint64_t mask = mask_of(word, first, last);
      if ((read[word] & mask) != mask) return false;
    }
    return true;
  }

  /// Returns whether units of both have accessed a word so that the order matters.
  bool depends_on(TouchedWords& other) {
    begin_unit(kNone);
    other.begin_unit(kNone);
    for (std::size_t mine = 0; mine < kHows; ++mine)
      for (std::size_t theirs = 0; theirs < kHows; ++theirs) {
        if (!matters(static_cast<How>(mine), static_cast<How>(theirs))) continue;
        for (std::size_t word = 0; word < kWords; ++word)
          if ((earlier_[mine][word] & other.earlier_[theirs][word]) != 0) return true;
      }
    return false;
  }

  /// Returns the first word that any unit has accessed; the page's number of words if there is
  /// none.
  unsigned first() const {
    for (unsigned word = 0; word < kWords; ++word) {
      std::uint64_t any = 0;
      for (std::size_t how = 0; how < kHows; ++how) any |= now_[how][word] | earlier_[how][word];
      if (any != 0) return word * kBits + static_cast<unsigned>(std::countr_zero(any));
    }
    return kWords * kBits;
  }

 private:
  static constexpr unsigned kBits = 64, kWords = 1024 / kBits;
  static constexpr std::size_t kHows = 3;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  using Bits = std::array<std::array<std::uint64_t, kWords>, kHows>;  // [How]

  /// Returns which of words `first` to `last` are among the 64 of `word`, as a mask.
  static std::uint64_t mask_of(unsigned word, unsigned first, unsigned last) {
    std::uint64_t mask = ~std::uint64_t{0};
    if (word == first / kBits) mask &= ~std::uint64_t{0} << first % kBits;
    if (word == last / kBits) mask &= ~std::uint64_t{0} >> (kBits - 1 - last % kBits);
    return mask;
  }
  static bool matters(How one, How other) { return one != other || one == How::written; }
  void begin_unit(std::uint64_t unit) {
    for (std::size_t how = 0; how < kHows; ++how)
      for (std::size_t word = 0; word < kWords; ++word) earlier_[how][word] |= now_[how][word];
    now_ = {};
    unit_ = unit;
  }

  std::uint64_t unit_ = kNone;
  Bits now_{}, earlier_{};  // accesses of the current unit, and of earlier ones
};

}  // namespace emu
