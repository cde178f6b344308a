/// Translates inline PTX: an asm statement of device code becomes C++ that calls the functions of
/// emulator/device_ptx.h. The instructions are those of kPtxInstructions in ptx_instructions.hpp.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>

#include "context.hpp"
#include "ptx_instructions.hpp"

namespace emulator_nvcc {
namespace {

// The reason why a statement cannot be translated.
struct Untranslatable {
  std::string message;
};

[[noreturn]] void throw_untranslatable(std::string message) {
  throw Untranslatable{std::move(message)};
}

// Returns the value of a string literal. Prefixes of wide strings are not part of PTX.
std::string value_of(std::string_view literal) {
  if (literal.starts_with("R\"")) {
    const std::size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  if (!literal.starts_with('"'))
    throw_untranslatable("the emulator reads plain string literals in asm only");
  std::string value;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      value += literal[i];
      continue;
    }
    switch (literal[++i]) {
      case 'n':
      case 'r':
        value += '\n';
        break;
      case 't':
      case 'v':
      case 'f':
        value += ' ';
        break;
      case '\\':
      case '"':
      case '\'':
        value += literal[i];
        break;
      default:
        throw_untranslatable("the emulator does not read the escape \\" +
                             std::string(1, literal[i]) + " in asm");
    }
  }
  return value;
}

struct Operand {
  char constraint;  // r, l, h, f, d, n
  bool is_output;
};

using Words = std::vector<std::string>;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         c == '.';
}

// Returns whether :: joins two words at the position, as in .shared::cta.
bool joins_words(const std::string& text, std::size_t at) {
  return text.compare(at, 2, "::") == 0 && at + 2 < text.size() && is_word_character(text[at + 2]);
}

// Splits PTX into words and marks. Operands %0 become #0, and %% becomes %. A name such as %laneid
// may have a single %, even where there are operands.
Words words_of(const std::string& text, bool has_operands) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      if (end == text.npos) throw_untranslatable("a comment in asm does not end");
      i = end + 1;
      plain += ' ';
    } else if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') {
      plain += '%';
      ++i;
    } else if (text[i] == '%' && has_operands) {
      const char next = i + 1 < text.size() ? text[i + 1] : ' ';
      const bool is_number = std::isdigit(static_cast<unsigned char>(next));
      if (!is_number && !is_word_character(next))
        throw_untranslatable(
            "after % in asm the emulator expects an operand's number, a register's name or %");
      plain += is_number ? '#' : '%';
    } else {
      plain += text[i];
    }
  }

  Words words;
  for (std::size_t i = 0; i < plain.size();) {
    if (std::isspace(static_cast<unsigned char>(plain[i]))) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    if (plain[i] == '#' || is_word_character(plain[i]))
      while (end < plain.size() && (is_word_character(plain[end]) || joins_words(plain, end) ||
                                    joins_words(plain, end - 1)))
        ++end;
    words.push_back(plain.substr(i, end - i));
    i = end;
  }
  return words;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// An operand as it is written in the text; its values are C++.
struct Written {
  enum class Form { plain, address, vector, tensor } form = Form::plain;
  Words values;  // for a tensor: its address, then the coordinates
  // The predicate behind
  //
  std::string predicate;
};

const std::string kNowhere = "emu_ptx_nowhere";
const std::string kZero = "static_cast<long long>(0ull)";

// Returns the template argument for a modifier: lo_ for .lo, shape_<64, 8, 16> for .m64n8k16.
std::string tag_of(std::string name) {
  for (std::size_t colon; (colon = name.find("::")) != name.npos;) name.replace(colon, 2, "_");
  if (name[0] == 'm' && name.find('n') != name.npos && name.find('k') != name.npos &&
      name.find_first_not_of("mnk0123456789") == name.npos) {
    name[name.find('n')] = ',';
    name[name.find('k')] = ',';
    return "::emu::ptx::shape_<" + name.substr(1) + ">";
  }
  return "::emu::ptx::" + name + "_";
}

// Moves an atomic operation behind its order, scope and space. PTX also accepts it before them:
// `atom.add.acq_rel.gpu`.
void put_operation_last(Words& parts) {
  if (parts[0] != "atom" && parts[0] != "red") return;
  constexpr std::string_view kBefore =
      " relaxed acquire release acq_rel cta cluster gpu sys global "
      "shared shared::cta shared::cluster ";
  const auto is_before = [&](const std::string& part) {
    return kBefore.find(' ' + part + ' ') != kBefore.npos;
  };
  std::size_t last = 1;
  while (last + 1 < parts.size() && is_before(parts[last + 1])) ++last;
  if (parts.size() > 1 && !is_before(parts[1]))
    std::rotate(parts.begin() + 1, parts.begin() + 2, parts.begin() + static_cast<long>(last) + 1);
}

// Returns the template arguments for an instruction with these parts; nothing if it does not match
// the row.
std::optional<std::string> match_tags(const PtxInstruction& row, const Words& parts) {
  if (parts[0] != row.opcode) return std::nullopt;
  std::string tags;
  std::size_t next = 1;
  for (std::string_view group : split(row.modifiers, ' ')) {
    if (group.empty()) continue;
    if (group == "-") {
      tags += (tags.empty() ? "" : ", ") + std::string("::emu::ptx::none_");
      continue;
    }
    const bool is_silent = group.front() == '~', optional = group.back() == '?';
    group.remove_prefix(is_silent);
    group.remove_suffix(optional);
    bool found = false;
    if (next < parts.size())
      for (const std::string& name : split(group, '|')) found |= parts[next] == name;
    if (!found && !optional) return std::nullopt;
    const std::string tag = found ? parts[next++] : "none";
    if (is_silent) continue;
    if (!tags.empty()) tags += ", ";
    tags += tag_of(tag);
  }
  if (next != parts.size()) return std::nullopt;
  return tags;
}

// Returns whether the operand has as many values in braces as the instruction needs.
bool fits_vector(const Words& parts, const Written& operand) {
  const std::size_t count = operand.values.size();
  const auto has = [&](std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  const bool in_braces = operand.form == Written::Form::vector;
  if (parts[0] == "mov") return in_braces && (count == 2 || count == 4);
  if (has("v2") || has("v4")) return in_braces && count == (has("v2") ? 2 : 4);
  return count == 1 && (in_braces || operand.form == Written::Form::plain);
}

// The arguments of a row's function, and the statements before and behind its call.
struct Call {
  Words arguments;
  std::string before, after;
  int lists = 0;

  // Passes 32-bit registers to the function as one array, and copies them back if they are written.
  void add_list(const Words& values, bool are_read, bool are_written) {
    const std::string name = "emu_ptx_list_" + std::to_string(lists++);
    before += (are_written ? "std::uint32_t " : "const std::uint32_t ") + name + "[" +
              std::to_string(values.size()) + "] = {";
    for (std::size_t i = 0; are_read && i < values.size(); ++i)
      before += (i ? ", " : "") + ("::emu::ptx::get<std::uint32_t>(" + values[i] + ")");
    before += "}; ";
    for (std::size_t i = 0; are_written && i < values.size(); ++i)
      after += "::emu::ptx::set(" + values[i] + ", " + name + "[" + std::to_string(i) + "]); ";
    arguments.push_back(name);
  }
};

// Returns the call of the row's function; nothing if the operands do not match the row.
std::optional<Call> match_operands(const PtxInstruction& row, const Words& parts,
                                   const std::vector<Written>& operands) {
  using Form = Written::Form;
  Call call;
  Words& arguments = call.arguments;
  Words last;
  std::size_t next = 0;
  for (const char letter : row.operands) {
    if (letter == 'c') {
      arguments.emplace_back("emu_ptx_carry");
      continue;
    }
    if (letter == 'p') {
      const std::string& predicate = operands[next - 1].predicate;
      arguments.push_back(predicate.empty() ? kNowhere : predicate);
      continue;
    }
    if (next == operands.size()) return std::nullopt;
    const Written& operand = operands[next++];
    const bool is_result = letter == 'd' || letter == 'V' || letter == 'R';
    for (const std::string& value : operand.values)
      if (!is_result && value == kNowhere) return std::nullopt;
    if (!operand.predicate.empty() && row.operands.find('p') == row.operands.npos)
      return std::nullopt;
    switch (letter) {
      case '0':
        if (operand.form != Form::plain || operand.values[0] != kZero) return std::nullopt;
        break;
      case 'd':
      case 'a':
      case 'm':
        if (operand.form != (letter == 'm' ? Form::address : Form::plain)) return std::nullopt;
        arguments.push_back(operand.values[0]);
        break;
      case 't':
        if (operand.form != Form::tensor) return std::nullopt;
        arguments.push_back(operand.values[0]);
        last.insert(last.end(), operand.values.begin() + 1, operand.values.end());
        break;
      case 'R':
      case 'U':
      case 'G':
        if (operand.form != Form::vector) return std::nullopt;
        call.add_list(operand.values, letter != 'R', letter != 'G');
        break;
      default:
        if (!fits_vector(parts, operand)) return std::nullopt;
        last.insert(last.end(), operand.values.begin(), operand.values.end());
    }
  }
  if (next != operands.size()) return std::nullopt;
  arguments.insert(arguments.end(), last.begin(), last.end());
  return call;
}

std::size_t operands_of(const PtxInstruction& row) {
  std::size_t count = 0;
  for (const char letter : row.operands) count += letter != 'p' && letter != 'c';
  return count;
}

// What is known of the asm statement around the text.
struct Statement {
  std::vector<Operand> operands;
  bool is_volatile = false;  // the statement may be neither removed nor merged with another
  bool clobbers_memory = false;
  bool in_kernel = false;  // directly in a kernel, not in a function that it calls
};

class Translation {
 public:
  Translation(Words words, const Statement& statement)
      : words_(std::move(words)), statement_(statement), scopes_(1) {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i)
      if (words_[i + 1] == ":" &&
          !labels_.emplace(words_[i], "emu_ptx_label_" + std::to_string(labels_.size())).second)
        throw_untranslatable("the label " + words_[i] + " stands twice in asm");
  }

  std::string run() {
    while (next_ < words_.size()) statement();
    if (scopes_.size() != 1) throw_untranslatable("a { in asm is never closed");
    std::string result = "{ ";
    for (const auto& [name, variable] : labels_) result += "__label__ " + variable + "; ";
    result += "[[maybe_unused]] ::emu::ptx::Nowhere " + kNowhere + "; " + registers_;
    if (uses_carry_)
      result += std::string("bool emu_ptx_carry = ") +
                (takes_carry_ ? "::emu::ptx_carry()" : "false") + "; ";
    const std::string barrier = accesses_memory_ && statement_.clobbers_memory
                                    ? "__asm__ volatile(\"\" ::: \"memory\"); "
                                    : "";
    result += barrier + code_ + barrier;
    if (uses_carry_) result += "::emu::set_ptx_carry(emu_ptx_carry); ";
    return result + "} ";
  }

 private:
  bool at(std::string_view word) const { return next_ < words_.size() && words_[next_] == word; }
  bool take(std::string_view word) {
    if (!at(word)) return false;
    ++next_;
    return true;
  }
  std::string word(const char* wanted) {
    if (next_ == words_.size())
      throw_untranslatable("asm ends where " + std::string(wanted) + " should stand");
    return words_[next_++];
  }
  void expect(std::string_view mark, const std::string& after) {
    if (!take(mark))
      throw_untranslatable("after " + after + " in asm the emulator expects " + std::string(mark) +
                           (next_ < words_.size() ? ", not " + words_[next_] : ""));
  }

  void statement() {
    if (take(";")) return;
    if (take("{")) {
      scopes_.emplace_back();
      code_ += "{ ";
    } else if (take("}")) {
      if (scopes_.size() == 1) throw_untranslatable("a } in asm closes nothing");
      scopes_.pop_back();
      code_ += "} ";
    } else if (take(".reg")) {
      registers();
    } else if (next_ + 1 < words_.size() && words_[next_ + 1] == ":") {
      code_ += labels_.at(words_[next_]) + ": __attribute__((unused)); ";
      next_ += 2;
    } else {
      instruction();
    }
  }

  // Translates a declaration: .reg .b32 a, b<4>;
  void registers() {
    const std::string type = word("a register's type");
    const std::string name = ptx_register_type(type);
    if (name.empty())
      throw_untranslatable("the emulator does not support PTX registers of type " + type);
    do {
      const std::string first = word("a register's name");
      if (take("<")) {
        const std::string count_word = word("a number of registers");
        const auto count = integer(count_word);
        constexpr std::uint64_t kMost = 1024;
        if (!count || *count > kMost)
          throw_untranslatable("PTX registers cannot be counted by " + count_word);
        expect(">", count_word);
        for (std::uint64_t i = 0; i < *count; ++i) declare(name, first + std::to_string(i));
      } else {
        declare(name, first);
      }
    } while (take(","));
    expect(";", ".reg");
  }

  // Declares registers before all statements, so that branches may lead anywhere.
  void declare(const std::string& type, const std::string& name) {
    const std::string variable = "emu_ptx_register_" + std::to_string(declared_++);
    if (!scopes_.back().emplace(name, variable).second)
      throw_untranslatable("the PTX register " + name + " is declared twice");
    registers_ += "[[maybe_unused]] " + type + " " + variable + "{}; ";
  }

  static std::string as_predicate(const std::string& value) {
    return "::emu::ptx::get<::emu::ptx::pred_>(" + value + ")";
  }

  void instruction() {
    std::string guard;
    if (take("@")) {
      const bool negated = take("!");
      guard = std::string("if (") + (negated ? "!" : "") + as_predicate(operand()) + ") ";
    }
    const std::string name = word("an instruction");
    if (!std::isalpha(static_cast<unsigned char>(name[0])))
      throw_untranslatable("the emulator does not support " + name + " in inline PTX");
    Words parts = split(name, '.');
    put_operation_last(parts);
    if (name == "bra" || name == "bra.uni") {
      code_ += guard + "goto " + target() + "; ";
      return;
    }
    if (name == "exit") {
      if (!at("}") && next_ < words_.size()) expect(";", name);
      code_ += guard + (statement_.in_kernel ? "return; " : "::emu::exit_lane(); ");
      return;
    }
    // Checks the name first: operands of an unknown instruction are not read.
    bool known = false;
    for (const PtxInstruction& row : kPtxInstructions) known |= match_tags(row, parts).has_value();
    if (!known) throw_untranslatable("the emulator does not support the PTX instruction " + name);

    std::vector<Written> operands;
    if (!at(";") && !at("}") && next_ < words_.size()) {
      do operands.push_back(written(name));
      while (take(","));
    }
    if (next_ < words_.size() && !at("}")) expect(";", name);
    if (std::find(parts.begin(), parts.end(), "L2::cache_hint") != parts.end()) {
      if (operands.empty() || operands.back().form != Written::Form::plain)
        throw_untranslatable("the PTX instruction " + name + " lacks its cache policy");
      operands.pop_back();
    }

    bool has_so_many = false;
    for (const PtxInstruction& row : kPtxInstructions) {
      const auto tags = match_tags(row, parts);
      if (!tags) continue;
      has_so_many |= operands_of(row) == operands.size();
      const auto call = match_operands(row, parts, operands);
      if (!call) continue;
      if (row.operands.front() == 'c') note_carry(parts[0], !guard.empty());
      accesses_memory_ |= parts[0] == "ld" || parts[0] == "st";
      const bool has_lists = call->lists != 0;
      code_ += guard + (has_lists ? "{ " + call->before : "") + "::emu::ptx::";
      code_ += row.function;
      if (!tags->empty()) code_ += "<" + *tags + ">";
      code_ += "(";
      for (std::size_t i = 0; i < call->arguments.size(); ++i)
        code_ += (i ? ", " : "") + call->arguments[i];
      code_ += "); " + call->after + (has_lists ? "} " : "");
      return;
    }
    if (has_so_many)
      throw_untranslatable("the emulator does not support such operands of the PTX instruction " +
                           name);
    throw_untranslatable("the PTX instruction " + name + " does not take " +
                         std::to_string(operands.size()) +
                         (operands.size() == 1 ? " operand" : " operands"));
  }

  std::string target() {
    const std::string name = word("a label");
    const auto label = labels_.find(name);
    if (label == labels_.end()) throw_untranslatable("asm has no label " + name);
    if (!at("}") && next_ < words_.size()) expect(";", "bra");
    return label->second;
  }

  // Notes a use of the carry flag, which outlives the statement: the next one may continue the
  // addition.
  void note_carry(std::string_view opcode, bool is_guarded) {
    if (!uses_carry_ && (opcode.back() == 'c' || is_guarded || !labels_.empty()))
      takes_carry_ = true;
    uses_carry_ = true;
  }

  Written written(const std::string& name) {
    Written result;
    if (take("{")) {
      result.form = Written::Form::vector;
      do result.values.push_back(operand());
      while (take(","));
      expect("}", name);
    } else if (take("[")) {
      result.form = Written::Form::address;
      std::string base = operand();
      if (take(",")) {
        result.form = Written::Form::tensor;
        result.values.push_back(address(base, "0"));
        expect("{", name);
        do result.values.push_back(operand());
        while (take(","));
        expect("}", name);
      } else {
        const bool minus = at("-");
        const bool has_offset = minus || take("+");
        result.values.push_back(address(base, has_offset ? operand() : "0"));
      }
      expect("]", name);
    } else if (take("!")) {
      result.values.push_back("!" + as_predicate(operand()));
    } else {
      result.values.push_back(operand());
      if (take("|")) result.predicate = operand();
    }
    return result;
  }

  std::string address(const std::string& base, const std::string& offset) const {
    return std::string("::emu::ptx::at<") + (statement_.is_volatile ? "true" : "false") + ">(" +
           base + ", " + offset + ")";
  }

  static std::optional<std::uint64_t> integer(std::string text) {
    while (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.pop_back();
    if (text.empty()) return std::nullopt;
    int base = 10;
    std::size_t from = 0;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
      base = 16;
      from = 2;
    } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
      base = 2;
      from = 2;
    } else if (text.size() > 1 && text[0] == '0') {
      base = 8;
    }
    try {
      std::size_t used = 0;
      const std::uint64_t value = std::stoull(text.substr(from), &used, base);
      if (used == text.size() - from) return value;
    } catch (const std::exception&) {
    }
    return std::nullopt;
  }

  std::string operand() {
    bool negative = false;
    while (take("-")) negative = !negative;
    const std::string name = word("an operand");
    if (name == "_" && !negative) return kNowhere;
    if (name[0] == '#') return asm_operand(name, negative);
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const auto found = scopes_[i].find(name);
      if (found == scopes_[i].end()) continue;
      if (negative) throw_untranslatable("- stands before the PTX register " + name);
      return found->second;
    }
    if (std::isdigit(static_cast<unsigned char>(name[0]))) return number(name, negative);
    if (const std::string special = ptx_special_register(name); !special.empty()) return special;
    if (name[0] == '%')
      throw_untranslatable("the emulator does not support the PTX register " + name);
    throw_untranslatable("inline PTX has no register or number " + name);
  }

  std::string asm_operand(const std::string& name, bool negative) {
    const auto index = integer(name.size() > 2 && name[1] == '0' ? "x" : name.substr(1));
    if (!index || *index >= statement_.operands.size())
      throw_untranslatable("asm has no operand %" + name.substr(1));
    if (negative && statement_.operands[*index].constraint != 'n')
      throw_untranslatable("- stands before the operand %" + name.substr(1));
    return (negative ? "-emu_ptx_" : "emu_ptx_") + name.substr(1);
  }

  static std::string number(const std::string& name, bool negative) {
    const std::string minus = negative ? "-" : "";
    if (name.size() > 2 && name[0] == '0' &&
        std::string_view("fFdD").find(name[1]) != std::string_view::npos) {
      const bool is_float = name[1] == 'f' || name[1] == 'F';
      const auto bits = integer("0x" + name.substr(2));
      if (!bits || negative || name.size() != (is_float ? 10u : 18u))
        throw_untranslatable("inline PTX has no number " + minus + name);
      return std::string(is_float ? "std::uint32_t{" : "std::uint64_t{") + std::to_string(*bits) +
             (is_float ? "u}" : "ull}");
    }
    if (const auto value = integer(name))
      return "static_cast<long long>(" + minus + std::to_string(*value) + "ull)";
    std::size_t used = 0;
    try {
      std::stod(name, &used);
    } catch (const std::exception&) {
    }
    if (used != name.size()) throw_untranslatable("inline PTX has no number " + minus + name);
    return minus + "double(" + name + ")";
  }

  Words words_;
  const Statement& statement_;
  std::size_t next_ = 0;
  std::vector<std::map<std::string, std::string>> scopes_;
  std::map<std::string, std::string> labels_;
  int declared_ = 0;
  bool accesses_memory_ = false, uses_carry_ = false, takes_carry_ = false;
  std::string registers_, code_;
};

// Returns whether a `return` at `token` would end a kernel's thread.
bool is_in_kernel(const Context& c, std::size_t token) {
  const Source& s = c.s;
  const auto belongs_to_statement = [&](std::size_t brace) {
    if (s.is(brace - 1, ")")) {
      const std::size_t before = s.partner(brace - 1) - 1;
      return s.is(before, "if") || s.is(before, "for") || s.is(before, "while") ||
             s.is(before, "switch") || s.is(before, "constexpr");
    }
    for (const std::string_view mark : {"{", "}", ";", ":", "else", "do"})
      if (s.is(brace - 1, mark)) return true;
    return false;
  };
  for (const std::size_t body : c.kernel_bodies) {
    const std::size_t close = s.closing(body);
    if (token < body || close == kNoToken || token > close) continue;
    for (std::size_t i = body + 1; i < token; ++i)
      if (s.is(i, "{") && s.closing(i) > token && !belongs_to_statement(i)) return false;
    return true;
  }
  return false;
}

// Rewrites the statement as C++, in place: operands keep their positions.
void translate(Context& c, std::size_t token, std::size_t open) {
  const Source& s = c.s;
  const std::size_t close = s.closing(open);
  if (!s.is(open, "(") || close == kNoToken || s.tokens()[open + 1].kind != TokenKind::literal)
    return c.unsupported(token, emu::Sign::of_case, "asm");

  std::string text;
  std::size_t i = open + 1;
  for (; i < close && s.tokens()[i].kind == TokenKind::literal; ++i)
    text += value_of(s.spelling(i));
  c.edits.replace(token, "__extension__({");
  c.edits.erase(token + 1, i - 1);

  Statement statement;
  std::vector<Operand>& operands = statement.operands;
  std::string stores;
  const bool has_operands = i < close;
  int section = 0;  // 1: outputs, 2: inputs, 3: clobbers
  while (i < close) {
    if (s.is(i, ":") || s.is(i, "::") || s.is(i, ",")) {
      section += s.is(i, "::") ? 2 : s.is(i, ":") ? 1 : 0;
      c.edits.erase(i++);
    } else if (section == 3 && s.tokens()[i].kind == TokenKind::literal) {
      statement.clobbers_memory |= s.is(i, "\"memory\"");
      c.edits.erase(i++);
    } else if (section == 1 || section == 2) {
      if (s.is(i, "[")) throw_untranslatable("the emulator does not support named operands of asm");
      if (s.tokens()[i].kind != TokenKind::literal || s.closing(i + 1) == kNoToken)
        throw_untranslatable("the emulator cannot read an operand of asm");
      std::string constraint = value_of(s.spelling(i));
      // Early clobber, which always holds here.
      if (constraint.size() == 3 && constraint[1] == '&') constraint.erase(1, 1);
      const char letter = constraint.empty() ? '?' : constraint.back();
      const bool both = constraint.size() == 2 && constraint[0] == '+';
      const bool output = both || (constraint.size() == 2 && constraint[0] == '=');
      const std::string_view letters = output ? "rlhfd" : "rlhfdn";
      if (letters.find(letter) == letters.npos || output != (section == 1) ||
          (!output && constraint.size() != 1))
        throw_untranslatable("the emulator does not support the constraint \"" + constraint +
                             "\" of asm");
      const std::string n = std::to_string(operands.size());
      const std::string kind = std::string("<'") + letter + "'>";
      const std::size_t end = s.closing(i + 1);
      if (output) {
        c.edits.replace(i, "auto& emu_ptx_to_" + n + " =");
        c.edits.insert_after(
            end, "; auto emu_ptx_" + n + " = ::emu::ptx::" +
                     (both ? "input" + kind + "(emu_ptx_to_" + n + ")" : "output" + kind + "()") +
                     ";");
        stores += "::emu::ptx::store(emu_ptx_to_" + n + ", emu_ptx_" + n + "); ";
      } else {
        c.edits.replace(i,
                        "[[maybe_unused]] const auto emu_ptx_" + n + " = ::emu::ptx::input" + kind);
        c.edits.insert_after(end, ";");
      }
      operands.push_back({letter, output});
      i = end + 1;
    } else {
      throw_untranslatable("the emulator cannot read an operand of asm");
    }
  }
  statement.in_kernel = is_in_kernel(c, token);
  statement.is_volatile = stores.empty();
  for (std::size_t word = token + 1; word < open; ++word)
    statement.is_volatile |= s.is(word, "volatile") || s.is(word, "__volatile__");
  std::string code = Translation(words_of(text, has_operands), statement).run();
  // The instructions run in the first line of the statement.
  if (s.tokens()[token].line != s.tokens()[close].line)
    code = line_marker(s, token) + code + line_marker(s, close);
  c.edits.replace(close, " " + code + stores + "})");
}

// Keeps statements like `asm volatile("" : "+f"(x))`, which preserve a value. Each constraint
// letter is replaced by one for a host register of sufficient size: PTX letters mean other
// registers there, such as those of the x87.
void keep_values(Context& c, std::size_t open) {
  const Source& s = c.s;
  const std::size_t close = s.closing(open);
  if (close == kNoToken) return;
  for (std::size_t i = open + 2; i < close; ++i) {
    if (s.tokens()[i].kind != TokenKind::literal || !s.is(i + 1, "(")) continue;
    std::string constraint(s.spelling(i));  // with its quotes
    if (constraint.size() < 3 || constraint.front() != '"') continue;
    constraint = constraint.substr(1, constraint.size() - 2);
    const bool is_integer = std::string_view("hl").find(constraint.back()) != std::string::npos;
    const bool is_floating = std::string_view("fd").find(constraint.back()) != std::string::npos;
    if (is_integer || is_floating) {
      constraint.back() = is_floating ? 'x' : 'r';
      c.edits.replace(i, '"' + constraint + '"');
    }
    i = s.closing(i + 1);
  }
}

}  // namespace

void rewrite_asm(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (!c.scope().device || c.in_system_header(token)) return;
  std::size_t open = token + 1;
  while (s.is_identifier(open)) ++open;  // volatile, inline, goto
  const bool no_instruction = s.is(open, "(") && s.is(open + 1, "\"\"") &&
                              (s.is(open + 2, ":") || s.is(open + 2, "::") || s.is(open + 2, ")"));
  if (no_instruction) return keep_values(c, open);
  if (token > 0 && token != c.declaration_begin && is_name(s, token - 1) &&
      !s.is(token - 1, "else") && !s.is(token - 1, "do"))
    return c.unsupported(token, emu::Sign::of_case, "asm");  // a register for a variable
  try {
    translate(c, token, open);
  } catch (const Untranslatable& failure) {
    const std::size_t close = s.closing(open);
    if (!c.in_library(token) || close == kNoToken) return c.error(token, failure.message);
    // Most of a library is not used. The error is reported when the statement runs.
    constexpr std::string_view kStart = "the emulator does not support ";
    const bool starts_so = failure.message.starts_with(kStart);
    const std::string what = failure.message.substr(starts_so ? kStart.size() : 0);
    c.edits.drop(token, close);
    c.edits.erase(token, close);
    c.edits.replace(token, "::emu::unsupported(R\"emulator(" + what + ")emulator\")");
  }
}

}  // namespace emulator_nvcc
