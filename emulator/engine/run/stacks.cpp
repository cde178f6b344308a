#include "engine/run/stacks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace emu {

namespace {
constexpr unsigned kColours = 64;
constexpr unsigned kColourBytes = 192;  // three cache lines
}  // namespace

std::uintptr_t Stack::top() const {
  return reinterpret_cast<std::uintptr_t>(memory) + kStackBytes - colour * kColourBytes;
}

bool Stack::contains(std::uintptr_t address) const {
  return address - reinterpret_cast<std::uintptr_t>(memory) < kStackBytes;
}

StackPool::~StackPool() {
  for (const auto& stack : stacks_) munmap(stack->memory - kGuardBytes, kGuardBytes + kStackBytes);
}

Stack* StackPool::take() {
  if (free_.empty()) {
    void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, kGuardBytes, PROT_NONE);
    auto stack = std::make_unique<Stack>();
    stack->memory = static_cast<char*>(memory) + kGuardBytes;
    stack->colour = static_cast<unsigned>(stacks_.size() % kColours);
    restart(*stack);
    stacks_.push_back(std::move(stack));
    return stacks_.back().get();
  }
  Stack* stack = free_.back();
  free_.pop_back();
  return stack;
}

bool StackPool::contains(std::uintptr_t address) const {
  return std::any_of(stacks_.begin(), stacks_.end(),
                     [&](const auto& stack) { return stack->contains(address); });
}

void StackPool::restart(Stack& stack) {
  const std::uintptr_t top = stack.top();
  stack.context = boost::context::detail::make_fcontext(
      reinterpret_cast<void*>(top), top - reinterpret_cast<std::uintptr_t>(stack.memory), entry_);
}

void StackPool::restart_all() {
  free_.clear();
  for (const auto& stack : stacks_) {
    restart(*stack);
    stack->in_use = false;
    free_.push_back(stack.get());
  }
}

void StackPool::forget_used() {
  std::erase_if(free_, [](const Stack* stack) { return stack->in_use; });
}

}  // namespace emu
