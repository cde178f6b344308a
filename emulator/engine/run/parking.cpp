#include "engine/run/parking.hpp"

#include <cstring>

namespace emu {

void Parked::save(Stack& stack) {
  const auto begin = reinterpret_cast<std::uintptr_t>(stack.context);
  const std::size_t bytes = stack.top() - begin;
  stacks.push_back({&stack, stack.context, stack_bytes.size(), bytes});
  stack_bytes.resize(stack_bytes.size() + bytes);
  std::memcpy(&stack_bytes[stacks.back().begin], stack.context, bytes);
}

void Parked::restore(StackPool& pool) {
  for (const StackPart& part : stacks) {
    part.stack->context = part.context;
    part.stack->in_use = true;
    std::memcpy(part.context, &stack_bytes[part.begin], part.bytes);
  }
  pool.forget_used();
  stacks.clear();
  stack_bytes.clear();
}

}  // namespace emu
