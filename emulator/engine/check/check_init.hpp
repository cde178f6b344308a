/// @file
/// initcheck: no byte of global or shared memory is read before something wrote it.
#pragma once

#include "engine/check/check_context.hpp"

namespace emu {

struct BulkCopy;

/// Record what the host has done to device memory. They do nothing while initcheck is off.
void note_written(const void* begin, std::size_t bytes);
void note_allocated(const void* begin, std::size_t bytes);
void note_released(const void* begin, std::size_t bytes);
void note_copied(const void* target, const void* source, std::size_t bytes);

/// Collects the rows of one copy to the host, and reports bytes that nothing has written.
class UnwrittenCopy {
 public:
  /// Adds a row before it is copied: notes its unwritten bytes.
  void row(const void* source, std::size_t bytes);
  /// Reports the unwritten bytes, unless all of them may be padding of structs. Gaps of fewer than
  /// 16 bytes may be, except if no byte is written, or if a long copy ends with its only gap.
  void report(const char* call, const void* call_site) const;

 private:
  std::size_t bytes_ = 0, missing_ = 0, longest_ = 0, runs_ = 0;
  std::uintptr_t first_ = 0;  // begin of the longest run
  bool is_at_end_ = false;    // the longest run ends the last row
};

class InitCheck {
 public:
  explicit InitCheck(CheckContext& context) : context_(context) {}

  void begin_block();  ///< marks all of shared memory as unwritten
  void access(const WarpAccess& access);
  /// Marks the target of a bulk copy into shared memory.
  void made(const BulkCopy& copy);
  /// Marks the target of a bulk copy out of shared memory.
  void made_store(const BulkCopy& copy);

 private:
  void read(const WarpAccess& access, std::uintptr_t begin, unsigned bytes, unsigned lane);
  void report(const WarpAccess& access, std::uintptr_t begin, unsigned missing, unsigned lane);

  CheckContext& context_;
};

}  // namespace emu
