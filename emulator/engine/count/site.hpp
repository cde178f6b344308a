/// @file
/// The memory instructions of the program, as far as they have been met.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/counters.h"
#include "engine/count/pattern.hpp"

namespace emu {

constexpr int kLearningCredit = 4;

/// One memory instruction of the program.
struct Site {
  std::uintptr_t key = 0;
  AccessKind kind = AccessKind::load;
  unsigned access_bytes = 0;
  bool touched = false;                   ///< in this launch
  int learning_credit = kLearningCredit;  ///< patterns to try; negative: rows to wait
  std::uint64_t learning_phase = 0;
  std::unique_ptr<Pattern> pattern;
  Counters counters;
  SiteTraits traits;
  unsigned number = 0;  ///< whatever an observer calls it; 0: nothing yet
  // Where the lane is that passed here last, off the common path.
  std::uint64_t lane_stamp = 0;
  std::uintptr_t lane_request = 0;
  std::uint32_t lane_occurrence = 0;
};

/// All of them, by key.
class Sites {
 public:
  /// Makes the site when it is met for the first time.
  Site& find(std::uintptr_t key, AccessKind kind, unsigned access_bytes);
  /// Visits those that were met since it was called last.
  template <class Visit>
  void take_touched(Visit&& visit) {
    for (Site* const site : touched_) {
      visit(*site);
      site->touched = false;
    }
    touched_.clear();
  }

 private:
  std::size_t slot_of(std::uintptr_t key) const;
  void grow();

  std::vector<std::unique_ptr<Site>> sites_;
  std::vector<Site*> table_ = std::vector<Site*>(256);  // open addressing, size a power of two
  std::vector<Site*> touched_;
};

}  // namespace emu
