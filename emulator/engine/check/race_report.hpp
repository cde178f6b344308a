/// @file
/// Makes findings of races: their kind, their description, and the threads involved.
#pragma once

#include <string>

#include "engine/check/async_reads.hpp"
#include "engine/check/check_context.hpp"

namespace emu {

/// Two accesses of the present launch, neither of which happens before the other.
struct Race {
  const WarpAccess* access;  ///< the present one
  unsigned lane;             ///< the lane of `access`
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

  /// Begins an access of a lane. However many of its words race in the same way, they count once.
  void begin_access() { ++access_; }
  void add(const Race& race);
  /// Reports a lane's write to `address`, which an asynchronous read may not have read yet.
  void add_overwritten(const AsyncRead& read, const WarpAccess& write, unsigned lane,
                       std::uintptr_t address);
  /// Reports an asynchronous read of an ordinary store without a proxy fence in between.
  void add_unfenced(const AsyncRead& read, AccessRecord writer, std::uintptr_t address);
  /// Reports that the block on the stage ends, and another block's access to its shared memory does
  /// not happen before that.
  void add_end(AccessRecord earlier, bool writes, std::uintptr_t address, unsigned bytes);

 private:
  bool count(const std::string& key, unsigned bytes);

  const CheckContext& context_;
  std::uint64_t access_ = 0, counted_access_ = 0;
  std::string counted_key_;
};

}  // namespace emu
