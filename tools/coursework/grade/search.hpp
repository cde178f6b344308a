#pragma once

/// @file
/// Searches a folder that somebody else has filled. No link is followed, nothing but plain files
/// is opened, and there is an end to how much is looked at.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/coursework/exercises/exercise.hpp"

namespace coursework {

/// How well a file's name fits, the best first.
enum NameRank {
  kInAnswers,     ///< the very name, in a folder answers/, as in a handout
  kExactName,     ///< the very name
  kOtherCase,     ///< in upper case or so
  kWithAdditions  ///< "smith_123_02_1_row_from_a_line (1).cu"
};

struct FoundFile {
  std::string path;  ///< below the student's folder; any bytes
  int rank = kWithAdditions;
  std::string fault;  ///< why it could not be read; empty where it was
  std::string bytes;
  bool is_folder = false;
};

struct Found {
  std::string fault;  ///< why nothing of it could be looked at; empty where something was
  std::map<std::string, std::vector<FoundFile>> files;  ///< by exercise, by path
  std::vector<std::string> other_sources;               ///< further .cu files, printable
};

/// How well `name` fits the exercise's file; kWithAdditions + 1 where it does not.
int rank_of(const std::string& name, const std::string& parent, const Exercise& exercise);

/// Everything in the folder `name` of `root` that fits an exercise, read where it has at most
/// `most_bytes`.
Found search_folder(const std::filesystem::path& root, const std::string& name,
                    const std::vector<Exercise>& exercises, std::size_t most_bytes);

/// One plain file of a folder.
FoundFile read_file_in(const std::filesystem::path& folder, const std::string& name,
                       std::size_t most_bytes);

}  // namespace coursework
