/// @file
/// Finds accesses that need no check of their own, because a hook has just checked the address.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

/// Tracks values through straight-line code. A register or stack slot holds a sum of terms and a
/// number; a term stands for one unknown value that never changes.
class KnownAddresses {
 public:
  /// Forgets everything, at a place that can be reached in several ways.
  void forget();

  /// Follows one instruction. `depth` is the stack depth before it; `is_checked` says that a guard
  /// checks the instruction's address.
  void follow(const Instruction& instruction, const Effect& effect, long depth, bool is_checked);

  /// Notes a call of a hook, which returns only if the lane may touch `bytes` bytes at %rdi.
  void hook(bool is_load, std::size_t bytes, long depth);

  /// Returns whether a hook has checked all bytes that the instruction touches.
  bool covers(const MemoryOperand& memory, const Effect& effect, long depth);

 private:
  struct Value {
    std::map<std::string, long> terms;  // how often each term is added
    long offset = 0;
    void add(const Value& other, long times);
  };
  struct Looked {
    Value at;
    std::size_t bytes;
    bool is_load;
  };
  Value fresh();
  Value& in_register(const std::string& name);
  Value address(const MemoryOperand& memory, long depth);
  bool covers(const Value& at, std::size_t bytes, bool is_load) const;
  void overwrite(long begin, std::size_t bytes);
  void leave_below(long depth);

  std::map<std::string, Value> registers_;
  std::map<long, Value> slots_;      // by distance from the return address; 8 bytes each
  std::map<std::string, int> sums_;  // sum of terms -> its root
  std::vector<Looked> looked_;
  int terms_ = 0;  // number of terms so far
};

}  // namespace coursework::confine
