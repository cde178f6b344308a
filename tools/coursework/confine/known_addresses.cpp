#include "known_addresses.hpp"

#include <algorithm>

namespace coursework::confine {
namespace {

const char* const kThread = "%fs";

bool is_register(const Operand& operand) { return operand.kind == Operand::Kind::reg; }
bool is_whole(const Operand& operand) {
  return is_register(operand) && whole_register(operand.reg) == operand.reg;
}
bool is_plain_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && operand.value.symbol.empty();
}
bool is_slot(const MemoryOperand& memory) {
  return memory.base == "rsp" && memory.index.empty() && !memory.thread &&
         memory.displacement.symbol.empty();
}

}  // namespace

void KnownAddresses::forget() {
  registers_.clear();
  slots_.clear();
  looked_.clear();
}

KnownAddresses::Value KnownAddresses::fresh() { return {{{std::to_string(++terms_), 1}}, 0}; }

void KnownAddresses::Value::add(const Value& other, long times) {
  for (const auto& [term, count] : other.terms) {
    const auto entry = terms.try_emplace(term, 0).first;
    entry->second += count * times;
    if (entry->second == 0) terms.erase(entry);
  }
  offset += other.offset * times;
}

KnownAddresses::Value& KnownAddresses::in_register(const std::string& name) {
  const auto [entry, is_new] = registers_.try_emplace(name);
  if (is_new) entry->second = fresh();
  return entry->second;
}

KnownAddresses::Value KnownAddresses::address(const MemoryOperand& memory, long depth) {
  if (memory.base == "rip") return fresh();
  Value value;
  if (memory.base == "rsp")
    value = {{{"the return address's place", 1}}, -depth};
  else if (!memory.base.empty())
    value = in_register(memory.base);
  if (!memory.index.empty()) value.add(in_register(memory.index), static_cast<long>(memory.scale));
  if (!memory.displacement.symbol.empty()) value.add({{{memory.displacement.symbol, 1}}, 0}, 1);
  if (memory.thread) value.add({{{kThread, 1}}, 0}, 1);
  value.offset += memory.displacement.offset;
  constexpr std::size_t kMostTerms = 8;
  return value.terms.size() > kMostTerms ? fresh() : value;
}

void KnownAddresses::overwrite(long begin, std::size_t bytes) {
  slots_.erase(slots_.upper_bound(begin - kWord),
               slots_.lower_bound(begin + static_cast<long>(bytes)));
}

void KnownAddresses::leave_below(long depth) {
  slots_.erase(slots_.begin(), slots_.lower_bound(-depth));
}

void KnownAddresses::follow(const Instruction& instruction, const Effect& effect, long depth,
                            bool is_checked) {
  const std::string& name = instruction.mnemonic;
  const auto& operands = instruction.operands;
  leave_below(depth);
  if (effect.flow == Flow::call) return forget();
  if (effect.flow != Flow::next) return;
  if (name == "pushq") {
    overwrite(-depth - kWord, kWord);
    if (is_whole(operands[0])) slots_[-depth - kWord] = in_register(operands[0].reg);
    return;
  }
  if (effect.stores) {
    const MemoryOperand& memory = instruction.memory()->memory;
    if (!is_slot(memory) || is_checked) {
      slots_.clear();  // the store may hit any slot of the lane's stack
      return;
    }
    overwrite(memory.displacement.offset - depth, effect.bytes);
    if (name == "movq" && is_whole(operands[0]))
      slots_[memory.displacement.offset - depth] = in_register(operands[0].reg);
    return;
  }
  if (operands.empty()) {  // cltq, cqto and the like
    registers_.erase("rax");
    registers_.erase("rdx");
    return;
  }
  if (operands.size() == 1) {  // mul, div and similar
    registers_.erase("rax");
    registers_.erase("rdx");
  }
  const Operand& last = operands.back();
  if (!is_register(last) || name.starts_with("cmp") || name.starts_with("test")) return;
  const std::string target = whole_register(last.reg);
  if (target.empty() || target == "rsp") return;  // a vector register; stack_depth() covers rsp
  if (operands.size() == 2 && is_whole(last)) {
    const Operand& first = operands[0];
    if (name == "movq" && is_whole(first) && first.reg != "rsp") {
      registers_[target] = in_register(first.reg);
      return;
    }
    if (name == "movq" && first.kind == Operand::Kind::memory && is_slot(first.memory) &&
        !is_checked) {
      const auto [slot, is_new] = slots_.try_emplace(first.memory.displacement.offset - depth);
      if (is_new) slot->second = fresh();
      registers_[target] = slot->second;
      return;
    }
    if (name == "movq" && first.kind == Operand::Kind::memory && first.text == "%fs:0") {
      registers_[target] = {{{kThread, 1}}, 0};
      return;
    }
    if (name == "leaq" && first.kind == Operand::Kind::memory && !first.memory.thread) {
      registers_[target] = address(first.memory, depth);
      return;
    }
    if ((name == "addq" || name == "subq") && is_plain_number(first)) {
      in_register(target).offset += name == "addq" ? first.value.offset : -first.value.offset;
      return;
    }
    if (name == "addq" && first.kind == Operand::Kind::immediate) {
      MemoryOperand variable;
      variable.base = target;
      variable.displacement = first.value;
      registers_[target] = address(variable, depth);
      return;
    }
    if (name == "addq" && is_whole(first) && first.reg != "rsp") {
      MemoryOperand both;
      both.base = target;
      both.index = first.reg;
      registers_[target] = address(both, depth);
      return;
    }
  }
  registers_.erase(target);
  if (name.starts_with("xchg")) registers_.erase(whole_register(operands[0].reg));
}

void KnownAddresses::hook(bool is_load, std::size_t bytes, long depth) {
  leave_below(depth);
  looked_.push_back({in_register("rdi"), bytes, is_load});
  for (const char* const changed : {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"})
    registers_.erase(changed);
}

bool KnownAddresses::covers(const Value& at, std::size_t bytes, bool is_load) const {
  return std::any_of(looked_.begin(), looked_.end(), [&](const Looked& looked) {
    return looked.is_load == is_load && looked.at.terms == at.terms &&
           at.offset >= looked.at.offset &&
           at.offset + static_cast<long>(bytes) <=
               looked.at.offset + static_cast<long>(looked.bytes);
  });
}

bool KnownAddresses::covers(const MemoryOperand& memory, const Effect& effect, long depth) {
  const Value at = address(memory, depth);
  return (!effect.loads || covers(at, effect.bytes, true)) &&
         (!effect.stores || covers(at, effect.bytes, false));
}

}  // namespace coursework::confine
