/// @file
/// What g++ -S wrote for a submission, read and sorted by kind of section.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "instruction.hpp"
#include "refusal.hpp"

namespace coursework::confine {

struct Statement {
  enum class Kind { label, instruction, data, place, other } kind = Kind::other;
  std::string text;         ///< as it was written; of a label, its name
  Instruction instruction;  ///< of Kind::instruction
  Effect effect;
  bool from_header = false;  ///< assembly that a header of the emulator has inside
  std::size_t bytes = 0;     ///< of Kind::data
  int line = 0;              ///< of the submission
};

struct Function {
  std::string name;
  std::vector<Statement> body;  ///< behind its label
};

/// A variable of the submission: where it begins in its section, and how long it is.
struct Variable {
  enum class Memory { constant, shared, device } memory = Memory::constant;
  std::size_t begin = 0, end = 0;
};

struct Assembly {
  std::vector<std::string> files;    ///< the directives .file, in their order
  std::vector<std::string> leading;  ///< labels before the first function
  std::vector<Function> functions;
  std::vector<Statement> constants;                         ///< read-only data, relocated or not
  std::vector<Statement> shared;                            ///< __shared__ variables
  std::map<std::string, std::vector<Statement>> variables;  ///< "emu_device", "emu_constant", ...
  std::vector<std::string> debug;                           ///< lines, directives .section included
  std::unordered_map<std::string, std::string> aliases;     ///< name -> another function's
  std::unordered_map<std::string, Variable> known;          ///< every label in data
  std::vector<std::string> pointed_to;                      ///< symbols that constants hold
  std::map<int, std::string> kernels;                       ///< number -> its function
};

/// Something that the reader or the guards do not let pass.
class Refused : public std::exception {
 public:
  explicit Refused(Refusal why) : refusal(std::move(why)) {}
  Refusal refusal;
};

/// The variables `confined_kernel_N` in the text point to the kernels.
constexpr std::string_view kKernelPointer = "confined_kernel_";

/// @param source  the submission's name in the debug information
/// @throws Refused
Assembly read_assembly(std::string_view text, const std::string& source);

}  // namespace coursework::confine
