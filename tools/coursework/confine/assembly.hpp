/// @file
/// Reads the assembly that g++ -S wrote for a submission's kernels, and sorts it by kind of
/// section.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "instruction.hpp"
#include "refusal.hpp"

namespace coursework::confine {

struct Statement {
  enum class Kind { label, instruction, data, place, other, unknown } kind = Kind::other;
  std::string text;         ///< as written; for a label, its name
  Instruction instruction;  ///< for Kind::instruction
  Effect effect;
  bool from_header = false;  ///< inline assembly of an emulator header
  std::size_t bytes = 0;     ///< for Kind::data
  int line = 0;              ///< line of the submission
};

struct Function {
  std::string name;
  std::vector<Statement> body;   ///< the statements after its label
  std::optional<Refusal> fault;  ///< why the function is refused if a kernel reaches it
};

/// A variable of the submission: its position in its section, and its size.
struct Variable {
  enum class Memory { constant, shared, device } memory = Memory::constant;
  std::size_t begin = 0, end = 0;
};

struct Assembly {
  std::vector<std::string> files;    ///< the .file directives, in order
  std::vector<std::string> leading;  ///< labels before the first function
  std::vector<Function> functions;
  std::vector<Statement> constants;  ///< read-only data, with or without relocations
  std::vector<Statement> shared;     ///< __shared__ variables
  std::map<std::string, std::vector<Statement>> variables;  ///< "emu_device", "emu_constant", ...
  std::vector<std::string> debug;  ///< lines, including .section directives
  /// Name -> the function that it stands for.
  std::unordered_map<std::string, std::string> aliases;
  /// Names for addresses in the constants.
  std::vector<std::pair<std::string, Expression>> constant_aliases;
  std::map<std::string, Refusal> forbidden;         ///< variables of the host
  std::vector<std::string> initialisers;            ///< code that would run before main
  std::set<std::string> left_out;                   ///< names that no kernel reaches
  std::unordered_map<std::string, Variable> known;  ///< all labels of data
  /// Symbols whose addresses data contain, with their lines.
  std::vector<std::pair<std::string, int>> pointed_to;
  std::map<int, std::string> kernels;  ///< number -> function
};

/// Thrown when the reader or the guards refuse something.
class Refused : public std::exception {
 public:
  explicit Refused(Refusal why) : refusal(std::move(why)) {}
  Refusal refusal;
};

/// Prefix of the variables `confined_kernel_N`, which point to the kernels.
constexpr std::string_view kKernelPointer = "confined_kernel_";

/// Returns the symbol that an 8-byte datum contains; empty for any other statement.
std::string symbol_in(const Statement& datum);

/// Reads assembly text. Only statements that kernels reach have to be known.
/// @param source  the submission's name in the debug information
/// @throws Refused
Assembly read_assembly(std::string_view text, const std::string& source);

}  // namespace coursework::confine
