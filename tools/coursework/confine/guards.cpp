#include "guards.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "externals.hpp"
#include "known_addresses.hpp"
#include "stack_depth.hpp"

namespace coursework::confine {
namespace {

constexpr unsigned kBuiltInBytes = 12;  // threadIdx and similar variables
const std::set<std::string> kBuiltIns = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
constexpr const char* kDynamicShared = "emu_dynamic_shared_memory";

std::string text_of(const Expression& value, long more = 0) {
  std::string text = value.symbol;
  if (!value.suffix.empty()) text += "@" + value.suffix;
  const long offset = value.offset + more;
  if (text.empty()) return std::to_string(offset);
  if (offset != 0) text += (offset > 0 ? "+" : "") + std::to_string(offset);
  return text;
}

/// Returns `displacement(base,index,scale)` without the segment, adjusted for pushed bytes.
std::string address_text(const MemoryOperand& memory, long pushed_bytes) {
  const long more = memory.base == "rsp" ? pushed_bytes : 0;
  std::string text = text_of(memory.displacement, more);
  if (memory.base.empty() && memory.index.empty()) return text;
  text += "(" + (memory.base.empty() ? "" : "%" + memory.base);
  if (!memory.index.empty()) text += ",%" + memory.index + "," + std::to_string(memory.scale);
  return text + ")";
}

/// Returns whether a symbol is an ordinary mangled function such as `_Z5scaleiPf`, which callers
/// know by name and parameters.
bool is_seen_from_elsewhere(const std::string& symbol) {
  return symbol.size() > 2 && symbol.starts_with("_Z") &&
         std::isdigit(static_cast<unsigned char>(symbol[2])) &&
         demangled(symbol).find('<') == std::string::npos;
}

class Writer {
 public:
  Writer(const Assembly& assembly, const StackWords& kernels)
      : assembly_(assembly), stack_words_(kernels), endless_(endless_functions(assembly)) {
    for (const Function& function : assembly.functions) own_.insert(function.name);
    for (const auto& [name, target] : assembly.aliases)
      if (!own_.count(target)) refuse_name(name);
  }

  GuardedAssembly write() {
    if (assembly_.kernels.size() != stack_words_.size())
      throw Refused({0, "kernel-missing", "not every kernel of the exercise is there"});
    for (const auto& [number, symbol] : assembly_.kernels) {
      if (!own_.count(own_name(symbol)))
        throw Refused({0, "kernel-missing", "the kernel " + demangled(symbol) + " has no body"});
      if (!is_seen_from_elsewhere(symbol))
        throw Refused({0, "kernel-missing",
                       "the kernel " + demangled(symbol) +
                           " has to be a function that others can call: neither static, nor extern "
                           "\"C\", nor a template"});
      bodies_[own_name(symbol)] = "confined_body_" + std::to_string(number);
      words_of_[own_name(symbol)] = stack_words_.at(static_cast<unsigned>(number));
      result_.kernels.push_back(symbol);
    }
    for (const std::string& file : assembly_.files) line(file);
    write_data();
    line("\t.text");
    for (const std::string& label : assembly_.leading) line(label + ":");
    for (const Function& function : assembly_.functions) write_function(function);
    for (const auto& [number, symbol] : assembly_.kernels)
      write_door(symbol, bodies_.at(own_name(symbol)),
                 stack_words_.at(static_cast<unsigned>(number)));
    for (const std::string& debug : assembly_.debug) write_debug(debug);
    line("\t.section .note.GNU-stack,\"\",@progbits");
    return std::move(result_);
  }

 private:
  void line(const std::string& text) {
    result_.text += text;
    result_.text += '\n';
  }
  void code(const std::string& text) { line("\t" + text); }

  [[noreturn]] void refuse(const std::string& rule, const std::string& message) const {
    throw Refused({line_, rule, message});
  }
  [[noreturn]] void refuse_name(const std::string& name) const {
    const std::string shown_name = name_for_student(name);
    refuse("assembly", "the name " + (shown_name.empty() ? "of a function" : shown_name) +
                           " stands for something outside of the submission");
  }

  std::string own_name(const std::string& symbol) const {
    const auto alias = assembly_.aliases.find(symbol);
    return alias == assembly_.aliases.end() ? symbol : alias->second;
  }
  /// Returns a function's name in the object.
  std::string emitted(const std::string& symbol) const {
    const auto body = bodies_.find(own_name(symbol));
    return body == bodies_.end() ? own_name(symbol) : body->second;
  }
  bool is_own(const std::string& symbol) const {
    return own_.count(own_name(symbol)) != 0 || assembly_.known.count(symbol) != 0 ||
           symbol.starts_with(".L");
  }

  // ------------------------------------------------------------------------------------- data

  void write_data() {
    line("\t.section .data.rel.ro.confined,\"aw\",@progbits");
    line("\t.p2align 4\n.Lconfined_constants:");
    for (const auto& [symbol, line_of_use] : assembly_.pointed_to) {
      line_ = line_of_use;
      if (!is_own(symbol)) refuse_foreign(symbol);
    }
    for (const auto& statement : assembly_.constants) write_datum(statement);
    for (const auto& [name, target] : assembly_.constant_aliases)
      line("\t.set " + name + ", " + text_of(target));
    line(".Lconfined_constants_end:");
    line("\t.section .tbss,\"awT\",@nobits");
    line("\t.p2align 4\nconfined_shared:");
    for (const auto& statement : assembly_.shared) write_datum(statement);
    line("confined_shared_end:\n\t.zero 16");
    for (const auto& [section, statements] : assembly_.variables) {
      line("\t.section " + section + ",\"aw\",@progbits");
      for (const auto& statement : statements) write_datum(statement);
    }
  }

  // Functions that were left out have no address.
  void write_debug(const std::string& text) {
    for (const std::string_view directive : {"\t.quad\t", "\t.long\t"}) {
      if (!text.starts_with(directive) || text.compare(directive.size(), 2, ".L") == 0) continue;
      const std::size_t end = std::min(text.find_first_of("+-@,", directive.size()), text.size());
      if (assembly_.left_out.count(text.substr(directive.size(), end - directive.size())) == 0)
        continue;
      const std::size_t comma = std::min(text.find(','), text.size());
      return line(std::string(directive) + "0" + text.substr(comma));
    }
    line(text);
  }

  void write_datum(const Statement& statement) {
    if (statement.kind == Statement::Kind::label) {
      line(statement.text + ":");
    } else if (statement.kind == Statement::Kind::data && statement.text.starts_with("\t.quad")) {
      const Expression value = parse_expression(std::string_view(statement.text).substr(6));
      line("\t.quad " +
           text_of({value.symbol.empty() ? "" : emitted(value.symbol), "", value.offset}));
    } else {
      line(statement.text);
    }
  }

  [[noreturn]] void refuse_foreign(const std::string& symbol) const {
    if (symbol.starts_with("_ZTV") || symbol.starts_with("_ZTI") || symbol.starts_with("_ZTS"))
      refuse("virtual", "virtual functions and type information are not allowed");
    const std::string name = name_for_student(symbol);
    if (name.empty())
      refuse("call", "this line uses a part of CUDA that the grader cannot confine");
    if (name == "`new`" || name == "`delete`")
      refuse("language", name + " is not allowed in device code; malloc and free are");
    refuse("call", "device code uses " + name +
                       ", which is neither device code of the submission nor among the functions "
                       "of CUDA that it may call");
  }

  // -------------------------------------------------------------------------------- functions

  void write_function(const Function& function) {
    check_calls(function);
    const StackDepth depth = stack_depth(function, endless_);
    const std::string name = emitted(function.name);
    line_ = 0;
    code(".type " + name + ", @function");
    line(name + ":");
    // Most labels are there for the debug information only.
    std::set<std::string> targets;
    for (const Statement& statement : function.body)
      if (statement.effect.flow == Flow::jump || statement.effect.flow == Flow::branch)
        targets.insert(statement.instruction.operands.front().value.symbol);
    const auto body = bodies_.find(function.name);
    arguments_ = body == bodies_.end() ? 0 : 8 * long{words_of_.at(function.name)};
    known_.forget();
    // before anything that a jump could return to
    const auto first_place = std::find_if(
        function.body.begin(), function.body.end(),
        [](const Statement& statement) { return statement.kind == Statement::Kind::place; });
    if (first_place != function.body.end()) line(first_place->text);
    code("movl $" + std::to_string(depth.deepest) + ", %r11d");
    code("call confined_begin");
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      const Statement& statement = function.body[i];
      line_ = statement.line;
      if (statement.kind == Statement::Kind::label) {
        if (targets.count(statement.text)) known_.forget();
        line(statement.text + ":");
      } else if (statement.kind != Statement::Kind::instruction) {
        line(statement.text);
      } else {
        write_instruction(statement, depth.before[i]);
      }
    }
    code("ud2");
    code(".size " + name + ", .-" + name);
  }

  void check_calls(const Function& function) {
    for (const Statement& statement : function.body) {
      if (statement.kind != Statement::Kind::instruction) continue;
      if (statement.effect.flow != Flow::call) continue;
      line_ = statement.line;
      const std::string& target = statement.instruction.operands.front().value.symbol;
      if (!own_.count(own_name(target)) && !find_external(target)) refuse_foreign(target);
    }
  }

  void write_instruction(const Statement& statement, long depth) {
    const Instruction& instruction = statement.instruction;
    const Effect& effect = statement.effect;
    if (depth == kUnreached) return code("ud2");
    if (statement.from_header) {
      known_.follow(instruction, effect, depth, false);
      return code(instruction.text);
    }
    for (const Operand& operand : instruction.operands)
      if (operand.kind == Operand::Kind::immediate) check_address_of(operand.value);
    switch (effect.flow) {
      case Flow::back:
        return code("jmp confined_return");
      case Flow::call:
        return write_call(instruction, effect, depth);
      case Flow::jump:
      case Flow::branch:
      case Flow::stop:
        known_.follow(instruction, effect, depth, false);
        return code(instruction.text);
      case Flow::next:
        break;
    }
    bool settled = true;
    if (const Operand* const memory = instruction.memory()) {
      if (effect.loads || effect.stores)
        settled = guard_access(memory->memory, effect, depth);
      else if (!memory->memory.displacement.symbol.empty())
        check_address_of(memory->memory.displacement);
      if (memory->memory.thread && !effect.loads && !effect.stores)
        refuse("assembly", "an address relative to a segment");
    }
    // The kernel's name belongs to its entry; its body has another name.
    std::string text = instruction.text;
    if (const Operand* const memory = instruction.memory();
        memory && !memory->memory.displacement.symbol.empty()) {
      const std::string& symbol = memory->memory.displacement.symbol;
      if (bodies_.count(own_name(symbol)))
        refuse("function-pointer", "the address of a kernel is not allowed in device code");
    }
    code(text);
    known_.follow(instruction, effect, depth, !settled);
  }

  /// Checks that an address used as a number belongs to the submission.
  void check_address_of(const Expression& value) const {
    if (value.symbol.empty() || is_own(value.symbol)) return;
    if (value.suffix == "tpoff" &&
        (kBuiltIns.count(value.symbol) || value.symbol == kDynamicShared))
      return;
    refuse_foreign(value.symbol);
  }

  bool is_shared(const std::string& symbol) const {
    if (symbol == kDynamicShared) return true;
    const auto known = assembly_.known.find(symbol);
    return known != assembly_.known.end() && known->second.memory == Variable::Memory::shared;
  }

  /// Returns whether an access needs no guard because its address is known.
  bool is_settled(const MemoryOperand& memory, const Effect& effect, long depth) const {
    const Expression& at = memory.displacement;
    const long end = at.offset + static_cast<long>(effect.bytes);
    if (!memory.index.empty()) return false;
    if (memory.thread) {
      if (!memory.base.empty() || effect.stores) return false;
      if (at.symbol.empty()) return at.offset == 0 && effect.bytes == 8;  // the thread pointer
      return kBuiltIns.count(at.symbol) != 0 && at.suffix == "tpoff" && at.offset >= 0 &&
             end <= static_cast<long>(kBuiltInBytes);
    }
    if (memory.base == "rsp" && at.symbol.empty()) {
      const long arguments = depth + 8;  // above the return address
      return (at.offset >= 0 && end <= depth) ||
             (at.offset >= arguments && end <= arguments + arguments_);
    }
    if (memory.base != "rip" || effect.stores) return false;
    const auto known = assembly_.known.find(at.symbol);
    return known != assembly_.known.end() && known->second.memory == Variable::Memory::constant &&
           at.offset >= 0 &&
           static_cast<std::size_t>(end) <= known->second.end - known->second.begin;
  }

  /// Returns whether the instruction itself determines its address; otherwise writes a guard before
  /// it.
  bool guard_access(const MemoryOperand& memory, const Effect& effect, long depth) {
    const Expression& at = memory.displacement;
    if (!at.suffix.empty() && at.suffix != "tpoff") refuse_foreign(at.symbol);
    if (memory.base == "rip") {
      if (at.symbol.empty() || !assembly_.known.count(at.symbol)) refuse_foreign(at.symbol);
    } else if (!at.symbol.empty() && !is_shared(at.symbol)) {
      if (!kBuiltIns.count(at.symbol) || at.suffix != "tpoff") refuse_foreign(at.symbol);
      if (effect.stores)
        refuse("built-in", at.symbol + " and its like belong to the device and cannot be changed");
    }
    if (effect.bytes != 1 && effect.bytes != 2 && effect.bytes != 4 && effect.bytes != 8 &&
        effect.bytes != 16)
      refuse("assembly", "an access of an odd size");
    if (is_settled(memory, effect, depth)) return true;
    if (memory.thread && memory.base == "rsp") refuse("assembly", "an address on the stack");
    if (known_.covers(memory, effect, depth)) return false;
    code("pushq %rdi");
    code("leaq " + address_text(memory, 8) + ", %rdi");
    if (memory.thread) {
      code("pushq %rsi");
      code("movq %fs:0, %rsi");
      code("leaq (%rdi,%rsi), %rdi");
      code("popq %rsi");
    }
    const std::string bytes = std::to_string(effect.bytes);
    if (effect.loads) code("call confined_load_" + bytes + "");
    if (effect.stores) code("call confined_store_" + bytes);
    code("popq %rdi");
    return false;
  }

  void write_call(const Instruction& instruction, const Effect& effect, long depth) {
    const Expression& target = instruction.operands.front().value;
    if (!target.suffix.empty() && target.suffix != "PLT") refuse_foreign(target.symbol);
    if (own_.count(own_name(target.symbol))) {
      known_.forget();
      return code("call " + emitted(target.symbol));
    }
    const auto external = find_external(target.symbol);
    if (!external) refuse_foreign(target.symbol);
    for (const PointerArgument& argument : external->pointers) guard_argument(argument);
    if (external->ends_tickets) code("call confined_forget");
    code("call " + external->symbol + "");
    if (!external->returns) code("ud2");
    if (external->is_hook)
      known_.hook(external->looks_at_load, external->hook_bytes, depth);
    else
      known_.follow(instruction, effect, depth, false);
  }

  void guard_argument(const PointerArgument& argument) {
    code("pushq %rdi");
    code("pushq %rsi");
    if (argument.reg != "rdi") code("movq %" + argument.reg + ", %rdi");
    if (argument.size_reg.empty())
      code("movl $" + std::to_string(argument.bytes) + ", %esi");
    else
      code("movl %" + argument.size_reg + ", %esi");
    code("call " + std::string(argument.check) + "");
    code("popq %rsi");
    code("popq %rdi");
  }

  // The kernel's entry: passes a launch to the guard, with the arguments as they arrived in
  // registers and on the stack.
  void write_door(const std::string& symbol, const std::string& body, unsigned stack_words) {
    const std::string number = body.substr(body.rfind('_') + 1);
    const std::string description = ".Lconfined_kernel_" + number;
    const std::string name = ".Lconfined_name_" + number;
    line("\t.section .data.rel.ro.doors,\"aw\",@progbits\n\t.p2align 3");
    line(description + ":");
    code(".quad " + name);
    code(".quad " + body);
    code(".quad " + std::to_string(stack_words));
    code(".quad .Lconfined_constants");
    code(".quad .Lconfined_constants_end");
    line(name + ":");
    code(".string \"" + (symbol.starts_with("_Z") ? symbol.substr(2) : symbol) + "\"");
    line("\t.text\n\t.globl " + symbol + "\n\t.type " + symbol + ", @function");
    line(symbol + ":");
    code("subq $152, %rsp");
    int offset = 0;
    for (const char* const reg : {"rdi", "rsi", "rdx", "rcx", "r8", "r9"}) {
      code("movq %" + std::string(reg) + ", " + std::to_string(offset) + "(%rsp)");
      offset += 8;
    }
    for (int i = 0; i < 8; ++i, offset += 8)
      code("movsd %xmm" + std::to_string(i) + ", " + std::to_string(offset) + "(%rsp)");
    code("leaq 160(%rsp), %rax");
    code("movq %rax, 112(%rsp)");
    code("leaq " + description + "(%rip), %rax");
    code("movq %rax, 120(%rsp)");
    code("movq $confined_shared@tpoff, 128(%rsp)");
    code("movq $confined_shared_end@tpoff, 136(%rsp)");
    code("movq %rsp, %rdi");
    code("call confined_launch");
    code("addq $152, %rsp");
    code("ret");
    code(".size " + symbol + ", .-" + symbol);
  }

  const Assembly& assembly_;
  const StackWords& stack_words_;
  std::set<std::string> endless_, own_;
  // Kernels' functions -> names of their bodies.
  std::unordered_map<std::string, std::string> bodies_;
  std::unordered_map<std::string, unsigned> words_of_;  // kernels' functions -> words of arguments
  KnownAddresses known_;
  long arguments_ = 0;  // bytes of arguments on the stack of the current function
  GuardedAssembly result_;
  int line_ = 0;
};

}  // namespace

GuardedAssembly guard(const Assembly& assembly, const StackWords& kernels) {
  return Writer(assembly, kernels).write();
}

}  // namespace coursework::confine
