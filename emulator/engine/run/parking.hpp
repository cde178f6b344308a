/// @file
/// The storage of a block that has left the stage: the used part of its lanes' stacks, and its
/// shared memory.
///
/// A worker has one set of stacks and one area of shared memory, at addresses that are fixed in
/// compiled code. Blocks take turns there. A parked block costs what it uses: some hundred bytes a
/// thread.
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
  std::vector<char> shared;  ///< empty for a block of a cluster, whose memory is in its window

  void clear() {
    stacks.clear();
    stack_bytes.clear();
    shared.clear();
  }
  void save(Stack& stack);
  /// Restores the contents of all stacks, and takes them out of the free list of `pool`.
  void restore(StackPool& pool);
};

}  // namespace emu
