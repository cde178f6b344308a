#pragma once

/// @file
/// Kernels as an H200 executes them: instructions, loops, and how long a scheduler needs for them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace predict {

/// An instruction as `cuobjdump -sass` prints it.
struct Instruction {
  std::uint64_t address = 0;
  std::string operation;  ///< without what follows its first dot: FFMA, LDS
  std::string modifiers;  ///< what follows: E.128
  std::vector<std::string> operands;
};

struct Kernel {
  std::string name;  ///< mangled
  std::vector<Instruction> instructions;
};

/// The kernels in what `cuobjdump -sass PROGRAM` prints.
std::vector<Kernel> kernels_in(std::string_view sass);

/// Instructions from the target of a jump to the jump, both of them included.
struct Loop {
  std::size_t first = 0, last = 0;
  bool contains(const Loop& other) const { return first <= other.first && other.last <= last; }
};

/// The loops of a kernel in the order of their first instructions.
std::vector<Loop> loops_of(const Kernel& kernel);

/// Slots of a scheduler that instructions take, one after the other.
///
/// An instruction takes one. Registers lie in two banks, even and odd numbers, and each delivers
/// one operand a cycle. An operand is not read again if the instruction before has read the same
/// register in the same place and marked it for reuse. So four instructions that follow each other
/// take as many slots as there are of them, or as one of the banks has operands to deliver,
/// whichever is more; only FFMA are looked at, the others read too little to matter.
int issue_slots(std::span<const Instruction> instructions);

/// What the model of chapter 09 wants to know of a kernel.
struct MachineCode {
  int loop_instructions = 0;  ///< of the innermost loop that multiplies
  int loop_ffma = 0;          ///< so many of them
  int loop_slots = 0;         ///< see issue_slots()
  int rest_instructions = 0;  ///< of the loop around it, without what repeats the innermost one
  // Around that loop, a pair of tiles is loaded: each batch waits for its loads and stores them.
  int batches = 0;           ///< that stand for themselves
  int batch_loads = 0;       ///< loads of a thread in them
  int repeated_batches = 0;  ///< in a loop of their own, for each of its turns
  int repeated_loads = 0;    ///< likewise
};

/// @throws std::runtime_error if no loop of the kernel multiplies
MachineCode examine(const Kernel& kernel);

}  // namespace predict
