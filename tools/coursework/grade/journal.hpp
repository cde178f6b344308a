#pragma once

/// @file
/// What has been graded, a line for each submission: the truth that a run resumes from.
///
/// A line counts when it is whole, with its digest. The last line for a submission counts.

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// All that a verdict depends on. Where one of these changes, the submission is graded anew.
struct Basis {
  std::string file;      ///< digest of the submission's bytes
  std::string exercise;  ///< digest of the exercise's files
  std::string course;    ///< digest of what judges it
  std::string seed;      ///< digest of the secret seed
  int time_limit_s = 0;

  bool operator==(const Basis&) const = default;
};

struct JournalEntry {
  std::string student;  ///< folder_name()
  Basis basis;
  Verdict verdict;
};

/// Entries by student and exercise.
using Entries = std::map<std::pair<std::string, std::string>, JournalEntry>;

class Journal {
 public:
  /// Reads what is there; what an earlier run left half-written is cut away.
  /// @throws std::system_error
  explicit Journal(std::filesystem::path file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const Entries& entries() const { return entries_; }

  /// Adds an entry; on return it is on the disk.
  void add(const JournalEntry& entry);
  /// Drops what is about nobody in `wanted`, and puts the lines in order.
  void tidy(const Entries& wanted);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  Entries entries_;
};

/// The entries of a journal that nobody is writing.
Entries read_journal(const std::filesystem::path& file);

}  // namespace coursework
