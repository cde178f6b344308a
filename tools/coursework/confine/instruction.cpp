#include "instruction.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <unordered_map>

namespace coursework::confine {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void unknown(std::string_view text) { throw UnknownAssembly(std::string(text)); }

/// Reads a decimal or 0x... number; returns false if the text is not one.
bool read_number(std::string_view text, long& value) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  unsigned long long number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  value = static_cast<long>(number);
  return error == std::errc() && end == text.data() + text.size();
}

struct Registers {
  // Register -> whole register and bytes.
  std::unordered_map<std::string, std::pair<std::string, unsigned>> known;
  Registers() {
    for (const char* const letter : {"a", "b", "c", "d"}) {
      const std::string name(letter), whole = "r" + name + "x";
      known[whole] = {whole, 8};
      known["e" + name + "x"] = {whole, 4};
      known[name + "x"] = {whole, 2};
      known[name + "l"] = known[name + "h"] = {whole, 1};
    }
    for (const char* const letters : {"si", "di", "bp", "sp"}) {
      const std::string name(letters), whole = "r" + name;
      known[whole] = {whole, 8};
      known["e" + name] = {whole, 4};
      known[name] = {whole, 2};
      known[name + "l"] = {whole, 1};
    }
    for (int number = 8; number < 16; ++number) {
      const std::string whole = "r" + std::to_string(number);
      known[whole] = {whole, 8};
      known[whole + "d"] = {whole, 4};
      known[whole + "w"] = {whole, 2};
      known[whole + "b"] = {whole, 1};
    }
    for (int number = 0; number < 16; ++number) known["xmm" + std::to_string(number)] = {"", 16};
  }
};

const Registers& registers() {
  static const Registers all;
  return all;
}

std::string read_register(std::string_view text) {
  if (!text.starts_with('%')) unknown(text);
  std::string name(text.substr(1));
  if (!registers().known.count(name)) unknown(text);
  return name;
}

std::string address_register(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text == "%rip") return "rip";
  std::string name = read_register(text);
  if (registers().known.at(name).second != 8) unknown(text);
  return name;
}

MemoryOperand read_memory(std::string_view text) {
  MemoryOperand memory;
  if (text.starts_with("%fs:")) {
    memory.thread = true;
    text.remove_prefix(4);
  }
  const std::size_t open = text.find('(');
  if (const std::string_view before = text.substr(0, open); !before.empty())
    memory.displacement = parse_expression(before);
  if (open == text.npos) return memory;
  if (!text.ends_with(')')) unknown(text);
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  std::array<std::string_view, 3> parts;
  std::size_t count = 0;
  for (;;) {
    const std::size_t comma = inside.find(',');
    if (count == parts.size()) unknown(text);
    parts[count++] = trimmed(inside.substr(0, comma));
    if (comma == inside.npos) break;
    inside.remove_prefix(comma + 1);
  }
  memory.base = address_register(parts[0]);
  memory.index = address_register(parts[1]);
  if (memory.index == "rip" || memory.index == "rsp" || (memory.base == "rip" && count > 1))
    unknown(text);
  if (!parts[2].empty()) {
    if (parts[2] != "1" && parts[2] != "2" && parts[2] != "4" && parts[2] != "8") unknown(text);
    memory.scale = static_cast<unsigned>(parts[2].front() - '0');
  }
  return memory;
}

Operand read_operand(std::string_view text, bool is_target) {
  Operand operand{Operand::Kind::target, std::string(text), {}, {}, {}};
  if (text.empty() || text.starts_with('*')) unknown(text);
  if (text.starts_with('$')) {
    operand.kind = Operand::Kind::immediate;
    operand.value = parse_expression(text.substr(1));
  } else if (text.starts_with('%') && !text.starts_with("%fs:")) {
    operand.kind = Operand::Kind::reg;
    operand.reg = read_register(text);
  } else if (is_target) {
    operand.value = parse_expression(text);
    if (operand.value.symbol.empty() || operand.value.offset != 0) unknown(text);
  } else {
    operand.kind = Operand::Kind::memory;
    operand.memory = read_memory(text);
  }
  return operand;
}

// -------------------------------------------------------------------------------- instructions

constexpr std::string_view kConditions =
    "o no b nb c nc ae nae e ne z nz be nbe a na s ns p np pe po l nl ge nge le nle g ng";

/// What an instruction does with its operands.
struct Shape {
  Flow flow = Flow::next;
  bool loads = false;       // reads a memory operand that is not the last
  bool loads_last = false;  // reads the last operand
  bool stores_last = false;
  unsigned bytes = 0;             // 0: the size of the register operand
  unsigned fewest = 0, most = 0;  // number of operands
  bool in_memory = true;          // may have a memory operand
};

class Table {
 public:
  Table() {
    constexpr Shape kChange{.loads = true, .loads_last = true, .stores_last = true};
    integers("add sub adc sbb and or xor", with(kChange, 2, 2), "bwlq");
    integers("inc dec neg not", with(kChange, 1, 1), "bwlq");
    integers("shl sal shr sar rol ror", with(kChange, 1, 2), "bwlq");
    integers("shld shrd", with(kChange, 2, 3), "wlq");
    integers("cmp test", with({.loads = true, .loads_last = true}, 2, 2), "bwlq");
    integers("mov", with({.loads = true, .stores_last = true}, 2, 2), "bwlq");
    integers("imul", with({.loads = true, .loads_last = true}, 1, 3), "wlq");
    integers("mul div idiv", with({.loads_last = true}, 1, 1), "bwlq");
    integers("bsf bsr", with({.loads = true}, 2, 2), "wlq");
    integers("push", with({.loads_last = true}, 1, 1), "q");
    add("leal leaq leaw", with({}, 2, 2));
    for (const char* const name : {"bswap", "xchg", "bt", "bts", "btr", "btc"})
      integers(name, {.fewest = 1, .most = 2, .in_memory = false}, "bwlq");
    add("pop popq bswap", {.fewest = 1, .most = 1, .in_memory = false});
    add("movabsq", {.fewest = 2, .most = 2, .in_memory = false});
    add("cltq cqto cltd cwtl cbtw cwtd nop", {});
    add("ud2", {.flow = Flow::stop});
    add("ret", {.flow = Flow::back});
    add("jmp", {.flow = Flow::jump, .fewest = 1, .most = 1, .in_memory = false});
    add("call", {.flow = Flow::call, .fewest = 1, .most = 1, .in_memory = false});
    extensions();
    conditions();
    vectors();
    add("rep_bsfl", with({.loads = true, .bytes = 4}, 2, 2));  // tzcnt on newer processors
    add("rep_bsfq", with({.loads = true, .bytes = 8}, 2, 2));
  }

  const Shape* find(const std::string& mnemonic) const {
    const auto found = shapes_.find(mnemonic);
    return found == shapes_.end() ? nullptr : &found->second;
  }

 private:
  static Shape with(Shape shape, unsigned fewest, unsigned most) {
    shape.fewest = fewest;
    shape.most = most;
    return shape;
  }
  void add(std::string_view names, const Shape& shape) {
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name;) {
      std::replace(name.begin(), name.end(), '_', ' ');
      shapes_[name] = shape;
    }
  }
  static unsigned size_of(char suffix) {
    return suffix == 'b' ? 1 : suffix == 'w' ? 2 : suffix == 'l' ? 4 : 8;
  }
  void integers(std::string_view names, Shape shape, std::string_view suffixes) {
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name;)
      for (const char suffix : suffixes) {
        shape.bytes = size_of(suffix);
        shapes_[name + suffix] = shape;
      }
  }
  void extensions() {
    for (const char* const name : {"movzbl", "movzbw", "movzbq", "movzwl", "movzwq", "movsbl",
                                   "movsbw", "movsbq", "movswl", "movswq", "movslq"})
      add(name, with({.loads = true, .bytes = size_of(name[4])}, 2, 2));
  }
  void conditions() {
    std::istringstream words{std::string(kConditions)};
    for (std::string condition; words >> condition;) {
      add("j" + condition, {.flow = Flow::branch, .fewest = 1, .most = 1, .in_memory = false});
      add("set" + condition, with({.stores_last = true, .bytes = 1}, 1, 1));
      add("cmov" + condition, with({.loads = true}, 2, 2));
    }
  }
  // Vector instructions; each loads so many bytes if its operand is in memory.
  void vectors() {
    const auto load = [&](unsigned bytes, std::string_view names) {
      add(names, with({.loads = true, .bytes = bytes}, 2, 3));
    };
    const auto move = [&](unsigned bytes, std::string_view names) {
      add(names, with({.loads = true, .stores_last = true, .bytes = bytes}, 2, 2));
    };
    const auto compare = [&](unsigned bytes, std::string_view names) {
      add(names, with({.loads = true, .loads_last = false, .bytes = bytes}, 2, 2));
    };
    move(4, "movss movd");
    move(8, "movsd movhps movlps movhpd movlpd");
    move(16, "movaps movapd movups movupd movdqa movdqu");
    compare(4, "ucomiss comiss");
    compare(8, "ucomisd comisd");
    load(4,
         "addss subss mulss divss minss maxss sqrtss rsqrtss rcpss cvtss2sd cvttss2sil cvttss2siq "
         "cvtss2sil cvtss2siq cvttss2si cvtss2si cvtsi2ssl cvtsi2sdl cmpss cmpeqss cmpltss cmpless "
         "cmpunordss cmpneqss cmpnltss cmpnless cmpordss");
    load(8,
         "addsd subsd mulsd divsd minsd maxsd sqrtsd cvtsd2ss cvttsd2sil cvttsd2siq cvtsd2sil "
         "cvtsd2siq cvttsd2si cvtsd2si cvtsi2ssq cvtsi2sdq cvtps2pd cvtdq2pd cmpsd cmpeqsd cmpltsd "
         "cmplesd cmpunordsd cmpneqsd cmpnltsd cmpnlesd cmpordsd");
    load(16,
         "andps andpd andnps andnpd orps orpd xorps xorpd pxor por pand pandn addps addpd subps "
         "subpd mulps mulpd divps divpd minps minpd maxps maxpd sqrtps sqrtpd rcpps rsqrtps "
         "paddb paddw paddd paddq psubb psubw psubd psubq paddsb paddsw paddusb paddusw psubsb "
         "psubsw psubusb psubusw pmullw pmulhw pmulhuw pmuludq pmaddwd pavgb pavgw pminub pminsw "
         "pmaxub pmaxsw psadbw pcmpeqb pcmpeqw pcmpeqd pcmpgtb pcmpgtw pcmpgtd punpcklbw punpcklwd "
         "punpckldq punpcklqdq punpckhbw punpckhwd punpckhdq punpckhqdq unpcklps unpcklpd unpckhps "
         "unpckhpd packsswb packssdw packuswb shufps shufpd pshufd pshuflw pshufhw psllw pslld "
         "psllq psrlw psrld psrlq psraw psrad cvtdq2ps cvttps2dq cvtps2dq cvtpd2ps cvttpd2dq "
         "cvtpd2dq cmpps cmppd cmpeqps cmpltps cmpleps cmpunordps cmpneqps cmpnltps cmpnleps "
         "cmpordps cmpeqpd cmpltpd cmplepd cmpunordpd cmpneqpd cmpnltpd cmpnlepd cmpordpd");
    load(2, "pinsrw");
    add("pslldq psrldq movhlps movlhps movmskps movmskpd pmovmskb pextrw",
        {.fewest = 2, .most = 3, .in_memory = false});
  }

  std::unordered_map<std::string, Shape> shapes_;
};

const Shape& shape_of(const Instruction& instruction) {
  static const Table table;
  const Shape* const shape = table.find(instruction.mnemonic);
  const std::size_t operands = instruction.operands.size();
  if (!shape || operands < shape->fewest || operands > shape->most) unknown(instruction.text);
  return *shape;
}

}  // namespace

bool is_symbol(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
  });
}

Expression parse_expression(std::string_view text) {
  Expression result;
  text = trimmed(text);
  if (text.empty()) unknown(text);
  bool negative = false;
  if (text.front() == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  for (;;) {
    const std::size_t end = std::min(text.find_first_of("+-"), text.size());
    const std::string_view term = text.substr(0, end);
    long number = 0;
    if (read_number(term, number)) {
      result.offset += negative ? -number : number;
    } else {
      const std::size_t at = term.find('@');
      const std::string_view name = term.substr(0, at);
      if (!is_symbol(name) || !result.symbol.empty() || negative) unknown(text);
      result.symbol = name;
      if (at != term.npos) result.suffix = term.substr(at + 1);
      if (at != term.npos && result.suffix != "tpoff" && result.suffix != "PLT") unknown(text);
    }
    if (end == text.size()) return result;
    negative = text[end] == '-';
    text.remove_prefix(end + 1);
  }
}

const Operand* Instruction::memory() const {
  const auto found = std::find_if(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.kind == Operand::Kind::memory;
  });
  return found == operands.end() ? nullptr : &*found;
}

Instruction parse_instruction(std::string_view line) {
  Instruction result;
  line = trimmed(line);
  if (line.find_first_of(";#\"'\\") != line.npos) unknown(line);
  std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  result.mnemonic = line.substr(0, end);
  std::string_view rest = trimmed(line.substr(end));
  if (result.mnemonic == "rep") {
    end = std::min(rest.find_first_of(" \t"), rest.size());
    result.mnemonic += " " + std::string(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
  result.text = result.mnemonic;
  const bool is_target =
      result.mnemonic == "call" || (result.mnemonic.starts_with('j') && result.mnemonic != "rep");
  for (bool first = true; !rest.empty(); first = false) {
    std::size_t comma = 0;
    for (int depth = 0; comma < rest.size() && (depth > 0 || rest[comma] != ','); ++comma)
      depth += rest[comma] == '(' ? 1 : rest[comma] == ')' ? -1 : 0;
    const std::string_view text = trimmed(rest.substr(0, comma));
    result.operands.push_back(read_operand(text, is_target));
    result.text += (first ? " " : ", ") + std::string(text);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
    if (trimmed(rest).empty()) unknown(line);
  }
  return result;
}

std::string whole_register(std::string_view name) {
  const auto found = registers().known.find(std::string(name));
  return found == registers().known.end() ? std::string() : found->second.first;
}

Effect effect_of(const Instruction& instruction) {
  const std::string& name = instruction.mnemonic;
  const auto& operands = instruction.operands;
  const Shape& shape = shape_of(instruction);
  Effect effect;
  effect.flow = shape.flow;
  const auto in_memory = [](const Operand& o) { return o.kind == Operand::Kind::memory; };
  const auto count = std::count_if(operands.begin(), operands.end(), in_memory);
  if (count == 0) return effect;
  if (count > 1 || !shape.in_memory) unknown(instruction.text);
  const bool is_last = in_memory(operands.back());
  effect.loads = is_last ? shape.loads_last : shape.loads;
  effect.stores = is_last && shape.stores_last;
  const bool is_address = name.starts_with("lea");
  if (is_address && is_last) unknown(instruction.text);
  if (!effect.loads && !effect.stores && !is_address) unknown(instruction.text);
  effect.bytes = shape.bytes;
  if (shape.bytes == 0 && !is_address) {
    const auto beside = std::find_if(operands.begin(), operands.end(),
                                     [](const Operand& o) { return o.kind == Operand::Kind::reg; });
    if (beside == operands.end()) unknown(instruction.text);
    effect.bytes = registers().known.at(beside->reg).second;
  }
  return effect;
}

}  // namespace coursework::confine
