#include "assembly.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "externals.hpp"
#include "reach.hpp"

namespace coursework::confine {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Bytes per element of each directive that puts numbers into a section.
const std::map<std::string, std::size_t, std::less<>> kElementBytes = {
    {".byte", 1},  {".value", 2}, {".short", 2}, {".2byte", 2}, {".long", 4},
    {".4byte", 4}, {".quad", 8},  {".8byte", 8}, {".octa", 16}};

const std::set<std::string, std::less<>> kDebugDirectives = {
    ".byte",  ".value", ".short",  ".2byte",   ".long",    ".4byte", ".quad",  ".8byte",  ".string",
    ".ascii", ".asciz", ".base64", ".uleb128", ".sleb128", ".zero",  ".align", ".p2align"};

/// Returns the number of bytes of a string literal; nothing if `text` is anything else.
std::optional<std::size_t> string_bytes(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < text.size(); ++bytes) {
    if (text[i] == '"' || text[i] == '\n') return std::nullopt;
    if (text[i++] != '\\') continue;
    if (i >= text.size()) return std::nullopt;
    const auto is_octal = [&](std::size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '7';
    };
    if (!is_octal(i)) {
      ++i;
      continue;
    }
    for (int digits = 0; digits < 3 && is_octal(i); ++digits) ++i;
  }
  return bytes;
}

/// Returns the number of bytes that a base64 literal encodes; nothing if `text` is anything else.
std::optional<std::size_t> base64_bytes(std::string_view text) {
  constexpr std::size_t kDigits = 4, kBytes = 3;
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  if (text.empty() || text.size() % kDigits != 0) return std::nullopt;
  const std::size_t digits = std::min(text.find('='), text.size());
  const std::string_view padding = text.substr(digits);
  if (padding.size() > 2 || padding.find_first_not_of('=') != padding.npos) return std::nullopt;
  const bool plain = std::all_of(text.begin(), text.begin() + digits, [](unsigned char c) {
    return std::isalnum(c) || c == '+' || c == '/';
  });
  if (!plain) return std::nullopt;
  return text.size() / kDigits * kBytes - padding.size();
}

/// Returns whether a directive puts text into a section; since version 16, g++ writes base64.
bool is_text(std::string_view directive) {
  return directive == ".string" || directive == ".ascii" || directive == ".asciz" ||
         directive == ".base64";
}

/// Returns the number of bytes that a text directive puts into a section; nothing if its argument
/// is not text.
std::optional<std::size_t> text_bytes(std::string_view directive, std::string_view argument) {
  if (directive == ".base64") return base64_bytes(argument);
  const auto bytes = string_bytes(argument);
  if (!bytes) return std::nullopt;
  return *bytes + (directive == ".ascii" ? 0 : 1);
}

class Reader {
 public:
  Reader(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  Assembly read() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      try {
        read_known_line(line);
      } catch (const Refused& refused) {
        if (!in_function_) throw;
        note_fault(refused.refusal, line);
      }
    }
    if (in_function_) refuse("assembly", "a function does not end");
    for (std::string& label : leading_) result_.leading.push_back(std::move(label));
    return std::move(result_);
  }

 private:
  enum class SectionKind { text, constants, shared, variables, debug, dropped, forbidden };

  [[noreturn]] void refuse(const std::string& rule, const std::string& message) const {
    throw Refused({line_, rule, message});
  }

  void read_known_line(std::string_view line) {
    try {
      read_line(line);
    } catch (const UnknownAssembly& error) {
      if (*error.what() == '*')
        refuse("function-pointer",
               "a function is called by its address, which could be any: call it by its name");
      refuse("assembly", std::string("g++ made something of this line that the grader cannot "
                                     "check (`") +
                             error.what() + "`): please write it in another way");
    }
  }

  // The fault matters only if a kernel reaches the function.
  void note_fault(const Refusal& fault, std::string_view line) {
    Function& function = result_.functions.back();
    if (!function.fault) function.fault = fault;
    function.body.push_back({Statement::Kind::unknown, std::string(line), {}, {}, false, 0, line_});
  }

  // Likewise, a variable of the host matters only if a kernel uses it.
  void forbid(const std::string& name) {
    result_.forbidden[name] = {line_, "variable",
                               "the variable " + demangled(name) +
                                   " is neither __device__, __constant__ nor __shared__, nor "
                                   "constant"};
  }

  void read_line(std::string_view line) {
    if (line.empty()) return;
    if (line == "#APP") {
      in_header_ = true;
    } else if (line == "#NO_APP") {
      in_header_ = false;
    } else if (line.starts_with("# ") || line == "#") {
      return;  // a comment by g++
    } else if (line.front() != '\t' && line.front() != ' ') {
      read_label(line);
    } else {
      const std::string_view body = without_blanks(line);
      if (body.empty() || body == "/* emu_seen */") return;  // emulator/device_ptx_memory.h
      if (body.front() == '.')
        read_directive(body);
      else
        read_instruction(body);
    }
  }

  void read_label(std::string_view line) {
    if (!line.ends_with(':') || !is_symbol(line.substr(0, line.size() - 1)))
      throw UnknownAssembly(std::string(line));
    const std::string name(line.substr(0, line.size() - 1));
    if (name.starts_with("confined_") && !name.starts_with(kKernelPointer))
      refuse("reserved-name", "the name " + name + " belongs to the grader");
    static const std::set<std::string, std::less<>> built_in = {"threadIdx", "blockIdx", "blockDim",
                                                                "gridDim"};
    if (find_external(name) || name.starts_with("emu_") || name.starts_with("__tsan") ||
        built_in.count(name))
      refuse("reserved-name",
             "the submission defines `" + demangled(name) +
                 "`, which is a name of CUDA's or of the C library's: choose another one");
    if (section_kind_ == SectionKind::debug) {
      result_.debug.push_back(name + ":");
    } else if (section_kind_ == SectionKind::dropped) {
      return;
    } else if (section_kind_ == SectionKind::text && functions_.count(name)) {
      if (in_function_) refuse("assembly", "a function begins inside another one");
      in_function_ = true;
      result_.functions.push_back({name, {}, {}});
    } else if (section_kind_ == SectionKind::text && name.starts_with(".L")) {
      if (in_function_)
        add({Statement::Kind::label, name, {}, {}, false, 0, line_});
      else
        between_functions(name);
    } else if (section_kind_ == SectionKind::forbidden) {
      forbid(name);
    } else if (section_kind_ != SectionKind::text) {
      pointer_ =
          name.starts_with(kKernelPointer) && section_kind_ == SectionKind::constants ? name : "";
      add({Statement::Kind::label, name, {}, {}, false, 0, line_});
    } else {
      throw UnknownAssembly(std::string(line));
    }
  }

  // labels that only the debug information uses
  void between_functions(const std::string& name) {
    if (result_.functions.empty()) {
      leading_.push_back(name);
    } else {
      result_.functions.back().body.push_back(
          {Statement::Kind::label, name, {}, {}, false, 0, line_});
    }
  }

  void read_instruction(std::string_view text) {
    if (section_kind_ == SectionKind::dropped) return;
    if (section_kind_ != SectionKind::text || !in_function_)
      throw UnknownAssembly(std::string(text));
    Statement statement{Statement::Kind::instruction, {}, {}, {}, in_header_, 0, line_};
    statement.instruction = parse_instruction(text);
    if (!in_header_ || !is_round_path(statement.instruction))
      statement.effect = effect_of(statement.instruction);
    else
      statement.effect = {};
    if (in_header_ && !is_round_path(statement.instruction))
      refuse("assembly", "assembly is not allowed: " + statement.instruction.text);
    add(std::move(statement));
  }

  // The inline assembly of emulator/rounds.h, the only one allowed.
  static bool is_round_path(const Instruction& instruction) {
    if (instruction.mnemonic != "movq" || instruction.operands.size() != 2) return false;
    const auto is_path = [](const Operand& operand) {
      return operand.text == "%fs:emu_round_path@tpoff";
    };
    const auto is_plain = [](const Operand& operand) {
      return operand.kind == Operand::Kind::reg && operand.reg != "rsp" &&
             whole_register(operand.reg) == operand.reg;
    };
    const Operand &first = instruction.operands[0], &last = instruction.operands[1];
    return (is_path(first) && is_plain(last)) || (is_plain(first) && is_path(last));
  }

  void read_directive(std::string_view body) {
    const std::size_t end = std::min(body.find_first_of(" \t"), body.size());
    const std::string name(body.substr(0, end));
    // <iostream> since g++ 13: asks the library to set up its streams, which only host code has
    if (in_header_ && body == ".globl _ZSt21ios_base_library_initv") return;
    if (in_header_ && name != ".loc") throw UnknownAssembly(std::string(body));
    const std::string_view arguments = without_blanks(body.substr(end));
    if (name.starts_with(".cfi_") || name == ".ident" || name == ".globl" || name == ".weak" ||
        name == ".hidden" || name == ".internal" || name == ".protected" || name == ".local")
      return;  // nothing of a submission is visible outside, whatever it declares
    if (name == ".text") {
      section_kind_ = SectionKind::text;
      initialises_ = false;
    } else if (name == ".data" || name == ".bss") {
      section_kind_ = SectionKind::forbidden;
      initialises_ = false;
    } else if (name == ".section") {
      enter_section(arguments);
    } else if (name == ".file") {
      read_file(body, arguments);
    } else if (name == ".loc") {
      read_place(body, arguments);
    } else if (name == ".type") {
      read_type(arguments);
    } else if (name == ".size") {
      read_size(arguments);
    } else if (name == ".set") {
      read_alias(arguments);
    } else if (name == ".comm" || name == ".lcomm") {
      forbid(std::string(arguments.substr(0, arguments.find(','))));
    } else {
      read_data(name, arguments, body);
    }
  }

  void enter_section(std::string_view arguments) {
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    const std::string name(arguments.substr(0, comma));
    const auto is = [&](std::string_view section) {
      return name == section || name.starts_with(std::string(section) + ".");
    };
    section_ = name;
    pointer_.clear();
    initialises_ = false;
    if (in_function_ && !is(".text")) throw UnknownAssembly(name);
    if (is(".text")) {
      section_kind_ = SectionKind::text;
    } else if (is(".rodata") || is(".data.rel.ro") || name == ".data.rel.ro.local") {
      section_kind_ = SectionKind::constants;
    } else if (is(".tbss")) {
      section_kind_ = SectionKind::shared;
    } else if (name == "emu_device" || name == "emu_constant" || name == "emu_managed") {
      section_kind_ = SectionKind::variables;
    } else if (name == ".debug_frame") {
      section_kind_ = SectionKind::dropped;  // a lane's stack is never unwound
    } else if (name.starts_with(".debug_")) {
      const std::string_view flags =
          without_blanks(arguments.substr(std::min(comma + 1, arguments.size())));
      const bool harmless = flags.starts_with("\"\",@progbits") || flags == "\"\"" ||
                            flags.starts_with("\"MS\",@progbits,1") || flags.empty();
      if (!harmless) throw UnknownAssembly(std::string(arguments));
      section_kind_ = SectionKind::debug;
      result_.debug.push_back(
          "\t.section " + name + "," +
          (flags.starts_with("\"MS\"") ? "\"MS\",@progbits,1" : "\"\",@progbits"));
    } else if (name == ".note.GNU-stack" || name == ".comment" || name == ".init_array.00099") {
      section_kind_ = SectionKind::dropped;  // 00099: the instrumentation's setup, not needed here
    } else if (is(".init_array")) {
      section_kind_ = SectionKind::dropped;  // except the data that it points to
      initialises_ = true;
    } else if (name.starts_with(".init") || name.starts_with(".ctors") ||
               name.starts_with(".preinit") || name.starts_with(".fini") ||
               name.starts_with(".dtors")) {
      refuse("constructor",
             "something outside of functions has a constructor or an initialiser that runs when "
             "the program starts; only constants are allowed there");
    } else if (is(".data") || is(".bss") || is(".tdata")) {
      section_kind_ = SectionKind::forbidden;
    } else {
      refuse("assembly", "the section " + name + " is not allowed");
    }
  }

  void read_file(std::string_view body, std::string_view arguments) {
    const std::size_t blank = std::min(arguments.find(' '), arguments.size());
    const std::string_view first = arguments.substr(0, blank);
    const bool numbered = !first.empty() && std::all_of(first.begin(), first.end(), [](char c) {
      return std::isdigit(static_cast<unsigned char>(c));
    });
    std::string_view names = without_blanks(numbered ? arguments.substr(blank) : arguments);
    std::string_view last;
    while (!names.empty()) {  // one name, or a folder and a name
      const std::size_t close = names.front() == '"' ? names.find('"', 1) : names.npos;
      if (close == names.npos || names.substr(0, close).find('\\') != names.npos)
        throw UnknownAssembly(std::string(body));
      last = names.substr(1, close - 1);
      names = without_blanks(names.substr(close + 1));
    }
    if (numbered && last == source_) source_files_.insert(std::string(first));
    result_.files.push_back("\t" + std::string(body));
  }

  void read_place(std::string_view body, std::string_view arguments) {
    const bool plain = std::all_of(arguments.begin(), arguments.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '_' || c == '-' ||
             c == '.';
    });
    const std::size_t blank = arguments.find(' ');
    if (!plain || blank == arguments.npos) throw UnknownAssembly(std::string(body));
    if (source_files_.count(std::string(arguments.substr(0, blank))))
      line_ = std::atoi(std::string(arguments.substr(blank + 1, 10)).c_str());
    if (section_kind_ == SectionKind::text && in_function_)
      add({Statement::Kind::place, "\t" + std::string(body), {}, {}, false, 0, line_});
  }

  void read_type(std::string_view arguments) {
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    const std::string name(arguments.substr(0, comma));
    const std::string_view type =
        without_blanks(arguments.substr(std::min(comma + 1, arguments.size())));
    if (!is_symbol(name)) throw UnknownAssembly(std::string(arguments));
    if (type == "@function") {
      functions_.insert(name);
    } else if (type == "@object" || type == "@tls_object") {
      if (section_kind_ == SectionKind::shared || section_kind_ == SectionKind::variables ||
          section_kind_ == SectionKind::constants)
        if (!name.starts_with(kKernelPointer))
          add({Statement::Kind::other,
               "\t.type " + name + ", " + std::string(type),
               {},
               {},
               false,
               0,
               line_});
    } else {
      refuse("assembly", "symbols of type " + std::string(type) + " are not allowed");
    }
  }

  void read_size(std::string_view arguments) {
    const std::string name(arguments.substr(0, std::min(arguments.find(','), arguments.size())));
    if (in_function_ && name == result_.functions.back().name) {
      in_function_ = false;
      return;
    }
    const std::string_view size =
        without_blanks(arguments.substr(std::min(name.size() + 1, arguments.size())));
    if (!is_symbol(name) || parse_expression(size).symbol != "") return;  // `.-name`
    if (section_kind_ == SectionKind::shared || section_kind_ == SectionKind::variables ||
        section_kind_ == SectionKind::constants)
      if (!name.starts_with(kKernelPointer))
        add({Statement::Kind::other,
             "\t.size " + name + ", " + std::string(size),
             {},
             {},
             false,
             0,
             line_});
  }

  void read_alias(std::string_view arguments) {
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    const std::string name(without_blanks(arguments.substr(0, comma)));
    const Expression target =
        parse_expression(arguments.substr(std::min(comma + 1, arguments.size())));
    if (!is_symbol(name) || target.symbol.empty() || !target.suffix.empty() || find_external(name))
      throw UnknownAssembly(std::string(arguments));
    if (section_kind_ == SectionKind::debug) throw UnknownAssembly(std::string(arguments));
    if (name.starts_with(".L")) {
      result_.constant_aliases.emplace_back(name, target);
      return;
    }
    if (target.offset != 0) throw UnknownAssembly(std::string(arguments));
    result_.aliases[name] = target.symbol;
  }

  void read_data(const std::string& name, std::string_view arguments, std::string_view body) {
    if (section_kind_ == SectionKind::debug) {
      if (!kDebugDirectives.count(name)) throw UnknownAssembly(std::string(body));
      if (is_text(name)) {
        if (!text_bytes(name, arguments)) throw UnknownAssembly(std::string(body));
      } else if (arguments.find_first_of(";\"'\\#") != arguments.npos) {
        throw UnknownAssembly(std::string(body));
      }
      result_.debug.push_back("\t" + std::string(body));
      return;
    }
    const bool aligns = name == ".align" || name == ".p2align" || name == ".balign";
    if (aligns) {
      // `4`, or `4,,10`; the assembler chooses the fill value.
      std::string numbers(arguments);
      if (const std::size_t commas = numbers.find(",,"); commas != numbers.npos)
        numbers.erase(commas, 2);
      const bool plain = std::all_of(numbers.begin(), numbers.end(), [](char c) {
        return std::isdigit(static_cast<unsigned char>(c));
      });
      constexpr std::size_t kMostDigits = 5;
      if (!plain || numbers.empty() || numbers.size() > kMostDigits)
        throw UnknownAssembly(std::string(body));
      if (section_kind_ == SectionKind::text && !in_function_) return;
      if (section_kind_ != SectionKind::dropped && section_kind_ != SectionKind::forbidden)
        add({Statement::Kind::other, "\t" + std::string(body), {}, {}, false, 0, line_});
      return;
    }
    if (initialises_) {
      const Expression value = parse_expression(arguments);
      if (name != ".quad" || value.symbol.empty()) throw UnknownAssembly(std::string(body));
      result_.initialisers.push_back(value.symbol);
    }
    if (section_kind_ == SectionKind::dropped || section_kind_ == SectionKind::forbidden) return;
    if (section_kind_ == SectionKind::text) throw UnknownAssembly(std::string(body));
    Statement statement{Statement::Kind::data, "\t" + std::string(body), {}, {}, false, 0, line_};
    if (is_text(name)) {
      const auto bytes = text_bytes(name, arguments);
      if (!bytes) throw UnknownAssembly(std::string(body));
      statement.bytes = *bytes;
    } else if (name == ".zero") {
      const Expression size = parse_expression(arguments);
      if (!size.symbol.empty() || size.offset < 0) throw UnknownAssembly(std::string(body));
      statement.bytes = static_cast<std::size_t>(size.offset);
    } else if (const auto element = kElementBytes.find(name); element != kElementBytes.end()) {
      const Expression value = parse_expression(arguments);
      if (!value.symbol.empty() && (element->second != 8 || !value.suffix.empty()))
        throw UnknownAssembly(std::string(body));
      if (!pointer_.empty()) note_kernel(value);
      statement.bytes = element->second;
    } else {
      refuse("assembly", "the directive " + name + " is not allowed");
    }
    constexpr std::size_t kMostBytes = std::size_t{32} << 20;
    data_bytes_ += statement.bytes;
    if (statement.bytes > kMostBytes || data_bytes_ > kMostBytes)
      refuse("variable", "the variables of a submission are too large together");
    if (!pointer_.empty()) throw UnknownAssembly(pointer_ + ": " + std::string(body));
    add(std::move(statement));
  }

  void note_kernel(const Expression& value) {
    const std::string number = pointer_.substr(kKernelPointer.size());
    if (value.symbol.empty() || value.offset != 0 || number.empty())
      throw UnknownAssembly(pointer_);
    result_.kernels[std::atoi(number.c_str())] = value.symbol;
    pointer_.clear();
  }

  void add(Statement statement) {
    switch (section_kind_) {
      case SectionKind::text:
        if (statement.kind == Statement::Kind::other && !in_function_) return;
        result_.functions.back().body.push_back(std::move(statement));
        return;
      case SectionKind::constants:
        result_.constants.push_back(std::move(statement));
        return;
      case SectionKind::shared:
        if (statement.kind == Statement::Kind::data && !statement.text.starts_with("\t.zero"))
          throw UnknownAssembly(statement.text);
        result_.shared.push_back(std::move(statement));
        return;
      case SectionKind::variables:
        result_.variables[section_].push_back(std::move(statement));
        return;
      default:
        throw UnknownAssembly(statement.text);
    }
  }

  std::string_view text_;
  std::string source_;
  Assembly result_;
  SectionKind section_kind_ = SectionKind::text;
  std::string section_ = ".text";
  std::set<std::string> functions_;     // names of type @function
  std::set<std::string> source_files_;  // numbers in .loc that stand for the submission
  std::vector<std::string> leading_;    // labels before the first function
  std::string pointer_;                 // the kernel pointer whose value follows
  std::size_t data_bytes_ = 0;
  bool in_function_ = false, in_header_ = false;
  bool initialises_ = false;  // the section holds code that would run before main
  int line_ = 0;
};

void note_variables(const std::vector<Statement>& statements, Variable::Memory memory,
                    Assembly& assembly) {
  std::size_t position = 0;
  std::vector<std::string> open;  // labels whose data has not begun or has not ended
  bool has_data = false;
  for (const Statement& statement : statements) {
    if (statement.kind == Statement::Kind::label) {
      if (has_data) open.clear();
      has_data = false;
      assembly.known[statement.text] = {memory, position, position};
      open.push_back(statement.text);
    } else if (statement.kind == Statement::Kind::data) {
      has_data = true;
      position += statement.bytes;
      if (std::string symbol = symbol_in(statement); !symbol.empty())
        assembly.pointed_to.emplace_back(std::move(symbol), statement.line);
      for (const std::string& name : open) assembly.known[name].end = position;
    }
  }
}

[[noreturn]] void refuse_alias(const std::string& name) {
  throw Refused({0, "assembly", "an unknown alias: " + name});
}

void note_aliases(Assembly& assembly) {
  for (const auto& [name, target] : assembly.constant_aliases) {
    const auto known = assembly.known.find(target.symbol);
    if (known == assembly.known.end()) refuse_alias(name);
    Variable variable = known->second;
    variable.begin += static_cast<std::size_t>(target.offset);
    if (variable.begin > variable.end) refuse_alias(name);
    assembly.known[name] = variable;
  }
}

}  // namespace

std::string symbol_in(const Statement& datum) {
  const std::string_view text = datum.text;
  const bool is_number = datum.kind == Statement::Kind::data && datum.bytes == 8 &&
                         (text.starts_with("\t.quad") || text.starts_with("\t.8byte"));
  return is_number ? parse_expression(text.substr(text.find_first_of(" \t", 1))).symbol : "";
}

Assembly read_assembly(std::string_view text, const std::string& source) {
  Assembly assembly = Reader(text, source).read();
  leave_out_unreached(assembly);
  note_variables(assembly.constants, Variable::Memory::constant, assembly);
  note_variables(assembly.shared, Variable::Memory::shared, assembly);
  for (const auto& [section, statements] : assembly.variables)
    note_variables(statements, Variable::Memory::device, assembly);
  note_aliases(assembly);
  return assembly;
}

}  // namespace coursework::confine
