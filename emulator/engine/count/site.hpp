/// @file
/// The memory instructions of the program that have been executed so far.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/counters.h"
#include "engine/count/pattern.hpp"

namespace emu {

constexpr int kLearningCredit = 4;

/// A memory instruction of the program, with its counters and its pattern.
struct AccessSite {
  std::uintptr_t key = 0;
  AccessKind kind = AccessKind::load;
  unsigned access_bytes = 0;
  bool touched = false;  ///< executed in this launch
  /// Number of patterns still to try; negative: number of rows to wait.
  int learning_credit = kLearningCredit;
  std::uint64_t learning_phase = 0;
  std::unique_ptr<Pattern> pattern;
  Counters counters;
  AccessTraits traits;
  unsigned number = 0;  ///< number given by an observer; 0: none yet
  // The lane that made this access last off the common path, and its request and occurrence.
  std::uint64_t lane_stamp = 0;
  std::uintptr_t lane_request = 0;
  std::uint32_t lane_occurrence = 0;
};

/// All access sites, by key.
class AccessSites {
 public:
  /// Returns the site with `key`; makes it at the first call.
  AccessSite& find(std::uintptr_t key, AccessKind kind, unsigned access_bytes);
  /// Calls visit(site) for each site that was executed since the last call.
  template <class Visit>
  void take_touched(Visit&& visit) {
    for (AccessSite* const site : touched_) {
      visit(*site);
      site->touched = false;
    }
    touched_.clear();
  }

 private:
  std::size_t slot_of(std::uintptr_t key) const;
  void grow();

  std::vector<std::unique_ptr<AccessSite>> sites_;
  // Open addressing; the size is a power of two.
  std::vector<AccessSite*> table_ = std::vector<AccessSite*>(256);
  std::vector<AccessSite*> touched_;
};

}  // namespace emu
