/// @file
/// Runs the blocks of a checked launch at the same time, on several workers, as long as their order
/// does not matter.
///
/// The order does not matter if no block accesses a word that another one writes. Blocks may make
/// atomic operations on the same word, as long as nothing is found. Then every block finds what it
/// would have found had all run in turn, and the findings are merged in that order. Otherwise
/// memory is restored, and the launch runs again with its blocks in turn on one worker. So a report
/// depends on the program alone.
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
  /// Returns whether an attempt is worth while: blocks do not communicate by a grid barrier, and no
  /// earlier attempt has found that the kernel depends on their order.
  static bool may_succeed(const Launch& launch, unsigned workers);

  /// @param stop set to true when the attempt fails; the workers then end early
  Attempt(const Launch& launch, std::atomic<bool>& stop);
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  // Called by the workers, at any time.
  Checker& take_checker();
  void give_up() noexcept;  ///< ends the attempt because the order of blocks matters
  void note_strong_access() noexcept { any_strong_.store(true, std::memory_order_relaxed); }

  /// Called when all workers have finished. Publishes the findings if every block has run to its
  /// end and their order did not matter; otherwise restores memory.
  /// @return whether the launch is done
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
