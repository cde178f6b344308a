/// @file
/// Stacks on which lanes run, and jumps between them (Boost.Context).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace emu {

/// The saved state of a stack that is not running.
using Context = boost::context::detail::fcontext_t;

/// Continues at `target`, and stores the state of the stack that is left in `*from`. Inlined, like
/// all functions that lead here from a lane, because the processor mispredicts every return after a
/// jump.
[[gnu::always_inline]] inline void jump(Context target, Context* from) {
  const auto arrived = boost::context::detail::jump_fcontext(target, from);
  *static_cast<Context*>(arrived.data) = arrived.fctx;
}

/// A stack with inaccessible memory below it.
struct Stack {
  char* memory = nullptr;  ///< lowest usable byte
  unsigned colour = 0;     ///< shifts the top, so that stacks do not share cache sets
  Context context = nullptr;
  bool in_use = false;  ///< holds a lane of a block that has come back to the stage
  bool contains(std::uintptr_t address) const;
  std::uintptr_t top() const;
};

/// A pool of stacks that all start in the same entry function.
class StackPool {
 public:
  /// @param entry receives the pointer given to jump through first_jump; never returns
  explicit StackPool(void (*entry)(boost::context::detail::transfer_t)) : entry_(entry) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  Stack* take();
  void give(Stack* stack) { free_.push_back(stack); }
  bool contains(std::uintptr_t address) const;  ///< whether the address is in one of the stacks
  void restart_all();  ///< resets every stack to its entry function, and frees it
  void forget_used();  ///< removes stacks that are in use from the free list

 private:
  void restart(Stack& stack);

  void (*entry_)(boost::context::detail::transfer_t);
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> free_;
};

constexpr std::size_t kStackBytes = std::size_t{640} << 10;  // CUDA allows 512 KiB of local memory
/// The largest page size of aarch64 kernels, and the guard size that g++ expects there.
constexpr std::size_t kGuardBytes = std::size_t{64} << 10;

}  // namespace emu
