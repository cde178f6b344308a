#pragma once

/// @file
/// Remembers which texts of a student's answers were right and which were wrong.

#include <filesystem>
#include <map>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Verdicts by exercise, each for one text of the answer. A changed answer has no verdict until it
/// is checked again.
///
/// Verdicts are stored in a small file. If the file is missing, damaged or not writable, the only
/// cost is that answers are checked again.
class Progress {
 public:
  enum class State { unknown, right, not_yet };

  explicit Progress(std::filesystem::path file);

  State state_of(const Exercise& exercise, const std::string& answer) const;
  /// Records a verdict and saves it at once, merged with verdicts that another process saved
  /// meanwhile.
  void record(const Exercise& exercise, const std::string& answer, bool is_right);

 private:
  struct Known {
    std::string fingerprint;
    bool is_right = false;
  };
  void load();
  void save() const;
  std::string fingerprint(const Exercise& exercise, const std::string& answer) const;

  std::filesystem::path file_;
  // Verdicts by exercise id.
  std::map<std::string, Known> known_;
  std::map<std::string, Known> recorded_;  // by this process; the file may not be writable
  mutable std::map<std::string, std::string> asked_;  // requirements in exercise.json
};

/// Returns the file that stores the progress of the answers in `folder`.
std::filesystem::path progress_file(const std::filesystem::path& folder);

}  // namespace coursework
