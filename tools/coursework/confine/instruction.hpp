/// @file
/// Parses one instruction of x86-64 in g++'s syntax (AT&T), and tells how it uses memory.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace coursework::confine {

/// Thrown for text that this program does not know; the message quotes it.
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
  std::string reg;       ///< for Kind::reg, without %
  Expression value;      ///< for Kind::immediate and Kind::target
  MemoryOperand memory;  ///< for Kind::memory
};

struct Instruction {
  std::string text;      ///< as written, with single blanks
  std::string mnemonic;  ///< may have a prefix: "rep bsfl"
  std::vector<Operand> operands;

  const Operand* memory() const;  ///< returns the memory operand, or null
};

/// @throws UnknownAssembly
Instruction parse_instruction(std::string_view line);

/// Parses `symbol@suffix + offset`. @throws UnknownAssembly
Expression parse_expression(std::string_view text);

/// Returns whether the text can be a symbol of the assembler: letters, digits, `_`, `.`, `$`.
bool is_symbol(std::string_view text);

enum class Flow { next, jump, branch, call, back, stop };

/// The effects of an instruction that confinement depends on.
struct Effect {
  Flow flow = Flow::next;
  bool loads = false, stores = false;  ///< through the memory operand
  unsigned bytes = 0;                  ///< size of that operand
};

/// @throws UnknownAssembly  for any instruction not known to be harmless
Effect effect_of(const Instruction& instruction);

constexpr long kWord = 8;  ///< size of a whole register and of a push

/// Returns the whole register that contains this one: "rax" for "al"; empty for vector registers.
std::string whole_register(std::string_view name);

}  // namespace coursework::confine
