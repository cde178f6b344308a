#include "stack_depth.hpp"

#include <algorithm>
#include <unordered_map>

#include "externals.hpp"

namespace coursework::confine {
namespace {

[[noreturn]] void refuse(const Statement& statement, const std::string& rule,
                         const std::string& message) {
  throw Refused({statement.line, rule, message});
}

bool is_stack_pointer(const Operand& operand) {
  return operand.kind == Operand::Kind::reg && whole_register(operand.reg) == "rsp";
}

/// Returns by how many bytes the instruction lowers the stack pointer.
long lowered_by(const Statement& statement) {
  const Instruction& instruction = statement.instruction;
  const auto& operands = instruction.operands;
  const std::string& name = instruction.mnemonic;
  const bool is_push = name.starts_with("push"), is_pop = name.starts_with("pop");
  const bool names_it = std::any_of(operands.begin(), operands.end(), is_stack_pointer);
  if (is_pop && names_it) refuse(statement, "assembly", "the stack pointer is changed");
  if (is_push) return kWord;
  if (is_pop) return -kWord;
  if (operands.empty() || !names_it) return 0;
  const bool only_read =
      name.starts_with("cmp") || name.starts_with("test") ||
      (operands.size() == 2 && !is_stack_pointer(operands.back()) && !name.starts_with("xchg"));
  if (only_read) return 0;
  // `andq $-32, %rsp` aligns data on the stack
  const std::string too_clever =
      name.starts_with("and") ? "local variables can be aligned to at most 16 bytes here"
                              : "local arrays need a size that is known when the code is compiled";
  if (operands.size() != 2 || operands.back().reg != "rsp")
    refuse(statement, "assembly", too_clever);
  const Operand& first = operands.front();
  const bool is_number = first.kind == Operand::Kind::immediate && first.value.symbol.empty();
  if (name == "subq" && is_number) return first.value.offset;
  if (name == "addq" && is_number) return -first.value.offset;
  if (name == "leaq" && first.kind == Operand::Kind::memory && first.memory.base == "rsp" &&
      first.memory.index.empty() && !first.memory.thread &&
      first.memory.displacement.symbol.empty())
    return -first.memory.displacement.offset;
  refuse(statement, "assembly", too_clever);
}

bool returns(const Statement& statement, const std::set<std::string>& endless) {
  const std::string& target = statement.instruction.operands.front().value.symbol;
  if (endless.count(target)) return false;
  const auto external = find_external(target);
  return !external || external->returns;
}

}  // namespace

StackDepth stack_depth(const Function& function, const std::set<std::string>& endless) {
  const std::vector<Statement>& body = function.body;
  std::unordered_map<std::string, std::size_t> labels;
  for (std::size_t i = 0; i < body.size(); ++i)
    if (body[i].kind == Statement::Kind::label) labels[body[i].text] = i;

  StackDepth result;
  result.before.assign(body.size(), kUnreached);
  std::vector<std::pair<std::size_t, long>> open = {{0, 0}};
  while (!open.empty()) {
    auto [at, depth] = open.back();
    open.pop_back();
    for (;; ++at) {
      if (at == body.size()) {
        if (body.empty()) break;
        refuse(
            body.back(), "assembly",
            "the end of the function " + demangled(function.name) + " is reached without a return");
      }
      const Statement& statement = body[at];
      if (result.before[at] != kUnreached) {
        if (result.before[at] != depth)
          refuse(statement, "assembly", "the stack is not the same on two ways to this line");
        break;
      }
      result.before[at] = depth;
      if (statement.kind != Statement::Kind::instruction) continue;
      depth += lowered_by(statement);
      constexpr long kMost = long{1} << 24;
      if (depth < 0 || depth > kMost || depth % kWord != 0)
        refuse(statement, "assembly", "local variables are too large");
      result.deepest = std::max(result.deepest, depth);
      const Flow flow = statement.effect.flow;
      if (flow == Flow::back && depth != 0)
        refuse(statement, "assembly", "a return with something left on the stack");
      if (flow == Flow::back || flow == Flow::stop) break;
      if (flow == Flow::call && !returns(statement, endless)) break;
      if (flow != Flow::jump && flow != Flow::branch) continue;
      const auto label = labels.find(statement.instruction.operands.front().value.symbol);
      if (label == labels.end()) refuse(statement, "assembly", "a jump out of its function");
      open.emplace_back(label->second, depth);
      if (flow == Flow::jump) break;
    }
  }
  return result;
}

std::set<std::string> endless_functions(const Assembly& assembly) {
  std::set<std::string> result;
  for (const Function& function : assembly.functions)
    if (std::none_of(function.body.begin(), function.body.end(), [](const Statement& statement) {
          return statement.kind == Statement::Kind::instruction &&
                 statement.effect.flow == Flow::back;
        }))
      result.insert(function.name);
  return result;
}

}  // namespace coursework::confine
