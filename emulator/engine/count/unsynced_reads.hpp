/// @file
/// Shared memory that one lane of a warp writes and another one reads, with nothing between them
/// that would order the two.
///
/// On devices before Volta, the lanes of a warp went from instruction to instruction together, and
/// programs relied on it. Here as on newer devices they do not: such a program computes something
/// else. That is worth a warning even where nobody asked for checks, so it has to cost next to
/// nothing. A phase is looked at only if its like has not been before.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/count/phase_rows.hpp"

namespace emu {

struct UnsyncedRead {
  unsigned writer = 0, reader = 0;     ///< lanes
  std::uintptr_t store = 0, load = 0;  ///< keys of the instructions
};

class UnsyncedReads {
 public:
  /// What a phase says is so for a warp's lanes from the first one's start to the last one's end.
  void begin_phase() {
    rows_.clear();
    kinds_ = 0;
  }
  /// Lanes of an instruction in the block's shared memory.
  void add(const Row& row, std::uint32_t lanes) {
    if (row.site->kind == AccessKind::atomic || row.site->traits.is_late) return;
    kinds_ |= 1u << static_cast<unsigned>(row.site->kind);
    rows_.push_back({&row, lanes});
  }
  /// A lane did something that orders what it does: who knows whether it does so here.
  void order() { kinds_ |= kOrdered; }

  /// The first of the phase, if there is any and it has not been looked for in its like.
  std::optional<UnsyncedRead> find() {
    constexpr unsigned kBoth = 1u << static_cast<unsigned>(AccessKind::load) |
                               1u << static_cast<unsigned>(AccessKind::store);
    return kinds_ == kBoth ? find_in_phase() : std::nullopt;
  }

 private:
  static constexpr unsigned kOrdered = 1u << 31;

  struct SharedRow {
    const Row* row;
    std::uint32_t lanes;
  };
  struct Writers {
    std::uint32_t lanes = 0;
    const Row* first = nullptr;
  };
  std::optional<UnsyncedRead> find_in_phase();
  std::uint64_t likeness() const;

  std::vector<SharedRow> rows_;
  unsigned kinds_ = 0;
  std::unordered_set<std::uint64_t> seen_;
  std::uint64_t unseen_ = 0;
  std::unordered_map<std::uintptr_t, Writers> writers_;  // by byte
};

}  // namespace emu
