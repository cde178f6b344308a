#include "course/temporary_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace course {

std::filesystem::path folder_of_temporary_files() {
  const char* const named = std::getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent, const std::string& prefix) {
  std::string name = parent / (prefix + "XXXXXX");
  if (!mkdtemp(name.data()))
    throw std::system_error(errno, std::generic_category(),
                            "cannot make a folder in " + parent.string());
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace course
