/// @file
/// Collects what the checks find, tells it on stderr or as JSON, and makes the exit status 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/check.h"

namespace emu {

/// Adds `times` occurrences of a finding that has been described before under `key`; false if it
/// has not: then describe it, with add_finding.
bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes);

/// Adds a finding, or to one of the same kind, kernel and lines. `key` is what count_finding will
/// ask for: cheaper to make than a description.
void add_finding(const std::string& key, Finding finding);

/// Findings of one worker, kept apart until it is known whether they count: its blocks run at the
/// same time as others.
class FindingsDraft {
 public:
  FindingsDraft();
  ~FindingsDraft();

  /// Where this thread's findings go from now on; null: to all others.
  static void use(FindingsDraft* draft) noexcept;

  bool is_empty() const;
  void clear();
  /// Adds the findings of all, as if their blocks had run in turn; the drafts are empty afterwards.
  static void publish(const std::vector<FindingsDraft*>& drafts);

  std::uint64_t unit = 0;  ///< the block, or the cluster, that runs

 private:
  struct Entries;
  friend bool count_finding(const std::string& key, std::uint64_t times, std::uint64_t bytes);
  friend void add_finding(const std::string& key, Finding finding);

  std::unique_ptr<Entries> entries_;
};

/// Prints the findings that have not been printed yet, if they are to be.
void print_new_findings() noexcept;

/// Prints all there is to say and ends the process with status 1: for a program that cannot go on.
[[noreturn]] void end_with_findings() noexcept;

}  // namespace emu
