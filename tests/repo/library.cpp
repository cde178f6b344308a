#include "repo/library.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/subprocess.hpp"

namespace repo {

namespace fs = std::filesystem;

fs::path source_folder() { return COURSE_SOURCE_DIR; }

std::vector<fs::path> chapter_folders() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(source_folder() / "chapters"))
    if (fs::exists(entry.path() / "main.cu")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<fs::path> prose_files() {
  std::vector<fs::path> files = {source_folder() / "README.md", source_folder() / "CONTRIBUTING.md",
                                 source_folder() / "emulator/README.md"};
  for (const auto& entry : fs::directory_iterator(source_folder() / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  for (const fs::path& folder : chapter_folders()) files.push_back(folder / "README.md");
  return files;
}

Library project_library(const Measurements& measurements) {
  Library library = {source_folder(), &measurements, {}};
  if (std::string(COURSE_BACKEND_NAME) != "emulator") return library;
  library.output_of = [](const std::vector<std::string>& command) {
    std::vector<std::string> words = command;
    words.at(0) = COURSE_PROGRAM_FOLDER "/" + words[0];
    const auto result = test_support::run_command(words);
    if (result.status != 0) throw std::runtime_error(words[0] + " failed: " + result.err);
    return result.out;
  };
  return library;
}

}  // namespace repo
