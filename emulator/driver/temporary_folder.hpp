/// A folder for intermediate files that is removed at the end, also after errors.
#pragma once

#include "course/temporary_folder.hpp"

namespace emulator_nvcc {

class TemporaryFolder : public course::TemporaryFolder {
 public:
  /// @throws Failure  if it cannot be created below TMPDIR (or /tmp)
  TemporaryFolder();
};

}  // namespace emulator_nvcc
