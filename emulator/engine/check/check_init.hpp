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

/// Collects the rows that one call copies to the host, and reports the bytes that nothing wrote.
class UnwrittenCopy {
 public:
  /// Adds a row, before it is copied: notes its bytes that nothing wrote.
  void row(const void* source, std::size_t bytes);
  /// Reports the bytes that nothing wrote, unless all may be padding of structs. Gaps of fewer
  /// than 16 bytes may be, but not if nothing wrote any byte, or if the only gap ends a long copy.
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
