/// @file
/// Detects shared memory that one lane of a warp writes and another one reads, without any
/// synchronisation between the two.
///
/// On devices before Volta, the lanes of a warp executed instructions together, and programs relied
/// on it. Since Volta they do not, here neither, and such a program computes something else. That
/// deserves a warning even without the checks, so detecting it must cost next to nothing: a phase
/// is searched only if no phase like it was searched before.
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
  /// Begins a phase. Within it, a warp's lanes are not ordered.
  void begin_phase() {
    rows_.clear();
    kinds_ = 0;
  }
  /// Adds a request to the block's own shared memory.
  void add(const Row& row, std::uint32_t lanes) {
    if (row.site->kind == AccessKind::atomic || row.site->traits.is_late) return;
    kinds_ |= 1u << static_cast<unsigned>(row.site->kind);
    rows_.push_back({&row, lanes});
  }
  /// Notes that a lane has made a fence. The phase is then not searched, because the fence may
  /// order the accesses.
  void order() { kinds_ |= kOrdered; }

  /// Returns the first unsynchronised read of the phase. Finds none in a phase like one that was
  /// searched before.
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
  std::unordered_set<std::uint64_t> searched_;
  std::uint64_t not_searched_ = 0;
  std::unordered_map<std::uintptr_t, Writers> writers_;  // [byte]
};

}  // namespace emu
