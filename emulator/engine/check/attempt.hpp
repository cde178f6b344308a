/// @file
/// A checked launch whose blocks run at the same time, on several workers, in the hope that their
/// order does not matter.
///
/// It does not if no block touches a word that another one writes; blocks may meet at atomic
/// operations, as long as nothing is found. Then every block finds what it would find if all ran in
/// turn, and the findings are put together as if they had. Otherwise memory is put back, and the
/// launch runs again, its blocks in turn on one worker: a report depends on the program alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/undo.hpp"

namespace emu {

class Checker;
class KernelsHeapWatch;
class PrintWatch;
struct Launch;

class Attempt {
 public:
  /// Whether it is worth while: blocks do not work together, and the kernel has not been found to
  /// depend on their order.
  static bool may_succeed(const Launch& launch, unsigned workers);

  /// @param stop  the workers look at it: a launch that has failed ends early
  Attempt(const Launch& launch, std::atomic<bool>& stop);
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // From the workers, at any time.
  Checker& take_checker();
  void give_up() noexcept;  ///< the order matters
  void note_strong_access() noexcept { any_strong_.store(true, std::memory_order_relaxed); }

  /// All workers have finished. What they found counts if they ran to the end and their order did
  /// not matter; else everything is as before the launch.
  /// @return whether it counts
  bool finish();

  Undo& undo;

 private:
  bool order_matters() const;

  const Launch& launch_;
  std::atomic<bool>& stop_;
  std::atomic<bool> any_strong_{false};
  std::atomic<unsigned> taken_{0};
  std::unique_ptr<PrintWatch> prints_;
  std::unique_ptr<KernelsHeapWatch> heap_;
};

}  // namespace emu
