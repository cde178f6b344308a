#pragma once

/// @file
/// What is known of a student's answers: which text was right, and which was not.

#include <filesystem>
#include <map>
#include <string>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// Verdicts by exercise, each for one text of its answer. Another text is another answer: the file
/// that is there now has to be right, not one that was there before.
///
/// It lives in a small file. Where that is missing, damaged or not to be written, everything works
/// but has to be found out again.
class Progress {
 public:
  enum class State { unknown, right, not_yet };

  explicit Progress(std::filesystem::path file);

  State state_of(const Exercise& exercise, const std::string& answer) const;
  /// Saved at once, together with what another process has saved meanwhile.
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
  // By exercise id:
  std::map<std::string, Known> known_;
  std::map<std::string, Known> recorded_;  // here; the file may be one that cannot be written
  mutable std::map<std::string, std::string> asked_;  // what exercise.json says
};

/// Where the progress of the answers in `folder` is kept.
std::filesystem::path progress_file(const std::filesystem::path& folder);

}  // namespace coursework
