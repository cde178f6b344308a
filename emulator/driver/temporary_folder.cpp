#include "temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "failure.hpp"

namespace emulator_nvcc {

TemporaryFolder::TemporaryFolder() {
  const char* variable = std::getenv("TMPDIR");
  const std::string parent = variable && *variable ? variable : "/tmp";
  std::string name = parent + "/emulator-nvcc-XXXXXX";
  if (!mkdtemp(name.data())) {
    throw Failure(2, "emulator-nvcc: cannot make a temporary folder in " + parent + ": " +
                         std::strerror(errno));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace emulator_nvcc
