#include "toolchain.hpp"

#include <fstream>
#include <system_error>

#include "failure.hpp"

namespace emulator_nvcc {

Toolchain read_toolchain() {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return read_toolchain(self.parent_path() / "emulator-nvcc.conf");
}

Toolchain read_toolchain(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto place_of = [&](const std::string& value) {
    const std::filesystem::path place = (file.parent_path() / value).lexically_normal();
    // A path that ends in ".." keeps a trailing slash.
    return (place.has_filename() ? place : place.parent_path()).string();
  };
  Toolchain result;
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == line.npos) continue;
    const std::string key = line.substr(0, equals);
    const std::string value = line.substr(equals + 3);
    if (key == "compiler") result.compiler = value;
    if (key == "flag") result.flags.push_back(value);
    if (key == "archiver") result.archiver = value;
    if (key == "include") result.includes.push_back(place_of(value));
    if (key == "link") result.link_flags.push_back(value);
    if (key == "toolkit") result.toolkit = place_of(value);
    if (key == "precompiled") result.precompiled = place_of(value);
    if (key == "cccl") result.cccl = place_of(value);
    if (key == "plugin") result.plugin = place_of(value);
  }
  if (result.compiler.empty() || result.includes.empty()) {
    throw Failure(2, "emulator-nvcc: " + file.string() +
                         " is missing or incomplete; build the project again");
  }
  return result;
}

std::vector<std::string> include_options(const Toolchain& toolchain) {
  std::vector<std::string> options;
  for (const std::string& folder : toolchain.includes) {
    options.push_back("-I");
    options.push_back(folder);
  }
  return options;
}

}  // namespace emulator_nvcc
