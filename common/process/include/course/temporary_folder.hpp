/// @file
/// A folder for intermediate files.
#pragma once

#include <filesystem>
#include <string>

namespace course {

/// Returns the folder that the environment's TMPDIR names, else /tmp.
std::filesystem::path folder_of_temporary_files();

/// A new folder that is removed with its contents at the end of the scope, also after errors.
class TemporaryFolder {
 public:
  /// Makes a folder whose name begins with `prefix`.
  /// @throws std::system_error  if it cannot be made
  TemporaryFolder(const std::filesystem::path& parent, const std::string& prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace course
