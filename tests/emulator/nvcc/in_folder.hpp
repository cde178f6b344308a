/// Runs programs in a folder, with environment variables, and with enough time to compile.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "tools/support/subprocess.hpp"

namespace nvcc_tests {

inline tools::CommandOptions in_folder(const std::filesystem::path& directory,
                                       std::map<std::string, std::string> environment = {}) {
  tools::CommandOptions options;
  options.directory = directory;
  options.environment = std::move(environment);
  options.time_limit = std::chrono::seconds(300);
  return options;
}

}  // namespace nvcc_tests
