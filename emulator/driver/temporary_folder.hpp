/// A folder for intermediate files that goes when the work is done or has failed.
#pragma once

#include <filesystem>

namespace emulator_nvcc {

class TemporaryFolder {
 public:
  /// @throws Failure  if it cannot be made below TMPDIR (or /tmp)
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace emulator_nvcc
