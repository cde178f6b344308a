/// @file
/// What the checks remember of memory that kernels and the host share: all but shared memory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/check/shadow.hpp"

namespace emu {

/// Between launches there is one. Workers that run a launch together have a draft each, on top of
/// it: it knows what was written before, and the worker's own accesses.
class CheckedMemory {
 public:
  static CheckedMemory& instance();
  static bool exists() noexcept;  ///< something was checked already

  explicit CheckedMemory(const CheckedMemory* below = nullptr);

  /// The arena's; pages of other addresses, of variables and host memory, are found by their
  /// number.
  Shadow& arena() { return arena_; }
  const Shadow& arena() const { return arena_; }
  /// Null if there is none yet.
  ShadowPage* find(std::uintptr_t address) const;
  /// Made if need be; memory that initcheck does not follow counts as written.
  ShadowPage& page_of(std::uintptr_t address);

  void allocated(std::uintptr_t begin, std::size_t bytes) { tracked_[begin] = bytes; }
  void released(std::uintptr_t begin, std::size_t bytes);
  void written(std::uintptr_t begin, std::size_t bytes);
  void copied(std::uintptr_t target, std::uintptr_t source, std::size_t bytes);

  /// Forgets who accessed what: the segments begin anew.
  void forget_records();

  /// Whether blocks of two drafts have touched one word so that their order matters.
  static bool depend_on_one_another(CheckedMemory& one, CheckedMemory& other);
  /// What a segment of a worker's is called from now on; 0: it is of an earlier launch.
  using Renumber = std::function<std::uint32_t(std::uint32_t)>;
  /// Knows what was written in a draft, and who was at memory that the host may touch. The launch
  /// began with segment `first`.
  void take_over(CheckedMemory& draft, std::uint32_t first, const Renumber& renumber);
  void clear();  ///< of a draft

  /// Held while a checked launch runs, and by host code that writes to device memory.
  std::recursive_mutex mutex;

 private:
  ShadowPage* new_page();
  bool is_written_by_host(std::uintptr_t address) const;
  void begin_as_below(ShadowPage& page, std::uintptr_t address) const;
  template <class Visit>
  void each_page(Visit&& visit);

  const CheckedMemory* below_;
  Shadow arena_;
  std::unordered_map<std::uintptr_t, ShadowPage*> elsewhere_;  // by number
  std::vector<std::unique_ptr<ShadowPage>> spare_;             // a draft's, for the next launch
  /// Device memory allocated while initcheck was on: begin and bytes.
  std::map<std::uintptr_t, std::size_t> tracked_;
};

}  // namespace emu
