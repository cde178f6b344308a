#include "engine/count/unsynced_reads.hpp"

#include <bit>

#include "engine/count/lanes.hpp"
#include "engine/engine.hpp"

namespace emu {

namespace {

// Where phases keep differing, as in a histogram, the first kMostSeen are searched, then one in
// kSampled.
constexpr std::size_t kMostSearched = 4096;
constexpr std::uint64_t kSampled = 64;

}  // namespace

/// Returns a hash that is equal for phases in which the same lanes make the same accesses, perhaps
/// elsewhere in shared memory.
std::uint64_t UnsyncedReads::likeness() const {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t value) { hash = scrambled(hash + kRandomStep) ^ value; };
  const std::uintptr_t first = rows_.front().row->base;
  for (const auto& [row, lanes] : rows_) {
    mix(row->site->key);
    mix(row->base - first);
    mix(lanes);
    if (!row->addresses->is_own) {  // the site may have had other patterns before
      mix(row->addresses->number);
      continue;
    }
    each_lane(lanes, [&, row = row](unsigned lane) {
      mix(static_cast<std::uint64_t>(row->addresses->offsets[lane]));
    });
  }
  return hash;
}

std::optional<UnsyncedRead> UnsyncedReads::find_in_phase() {
  const std::uint64_t like = likeness();
  if (searched_.count(like)) return std::nullopt;
  if (searched_.size() < kMostSearched) {
    searched_.insert(like);
  } else if (++not_searched_ % kSampled != 0) {
    return std::nullopt;
  }

  writers_.clear();
  for (const auto& [row, lanes] : rows_) {
    if (row->site->kind != AccessKind::store || row->site->traits.is_atomic) continue;
    each_lane(lanes, [&, row = row](unsigned lane) {
      for (unsigned byte = 0; byte < row->site->access_bytes; ++byte) {
        Writers& writers = writers_[row->address(lane) + byte];
        writers.lanes |= 1u << lane;
        if (!writers.first) writers.first = row;
      }
    });
  }
  std::optional<UnsyncedRead> found;
  for (const auto& [row, lanes] : rows_) {
    if (row->site->kind != AccessKind::load || row->site->traits.is_atomic) continue;
    each_lane(lanes, [&, row = row](unsigned lane) {
      for (unsigned byte = 0; !found && byte < row->site->access_bytes; ++byte) {
        const auto place = writers_.find(row->address(lane) + byte);
        // A lane that has written the byte itself reads its own value.
        if (place == writers_.end() || (place->second.lanes >> lane & 1) != 0) continue;
        found = {static_cast<unsigned>(std::countr_zero(place->second.lanes)), lane,
                 place->second.first->site->key, row->site->key};
      }
    });
  }
  return found;
}

}  // namespace emu
