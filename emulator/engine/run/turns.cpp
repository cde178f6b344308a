#include "engine/run/turns.hpp"

#include <algorithm>
#include <numeric>

#include "engine/engine.hpp"

namespace emu {

Turns::Turns(unsigned workers, std::uint64_t seed) : left_(workers), random_state_(seed) {
  std::iota(left_.begin(), left_.end(), 0u);
}

void Turns::choose() {
  if (!left_.empty()) turn_ = left_[scrambled(random_state_ += kRandomStep) % left_.size()];
  changed_.notify_all();
}

void Turns::await(unsigned worker) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == worker; });
}

// A turn costs some microseconds: small launches are mixed at every opportunity, large ones at
// fewer and fewer.
void Turns::pass_sometimes(unsigned worker) {
  constexpr std::uint64_t kPassesBeforeRarer = 1024;
  if (left_.size() == 1 ||
      scrambled(random_state_ += kRandomStep) % (1 + passes_ / kPassesBeforeRarer) != 0)
    return;
  std::unique_lock lock(mutex_);
  ++passes_;
  choose();
  changed_.wait(lock, [&] { return turn_ == worker; });
}

void Turns::leave(unsigned worker) {
  const std::lock_guard lock(mutex_);
  std::erase(left_, worker);
  choose();
}

}  // namespace emu
