/// @file
/// Stacks that lanes run on, and jumping between them (Boost.Context).
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace emu {

/// Where a stack stands while it does not run.
using Context = boost::context::detail::fcontext_t;

/// Continues at `target`; the place it is left from is stored in `*from` once it is.
/// Inlined, as all that leads here from a lane: every return after a jump is mispredicted.
[[gnu::always_inline]] inline void jump(Context target, Context* from) {
  const auto arrived = boost::context::detail::jump_fcontext(target, from);
  *static_cast<Context*>(arrived.data) = arrived.fctx;
}

/// One stack with inaccessible memory below it.
struct Stack {
  char* memory = nullptr;  ///< lowest usable byte
  unsigned colour = 0;     ///< shifts the top, so that stacks do not share cache sets
  Context context = nullptr;
  bool in_use = false;  ///< by a lane that comes back to the stage
  bool contains(std::uintptr_t address) const;
  std::uintptr_t top() const;
};

/// Stacks whose contexts all run the same entry function.
class StackPool {
 public:
  /// @param entry receives the pointer given to jump through first_jump; never returns
  explicit StackPool(void (*entry)(boost::context::detail::transfer_t)) : entry_(entry) {}
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  Stack* take();
  void give(Stack* stack) { free_.push_back(stack); }
  bool contains(std::uintptr_t address) const;  ///< any of them
  void restart_all();                           ///< forgets what every stack was doing
  void forget_used();                           ///< those in use are not to be taken

 private:
  void restart(Stack& stack);

  void (*entry_)(boost::context::detail::transfer_t);
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> free_;
};

constexpr std::size_t kStackBytes = std::size_t{640} << 10;  // CUDA allows 512 KiB of local memory
/// The largest page that aarch64's kernels have, and what g++ expects of a guard there.
constexpr std::size_t kGuardBytes = std::size_t{64} << 10;

}  // namespace emu
