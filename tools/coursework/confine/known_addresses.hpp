/// @file
/// Which accesses need no check of their own, because a hook has just looked at the same address.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembly.hpp"

namespace coursework::confine {

/// Follows values through straight code. What registers and stack slots hold is a sum of terms and
/// a number; a term stands for one value, whatever it is, that never changes.
class KnownAddresses {
 public:
  /// A place that may be reached in more than one way: nothing is known.
  void forget();

  /// Another instruction follows. `depth` is that of the stack before it; it `is_checked` if the
  /// place that it touches is not settled by the instruction itself.
  void follow(const Instruction& instruction, const Effect& effect, long depth, bool is_checked);

  /// A call of a hook that returns only if the lane may touch so many bytes at %rdi.
  void hook(bool is_load, std::size_t bytes, long depth);

  /// Whether a hook has looked at all that the instruction touches.
  bool covers(const MemoryOperand& memory, const Effect& effect, long depth);

 private:
  struct Value {
    std::map<std::string, long> terms;  // how often each is added
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
  std::map<long, Value> slots_;      // by distance from the return address, 8 bytes each
  std::map<std::string, int> sums_;  // what was added -> its root
  std::vector<Looked> looked_;
  int terms_ = 0;  // so far
};

}  // namespace coursework::confine
