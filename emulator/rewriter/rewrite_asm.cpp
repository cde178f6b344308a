/// Inline PTX: an asm statement of device code becomes C++ that calls the functions of
/// emulator/device_ptx.h. The instructions are those of kPtxInstructions in ptx_instructions.hpp.
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>

#include "context.hpp"
#include "ptx_instructions.hpp"

namespace emulator_nvcc {
namespace {

// What the statement cannot be translated for.
struct Failure {
  std::string message;
};

[[noreturn]] void fail(std::string message) { throw Failure{std::move(message)}; }

// What a string literal stands for; the prefixes of wide strings are no part of PTX.
std::string value_of(std::string_view literal) {
  if (literal.starts_with("R\"")) {
    const std::size_t open = literal.find('('), close = literal.rfind(')');
    return std::string(literal.substr(open + 1, close - open - 1));
  }
  if (!literal.starts_with('"')) fail("the emulator reads plain string literals in asm only");
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
        fail("the emulator does not read the escape \\" + std::string(1, literal[i]) + " in asm");
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

// The words and marks of a text of PTX. Operands %0 become #0, and %% becomes %.
Words words_of(const std::string& text, bool has_operands) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = text.find("*/", i + 2);
      if (end == text.npos) fail("a comment in asm does not end");
      i = end + 1;
      plain += ' ';
    } else if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') {
      plain += '%';
      ++i;
    } else if (text[i] == '%' && has_operands) {
      if (i + 1 == text.size() || !std::isdigit(static_cast<unsigned char>(text[i + 1])))
        fail("after % in asm the emulator expects an operand's number or %");
      plain += '#';
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
      while (end < plain.size() && is_word_character(plain[end])) ++end;
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

// What ptx_instructions.hpp says of the instruction `name` for so many operands.
struct Match {
  const PtxInstruction* instruction;
  std::string tags;  // template arguments
};

std::optional<std::string> match_tags(const PtxInstruction& row, const Words& parts) {
  std::string tags;
  std::size_t next = 1;
  for (const std::string& group : split(row.modifiers, ' ')) {
    if (group.empty()) continue;
    const bool optional = group.back() == '?';
    const std::string_view names = std::string_view(group).substr(0, group.size() - optional);
    bool found = false;
    for (const std::string& name : split(names, '|'))
      found |= next < parts.size() && parts[next] == name;
    if (!found && !optional) return std::nullopt;
    if (!tags.empty()) tags += ", ";
    tags += "::emu::ptx::" + (found ? parts[next++] + "_" : std::string("none_"));
  }
  if (next != parts.size()) return std::nullopt;
  return tags;
}

Match match(const std::string& name, std::size_t operands) {
  const Words parts = split(name, '.');
  bool known = false;
  for (const PtxInstruction& row : kPtxInstructions) {
    if (parts[0] != row.opcode) continue;
    const auto tags = match_tags(row, parts);
    if (!tags) continue;
    known = true;
    if (row.operands == operands) return {&row, *tags};
  }
  if (known)
    fail("the PTX instruction " + name + " does not take " + std::to_string(operands) +
         (operands == 1 ? " operand" : " operands"));
  fail("the emulator does not support the PTX instruction " + name);
}

class Translation {
 public:
  Translation(Words words, const std::vector<Operand>& operands)
      : words_(std::move(words)), operands_(operands), scopes_(1) {}

  std::string run() {
    while (next_ < words_.size()) statement();
    if (scopes_.size() != 1) fail("a { in asm is never closed");
    return result_;
  }

 private:
  bool at(std::string_view word) const { return next_ < words_.size() && words_[next_] == word; }
  bool take(std::string_view word) {
    if (!at(word)) return false;
    ++next_;
    return true;
  }
  std::string word(const char* wanted) {
    if (next_ == words_.size()) fail("asm ends where " + std::string(wanted) + " should stand");
    return words_[next_++];
  }
  void expect(std::string_view mark, const std::string& after) {
    if (!take(mark))
      fail("after " + after + " in asm the emulator expects " + std::string(mark) +
           (next_ < words_.size() ? ", not " + words_[next_] : ""));
  }

  void statement() {
    if (take(";")) return;
    if (take("{")) {
      scopes_.emplace_back();
      result_ += "{ ";
    } else if (take("}")) {
      if (scopes_.size() == 1) fail("a } in asm closes nothing");
      scopes_.pop_back();
      result_ += "} ";
    } else if (take(".reg")) {
      registers();
    } else {
      instruction();
    }
  }

  // .reg .b32 a, b<4>;
  void registers() {
    const std::string type = word("a register's type");
    const std::string name = ptx_register_type(type);
    if (name.empty()) fail("the emulator does not support PTX registers of type " + type);
    do {
      const std::string first = word("a register's name");
      if (take("<")) {
        const std::string count_word = word("a number of registers");
        const auto count = integer(count_word);
        constexpr std::uint64_t kMost = 1024;
        if (!count || *count > kMost) fail("PTX registers cannot be counted by " + count_word);
        expect(">", count_word);
        for (std::uint64_t i = 0; i < *count; ++i) declare(name, first + std::to_string(i));
      } else {
        declare(name, first);
      }
    } while (take(","));
    expect(";", ".reg");
  }

  void declare(const std::string& type, const std::string& name) {
    const std::string variable = "emu_ptx_register_" + std::to_string(declared_++);
    if (!scopes_.back().emplace(name, variable).second)
      fail("the PTX register " + name + " is declared twice");
    result_ += "[[maybe_unused]] " + type + " " + variable + "{}; ";
  }

  void instruction() {
    std::string guard;
    if (take("@")) {
      const bool negated = take("!");
      guard = std::string("if (") + (negated ? "!" : "") + "::emu::ptx::get<::emu::ptx::pred_>(" +
              operand() + ")) ";
    }
    const std::string name = word("an instruction");
    if (!std::isalpha(static_cast<unsigned char>(name[0])))
      fail("the emulator does not support " + name + " in inline PTX");
    if (at(":")) fail("the emulator does not support labels in inline PTX (" + name + ")");
    // The name comes first: what is not known is not read.
    bool known = false;
    for (const PtxInstruction& row : kPtxInstructions)
      known |= split(name, '.')[0] == row.opcode && match_tags(row, split(name, '.')).has_value();
    if (!known) fail("the emulator does not support the PTX instruction " + name);

    std::vector<std::string> arguments;
    bool packs = false, unpacks = false;
    if (!at(";") && next_ < words_.size()) {
      do {
        if (take("{")) {
          (arguments.empty() ? unpacks : packs) = true;
          do arguments.push_back(operand());
          while (take(","));
          expect("}", name);
        } else if (take("!")) {
          arguments.push_back("!::emu::ptx::get<::emu::ptx::pred_>(" + operand() + ")");
        } else {
          arguments.push_back(operand());
          if (arguments.size() == 1 && take("|")) arguments.push_back(operand());
        }
      } while (take(","));
    }
    if (next_ < words_.size() && !at("}")) expect(";", name);
    if ((packs || unpacks) && !name.starts_with("mov."))
      fail("the emulator does not support { } as an operand of the PTX instruction " + name);

    const Match found = match(name, arguments.size());
    std::string function(found.instruction->function);
    if (packs) function += "_pack";
    if (unpacks) function += "_unpack";
    if (arguments.size() == 3 && name.starts_with("mov.") && packs == unpacks)
      fail("the PTX instruction " + name + " does not take 3 operands");
    result_ += guard + "::emu::ptx::" + function;
    if (!found.tags.empty()) result_ += "<" + found.tags + ">";
    result_ += "(";
    for (std::size_t i = 0; i < arguments.size(); ++i) result_ += (i ? ", " : "") + arguments[i];
    result_ += "); ";
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
    if (name[0] == '#') return asm_operand(name, negative);
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      const auto found = scopes_[i].find(name);
      if (found == scopes_[i].end()) continue;
      if (negative) fail("- stands before the PTX register " + name);
      return found->second;
    }
    if (std::isdigit(static_cast<unsigned char>(name[0]))) return number(name, negative);
    if (const std::string special = ptx_special_register(name); !special.empty()) return special;
    if (name[0] == '%') fail("the emulator does not support the PTX register " + name);
    fail("inline PTX has no register or number " + name);
  }

  std::string asm_operand(const std::string& name, bool negative) {
    const auto index = integer(name.size() > 2 && name[1] == '0' ? "x" : name.substr(1));
    if (!index || *index >= operands_.size()) fail("asm has no operand %" + name.substr(1));
    if (negative && operands_[*index].constraint != 'n')
      fail("- stands before the operand %" + name.substr(1));
    return (negative ? "-emu_ptx_" : "emu_ptx_") + name.substr(1);
  }

  static std::string number(const std::string& name, bool negative) {
    const std::string minus = negative ? "-" : "";
    if (name.size() > 2 && name[0] == '0' &&
        std::string_view("fFdD").find(name[1]) != std::string_view::npos) {
      const bool is_float = name[1] == 'f' || name[1] == 'F';
      const auto bits = integer("0x" + name.substr(2));
      if (!bits || negative || name.size() != (is_float ? 10u : 18u))
        fail("inline PTX has no number " + minus + name);
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
    if (used != name.size()) fail("inline PTX has no number " + minus + name);
    return minus + "double(" + name + ")";
  }

  Words words_;
  const std::vector<Operand>& operands_;
  std::size_t next_ = 0;
  std::vector<std::map<std::string, std::string>> scopes_;
  int declared_ = 0;
  std::string result_;
};

// Turns the statement into C++, in place: operands stay where they stand.
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

  std::vector<Operand> operands;
  std::string stores;
  const bool has_operands = i < close;
  int section = 0;  // outputs 1, inputs 2, clobbers 3
  while (i < close) {
    if (s.is(i, ":") || s.is(i, "::") || s.is(i, ",")) {
      section += s.is(i, "::") ? 2 : s.is(i, ":") ? 1 : 0;
      c.edits.erase(i++);
    } else if (section == 3 && s.tokens()[i].kind == TokenKind::literal) {
      c.edits.erase(i++);
    } else if (section == 1 || section == 2) {
      if (s.is(i, "[")) fail("the emulator does not support named operands of asm");
      if (s.tokens()[i].kind != TokenKind::literal || s.closing(i + 1) == kNoToken)
        fail("the emulator cannot read an operand of asm");
      const std::string constraint = value_of(s.spelling(i));
      const char letter = constraint.empty() ? '?' : constraint.back();
      const bool both = constraint.size() == 2 && constraint[0] == '+';
      const bool output = both || (constraint.size() == 2 && constraint[0] == '=');
      const std::string_view letters = output ? "rlhfd" : "rlhfdn";
      if (letters.find(letter) == letters.npos || output != (section == 1) ||
          (!output && constraint.size() != 1))
        fail("the emulator does not support the constraint \"" + constraint + "\" of asm");
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
      fail("the emulator cannot read an operand of asm");
    }
  }
  c.edits.replace(close,
                  " " + Translation(words_of(text, has_operands), operands).run() + stores + "})");
}

}  // namespace

void rewrite_asm(Context& c, std::size_t token) {
  const Source& s = c.s;
  if (!c.scope().device || s.tokens()[token].system_header) return;
  std::size_t open = token + 1;
  while (s.is_identifier(open)) ++open;  // volatile, inline, goto
  const bool no_instruction = s.is(open, "(") && s.is(open + 1, "\"\"") &&
                              (s.is(open + 2, ":") || s.is(open + 2, "::") || s.is(open + 2, ")"));
  if (no_instruction) return;
  if (token > 0 && token != c.declaration_begin && is_name(s, token - 1) &&
      !s.is(token - 1, "else") && !s.is(token - 1, "do"))
    return c.unsupported(token, emu::Sign::of_case, "asm");  // a register for a variable
  try {
    translate(c, token, open);
  } catch (const Failure& failure) {
    c.error(token, failure.message);
  }
}

}  // namespace emulator_nvcc
