/// @file
/// memcheck: every access of a kernel must lie in memory that it may touch.
#pragma once

#include "engine/check/check_context.hpp"
#include "engine/check/hazards.hpp"

namespace emu {

struct BulkCopy;

class MemoryCheck {
 public:
  explicit MemoryCheck(CheckContext& context) : context_(context) {}

  /// Forgets the valid range, before another launch or block.
  void forget() { valid_bytes_ = 0; }

  /// Checks an access before it is made. Ends the kernel if a device would, or if continuing would
  /// damage the emulator.
  void check(std::uintptr_t address, unsigned bytes, AccessKind kind,
             std::uintptr_t program_counter) {
    if (address - valid_begin_ < valid_bytes_ && address - valid_begin_ <= valid_bytes_ - bytes)
      return;
    check_slowly(address, bytes, kind, program_counter);
  }

  /// Returns whether all of [begin, begin + bytes) is in the object that the last check() found.
  bool same_object(std::uintptr_t begin, std::size_t bytes) const {
    return begin - valid_begin_ < valid_bytes_ && bytes <= valid_bytes_ - (begin - valid_begin_);
  }

  /// Checks the accesses of a bulk copy into shared memory. Returns false if it reads out of bounds
  /// but may go on.
  bool check_copy(const BulkCopy& copy, std::uintptr_t program_counter);
  /// Checks the accesses of a bulk copy out of shared memory. Returns false if it writes out of
  /// bounds but may go on.
  bool check_store(const BulkCopy& copy, std::uintptr_t program_counter);

  /// Reports a misaligned access; the kernel then ends.
  void misaligned(std::uintptr_t address, unsigned bytes, AccessKind kind,
                  std::uintptr_t program_counter);

  /// Reports an access that the processor has refused.
  void refused(std::uintptr_t address, std::uintptr_t program_counter);

 private:
  bool check_box(const BulkCopy& copy, AccessKind of_shared, AccessKind of_global,
                 std::uintptr_t program_counter);
  void check_slowly(std::uintptr_t address, unsigned bytes, AccessKind kind,
                    std::uintptr_t program_counter);
  void check_window(std::uintptr_t address, unsigned bytes, AccessKind kind,
                    std::uintptr_t program_counter);
  bool find_object(std::uintptr_t address);
  void report(Hazard hazard, const std::string& title, std::uintptr_t address, unsigned bytes,
              AccessKind access, std::uintptr_t program_counter, const std::string& hint);
  [[noreturn]] void stop(std::uintptr_t program_counter);
  void report_outside(std::uintptr_t address, unsigned bytes, AccessKind kind,
                      std::uintptr_t program_counter);

  CheckContext& context_;
  std::uintptr_t valid_begin_ = 0;
  std::size_t valid_bytes_ = 0;
};

}  // namespace emu
