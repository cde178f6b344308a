#pragma once

/// @file
/// The site's folder, into which several steps write. A file whose text is the same keeps its time.

#include <filesystem>
#include <set>
#include <string>

namespace site {

/// Writes a file and the folders above it, unless the file has this text already.
/// @throws std::runtime_error if it cannot be written
void write_if_changed(const std::filesystem::path& file, const std::string& text);

/// What one step writes into the folder.
class OutputFolder {
 public:
  /// @param record  the file that lists what this step wrote the last time
  OutputFolder(std::filesystem::path folder, std::filesystem::path record);

  void write(const std::string& name, const std::string& text);
  void copy(const std::filesystem::path& file, const std::string& name);

  /// Removes what the step wrote the last time and not this time.
  void finish() const;

  /// What it has written so far.
  const std::set<std::string>& names() const { return names_; }

 private:
  std::filesystem::path folder_, record_;
  std::set<std::string> names_;
};

/// What such a record lists.
std::set<std::string> names_in(const std::filesystem::path& record);

}  // namespace site
