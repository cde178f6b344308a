#pragma once

/// @file
/// Searches an untrusted folder: follows no links, opens only regular files, and limits how much it
/// searches.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// How well a file's name matches, best first.
enum NameRank {
  kInAnswers,     ///< the exact name in a folder answers/, as in a handout
  kExactName,     ///< the exact name
  kOtherCase,     ///< the name in another case
  kWithAdditions  ///< "smith_123_02_1_row_from_a_line (1).cu"
};

struct FoundFile {
  std::string path;  ///< below the student's folder; may contain any bytes
  int rank = kWithAdditions;
  std::string fault;  ///< why it could not be read; empty if it was read
  std::string bytes;
  bool is_folder = false;
};

struct Found {
  std::string fault;  ///< why nothing could be searched; empty if something was
  std::map<std::string, std::vector<FoundFile>> files;  ///< by exercise; sorted by path
  std::vector<std::string> other_sources;               ///< other .cu files, printable
};

/// Returns how well `name` matches the exercise's file; kWithAdditions + 1 if it does not.
int rank_of(const std::string& name, const std::string& parent, const Exercise& exercise);

/// Finds the files in the folder `name` of `root` that match an exercise, and reads those of at
/// most `most_bytes`.
Found search_folder(const std::filesystem::path& root, const std::string& name,
                    const std::vector<Exercise>& exercises, std::size_t most_bytes);

/// Reads one regular file of a folder.
FoundFile read_file_in(const std::filesystem::path& folder, const std::string& name,
                       std::size_t most_bytes);

}  // namespace coursework
