/// A folder for intermediate files that is removed at the end, also after errors.
#pragma once

#include <filesystem>

namespace emulator_nvcc {

class TemporaryFolder {
 public:
  /// @throws Failure  if it cannot be created below TMPDIR (or /tmp)
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace emulator_nvcc
