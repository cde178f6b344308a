#include "cccl.hpp"

#include <cstdlib>
#include <filesystem>

namespace emulator_nvcc {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& file) {
  std::error_code failed;
  return fs::is_regular_file(file, failed);
}

/// Returns the folders in which CCCL may be, in order of preference: the one that COURSE_CCCL
/// names; a CUDA Toolkit's, which keeps CCCL apart from CUDA's headers since version 13; Debian's.
std::vector<fs::path> places_of_cccl(const Toolchain& toolchain) {
  if (const char* const folder = std::getenv("COURSE_CCCL")) return {folder};
  std::vector<fs::path> folders;
  for (const char* const name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const toolkit = std::getenv(name); toolkit && *toolkit)
      folders.push_back(fs::path(toolkit) / "include/cccl");
  folders.insert(folders.end(), {"/usr/local/cuda/include/cccl", "/opt/cuda/include/cccl"});
  if (!toolchain.cccl.empty()) folders.emplace_back(toolchain.cccl);
  return folders;
}

/// Returns whether the folder has only CCCL's headers; CUDA's own would be found before the
/// emulator's.
bool is_part_of_cccl(const fs::path& folder) {
  const bool is_part = is_file(folder / "cub" / "version.cuh") ||
                       is_file(folder / "thrust" / "version.h") ||
                       is_file(folder / "cuda" / "std" / "version");
  return is_part && !is_file(folder / "cuda_runtime.h");
}

}  // namespace

std::string cccl_with(const std::string& header, const Toolchain& toolchain) {
  if (header.empty()) return {};
  for (const fs::path& folder : places_of_cccl(toolchain))
    if (is_file(folder / header)) return folder.string();
  return {};
}

bool is_header_of_cccl(const std::string& header) {
  return header.starts_with("thrust/") || header.starts_with("cub/") ||
         header.starts_with("cuda/") || header.starts_with("nv/");
}

std::string cccl_read_in(const std::string& preprocessed, const Toolchain& toolchain) {
  for (const std::string header : {"cub/version.cuh", "thrust/version.h", "cuda/std/version"}) {
    const std::string folder = header.substr(0, header.find('/') + 1);
    if (is_file("/usr/include/" + header) &&
        preprocessed.find(" \"/usr/include/" + folder) != preprocessed.npos)
      return cccl_with(header, toolchain);
  }
  return {};
}

std::vector<std::string> cccl_folders_in(const Command& options) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string option : {"-I", "-isystem"}) {
      if (!options[i].starts_with(option)) continue;
      std::string folder = options[i].substr(option.size());
      if (folder.empty() && i + 1 < options.size()) folder = options[i + 1];
      while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
      if (!folder.empty() && is_part_of_cccl(folder)) folders.push_back(folder);
    }
  }
  return folders;
}

Command options_of_cccl(const std::vector<std::string>& folders) {
  Command options;
  if (folders.empty()) return options;
  // Before the emulator's own headers, some of which replace CCCL's.
  for (const std::string& folder : folders) options.insert(options.end(), {"-I", folder});
  options.push_back("-fno-canonical-system-headers");  // lines name the files in these folders
  options.push_back("-DCCCL_DISABLE_NVFP8_SUPPORT");   // which few programs ask for
  options.push_back("-DCCCL_DISABLE_NVTX");            // whose marks nobody reads here
  return options;
}

Command flags_for_cccl() {
  // CUB writes `using BlockScan = BlockScan<T>;` in its classes; nvcc hides that from g++.
#if __GNUC__ >= 13
  return {"-Wno-changes-meaning"};
#else
  return {"-fpermissive"};
#endif
}

}  // namespace emulator_nvcc
