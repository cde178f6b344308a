/// @file
/// One instruction of x86-64 as g++ writes it (AT&T), and what it does to memory.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace coursework::confine {

/// The text is nothing that this program knows; it says what.
class UnknownAssembly : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `symbol@suffix + offset`, each part optional.
struct Expression {
  std::string symbol;
  std::string suffix;  ///< "tpoff", "PLT", ...
  long offset = 0;
};

/// `segment:displacement(base, index, scale)`
struct MemoryOperand {
  bool thread = false;  ///< %fs
  Expression displacement;
  std::string base, index;  ///< "rsp", "rip"; empty: none
  unsigned scale = 1;
};

struct Operand {
  enum class Kind { reg, immediate, memory, target } kind;
  std::string text;
  std::string reg;       ///< of Kind::reg, without %
  Expression value;      ///< of Kind::immediate and Kind::target
  MemoryOperand memory;  ///< of Kind::memory
};

struct Instruction {
  std::string text;      ///< as it was written, with single blanks
  std::string mnemonic;  ///< "rep bsfl" too
  std::vector<Operand> operands;

  const Operand* memory() const;  ///< the operand in memory, if there is one
};

/// @throws UnknownAssembly
Instruction parse_instruction(std::string_view line);

/// `symbol@suffix + offset`. @throws UnknownAssembly
Expression parse_expression(std::string_view text);

/// Whether a name of the assembler's may be this: letters, digits, `_`, `.`, `$`.
bool is_symbol(std::string_view text);

enum class Flow { next, jump, branch, call, back, stop };

/// What an instruction does, as far as its confinement depends on it.
struct Effect {
  Flow flow = Flow::next;
  bool loads = false, stores = false;  ///< through its operand in memory
  unsigned bytes = 0;                  ///< of that operand
};

/// @throws UnknownAssembly  for everything that is not known to be harmless
Effect effect_of(const Instruction& instruction);

constexpr long kWord = 8;  ///< bytes of a whole register, and of what is pushed

/// The whole register that this is a part of: "rax" for "al"; empty for vector registers.
std::string whole_register(std::string_view name);

}  // namespace coursework::confine
