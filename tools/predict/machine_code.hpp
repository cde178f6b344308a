#pragma once

/// @file
/// Analyses machine code for an H200: instructions, loops, and the slots of a scheduler.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace predict {

/// An instruction as `cuobjdump -sass` prints it.
struct Instruction {
  std::uint64_t address = 0;
  std::string operation;  ///< up to the first dot: FFMA, LDS
  std::string modifiers;  ///< the rest: E.128
  std::vector<std::string> operands;
};

struct Kernel {
  std::string name;  ///< mangled
  std::vector<Instruction> instructions;
};

/// Parses the kernels in the output of `cuobjdump -sass PROGRAM`.
std::vector<Kernel> kernels_in(std::string_view sass);

/// The instructions from the target of a backward jump to the jump, both included.
struct Loop {
  std::size_t first = 0, last = 0;
  bool contains(const Loop& other) const { return first <= other.first && other.last <= last; }
};

/// Returns the loops of a kernel, ordered by their first instructions.
std::vector<Loop> loops_of(const Kernel& kernel);

/// Returns the scheduler's issue slots for a sequence of instructions.
///
/// An instruction takes one slot. Registers are in two banks, with even and odd numbers; each bank
/// delivers one operand per cycle. An operand is not fetched again if the previous instruction read
/// the same register in the same position and marked it for reuse. So four consecutive instructions
/// take four slots, or as many as one bank has operands to deliver, whichever is more. Only FFMA
/// are considered; other instructions read too few registers to matter.
int issue_slots(std::span<const Instruction> instructions);

/// The properties of a kernel that chapter 09's model uses.
struct MachineCode {
  int loop_instructions = 0;  ///< in the innermost loop that multiplies
  int loop_ffma = 0;          ///< how many of them are FFMA
  int loop_slots = 0;         ///< see issue_slots()
  int rest_instructions = 0;  ///< in the loop around it, without repetitions of the innermost loop
  // The loop around the innermost one loads a pair of tiles. Each batch waits for its loads and
  // stores them.
  int batches = 0;           ///< batches outside of loops of their own
  int batch_loads = 0;       ///< a thread's loads in these batches
  int repeated_batches = 0;  ///< batches per iteration in a loop of their own
  int repeated_loads = 0;    ///< a thread's loads in these
};

/// @throws std::runtime_error if no loop of the kernel multiplies
MachineCode examine(const Kernel& kernel);

}  // namespace predict
