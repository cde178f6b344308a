/// Writes measured figures and programs' output into the Markdown files that show them.
///
///     update_prose            after a change of docs/measurements or of a program's output
///
/// Prints each correction by name with its sentence or row, then the remaining faults.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "tools/prose/prose.hpp"
#include "tools/support/project.hpp"

int main() {
  try {
    const prose::Measurements measurements(tools::source_folder() / "docs/measurements");
    const prose::Library library = prose::project_library(measurements);
    std::map<std::filesystem::path, std::set<std::string>> used;  // by figures.txt
    std::vector<std::string> left;
    for (const auto& file : tools::prose_files()) {
      prose::Proof proof = prose::proofread(file, library);
      for (const std::string& correction : proof.corrections)
        std::cout << "corrected: " << correction << '\n';
      if (!proof.corrections.empty()) {
        std::ofstream(file) << proof.corrected;
        proof = prose::proofread(file, library);
      }
      left.insert(left.end(), proof.faults.begin(), proof.faults.end());
      used[file.parent_path() / "figures.txt"].merge(proof.used);
    }
    for (const auto& [file, names] : used)
      for (const std::string& fault : prose::check_figures(file, names, library))
        left.push_back(fault);
    for (const std::string& fault : left) std::cout << "left to do: " << fault << '\n';
    return left.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "update_prose: " << error.what() << '\n';
    return 2;
  }
}
