#pragma once

/// @file
/// The journal of graded submissions, from which an interrupted run resumes. Each submission has a
/// line.
///
/// A line is valid if it is complete and matches its digest. The last valid line of a submission
/// counts.

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "tools/coursework/judging/verdict.hpp"

namespace coursework {

/// Everything that a verdict depends on. If any part changes, the submission is graded again.
struct Basis {
  std::string file;      ///< digest of the submission's text
  std::string exercise;  ///< digest of the exercise's files
  std::string course;    ///< digest of the sources that judge it
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
  /// Reads the journal, and removes an incomplete line that an interrupted run has left.
  /// @throws std::system_error
  explicit Journal(std::filesystem::path file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const Entries& entries() const { return entries_; }

  /// Appends an entry; it is on the disk when the function returns.
  void add(const JournalEntry& entry);
  /// Rewrites the journal: only the `wanted` entries, in order.
  void tidy(const Entries& wanted);

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  Entries entries_;
};

/// Reads the entries of a journal that no process is writing.
Entries read_journal(const std::filesystem::path& file);

}  // namespace coursework
