/// @file
/// A race as a finding: of which kind it is, in words, and who is in it.
#pragma once

#include <string>

#include "engine/check/async_reads.hpp"
#include "engine/check/check_context.hpp"

namespace emu {

/// Two accesses that nothing puts in order. Both places are of the present launch.
struct Race {
  const WarpAccess* access;  ///< the present one
  unsigned lane;             ///< of it
  std::uintptr_t address;
  unsigned bytes;
  AccessRecord earlier;
  unsigned earlier_lane;
  bool earlier_writes;
  bool earlier_is_copy;
};

class RaceReport {
 public:
  explicit RaceReport(const CheckContext& context) : context_(context) {}

  /// A lane's access begins, which counts once, however many of its words race alike.
  void begin_access() { ++access_; }
  void add(const Race& race);
  /// A lane writes, to `place`, what may still be read.
  void add_overwritten(const AsyncRead& read, const WarpAccess& write, unsigned lane,
                       std::uintptr_t place);
  /// What an ordinary store has written is read without a fence.
  void add_unfenced(const AsyncRead& read, AccessRecord writer, std::uintptr_t place);
  /// The block on the stage ends, and nothing puts another one's access to its memory before.
  void add_end(AccessRecord earlier, bool writes, std::uintptr_t place, unsigned bytes);

 private:
  bool count(const std::string& key, unsigned bytes);

  const CheckContext& context_;
  std::uint64_t access_ = 0, counted_access_ = 0;
  std::string counted_key_;
};

}  // namespace emu
