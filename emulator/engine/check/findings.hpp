/// @file
/// Collects the findings of the checks, prints them on stderr or as JSON, and sets the exit status
/// to 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/check.h"

namespace emu {

/// Adds `times` occurrences to the finding that was added under `key`. Returns false if there is
/// none: then call add_finding().
bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes);

/// Adds a finding, or counts it with an existing one of the same kind, kernel and lines. Later
/// calls of count_finding() find it by `key`, which is cheaper to make than a description.
void add_finding(const std::string& key, Finding finding);

/// The findings of one worker, kept separately until it is known whether they count, because its
/// blocks run at the same time as others.
class FindingsDraft {
 public:
  FindingsDraft();
  ~FindingsDraft();

  /// Directs the findings of the calling thread to `draft`; null: to the common collection.
  static void use(FindingsDraft* draft) noexcept;

  bool is_empty() const;
  void clear();
  /// Merges the findings of all drafts, as if their blocks had run in turn, and empties the drafts.
  static void publish(const std::vector<FindingsDraft*>& drafts);

  std::uint64_t unit = 0;  ///< the block or cluster that is running

 private:
  struct Entries;
  friend bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes);
  friend void add_finding(const std::string& key, Finding finding);

  std::unique_ptr<Entries> entries_;
};

/// Prints the findings that have not been printed yet, if reports are wanted.
void print_new_findings() noexcept;

/// Prints all reports and ends the process with status 1. For programs that cannot go on.
[[noreturn]] void end_with_findings() noexcept;

}  // namespace emu
