/// @file
/// What a block that leaves the stage holds: its lanes' stacks, as far as they are used, and its
/// shared memory.
///
/// A worker has one set of stacks and one place for shared memory, at addresses that compiled code
/// knows. Blocks take turns there. A parked block costs what it uses: some hundred bytes a thread.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/run/stacks.hpp"

namespace emu {

struct SharedVariable;

struct Parked {
  struct StackPart {
    Stack* stack;
    Context context;
    std::size_t begin, bytes;  ///< in `stack_bytes`
  };
  std::vector<StackPart> stacks;
  std::vector<char> stack_bytes;
  std::vector<char> shared;  ///< of a block outside clusters; else its window has them

  void clear() {
    stacks.clear();
    stack_bytes.clear();
    shared.clear();
  }
  void save(Stack& stack);
  /// Puts all stacks back where they were; `pool` gives them up.
  void restore(StackPool& pool);
};

}  // namespace emu
