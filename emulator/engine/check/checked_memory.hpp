/// @file
/// What the checks record of memory that kernels and the host share: all but shared memory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/check/shadow.hpp"

namespace emu {

/// Records of accesses and of initialisation. One instance lasts from launch to launch. While
/// several workers run a launch together, each has a draft on top of it, which also has the
/// worker's own accesses.
class CheckedMemory {
 public:
  static CheckedMemory& instance();
  static bool exists() noexcept;  ///< whether anything was checked so far

  explicit CheckedMemory(const CheckedMemory* below = nullptr);

  /// Returns the shadow of the arena. Pages of other addresses (variables, host memory) are kept
  /// separately, by page number.
  Shadow& arena() { return arena_; }
  const Shadow& arena() const { return arena_; }
  /// Returns the page that contains `address`; null if there is none yet.
  ShadowPage* find(std::uintptr_t address) const;
  /// Returns the page that contains `address`, and makes it if necessary. Memory that initcheck
  /// does not track counts as written.
  ShadowPage& page_of(std::uintptr_t address);

  void allocated(std::uintptr_t begin, std::size_t bytes) { tracked_[begin] = bytes; }
  void released(std::uintptr_t begin, std::size_t bytes);
  void written(std::uintptr_t begin, std::size_t bytes);
  void copied(std::uintptr_t target, std::uintptr_t source, std::size_t bytes);

  /// Forgets all records of accesses, before segments are numbered from the start again.
  void forget_records();

  /// Returns whether blocks of two drafts have accessed a word so that their order matters.
  static bool depend_on_one_another(CheckedMemory& one, CheckedMemory& other);
  /// Maps a segment of a worker to one of the launch; to 0 if it is of an earlier launch.
  using Renumber = std::function<std::uint32_t(std::uint32_t)>;
  /// Merges a draft: the bytes that were written, and the records of memory that the host may
  /// access. `first` is the launch's first segment.
  void take_over(CheckedMemory& draft, std::uint32_t first, const Renumber& renumber);
  void clear();  ///< empties a draft

  /// Held while a checked launch runs, and by host code that writes device memory.
  std::recursive_mutex mutex;

 private:
  ShadowPage* new_page();
  bool is_written_by_host(std::uintptr_t address) const;
  void begin_as_below(ShadowPage& page, std::uintptr_t address) const;
  template <class Visit>
  void each_page(Visit&& visit);

  const CheckedMemory* below_;
  Shadow arena_;
  std::unordered_map<std::uintptr_t, ShadowPage*> outside_arena_;  // by page number
  // Pages that a draft uses again for the next launch.
  std::vector<std::unique_ptr<ShadowPage>> spare_;
  /// Device memory allocated while initcheck was on: bytes by address.
  std::map<std::uintptr_t, std::size_t> tracked_;
};

}  // namespace emu
