#include "tools/support/project.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "tools/support/source_text.hpp"

namespace tools {

namespace fs = std::filesystem;

fs::path source_folder() { return COURSE_SOURCE_DIR; }

std::vector<fs::path> chapter_folders() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(source_folder() / "chapters"))
    if (fs::exists(entry.path() / "main.cu")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string chapter_numbered(const fs::path& root, const std::string& number) {
  for (const auto& entry : fs::directory_iterator(root / "chapters"))
    if (entry.path().filename().string().starts_with(number + "_"))
      return entry.path().filename().string();
  throw std::runtime_error("there is no chapter " + number);
}

namespace {

/// Appends the folder's files whose names end with `ending`, sorted.
void append_files(const fs::path& folder, const std::string& ending, std::vector<fs::path>* files) {
  const auto first = static_cast<std::ptrdiff_t>(files->size());
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) files->push_back(entry.path());
  std::sort(files->begin() + first, files->end());
}

}  // namespace

std::vector<fs::path> kernel_files(const fs::path& chapter) {
  std::vector<fs::path> files;
  if (!fs::exists(chapter / "steps")) return {chapter / "kernels.cuh"};
  append_files(chapter / "steps", ".cuh", &files);
  std::erase_if(files, [](const fs::path& file) {
    return !std::isdigit(static_cast<unsigned char>(file.filename().string()[0]));
  });
  return files;
}

std::vector<std::string> kernel_names(const fs::path& chapter) {
  std::vector<std::string> names;
  for (const fs::path& file : kernel_files(chapter)) {
    if (file.parent_path() != chapter) {
      names.push_back(step_name(file));
      continue;
    }
    for (const Function& function : functions_in(read_lines(file)))
      if (function.is_kernel) names.push_back(function.name);
  }
  return names;
}

std::vector<fs::path> prose_files() {
  std::vector<fs::path> files = {source_folder() / "README.md", source_folder() / "CONTRIBUTING.md",
                                 source_folder() / "emulator/README.md"};
  for (const auto& entry : fs::directory_iterator(source_folder() / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  for (const fs::path& folder : chapter_folders()) append_files(folder, ".md", &files);
  return files;
}

}  // namespace tools
