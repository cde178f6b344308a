/// @file
/// initcheck: no byte of global or shared memory is read before something wrote it.
#pragma once

#include "engine/check/check_context.hpp"

namespace emu {

struct BulkCopy;

/// What the host did to device memory; does nothing while initcheck is off.
void note_written(const void* begin, std::size_t bytes);
void note_allocated(const void* begin, std::size_t bytes);
void note_released(const void* begin, std::size_t bytes);
void note_copied(const void* target, const void* source, std::size_t bytes);

/// Bytes of a copy to the host that nothing wrote: collects a call's rows, and tells of them.
class UnwrittenCopy {
 public:
  /// The host gets a row of the copy.
  void row(const void* source, std::size_t bytes);
  /// Reports what is missing, unless it may be padding: fewer than 16 bytes in a row, beside others
  /// that were written. The end of a long copy is no padding.
  void report(const char* call, const void* call_site) const;

 private:
  std::size_t bytes_ = 0, missing_ = 0, longest_ = 0, runs_ = 0;
  std::uintptr_t first_ = 0;  // of the longest run
  bool is_at_end_ = false;    // of the last row
};

class InitCheck {
 public:
  explicit InitCheck(CheckContext& context) : context_(context) {}

  void begin_block();  ///< shared memory holds nothing
  void access(const WarpAccess& access);
  void made(const BulkCopy& copy);
  /// The same of a copy out of shared memory.
  void made_store(const BulkCopy& copy);

 private:
  void read(const WarpAccess& access, std::uintptr_t begin, unsigned bytes, unsigned lane);
  void report(const WarpAccess& access, std::uintptr_t begin, unsigned missing, unsigned lane);

  CheckContext& context_;
};

}  // namespace emu
