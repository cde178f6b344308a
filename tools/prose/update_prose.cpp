/// Writes the measured figures and the programs' output into the Markdown files that show them.
///
///     update_prose            after docs/measurements, or what a program prints, has changed

#include <fstream>
#include <iostream>

#include "tools/prose/prose.hpp"
#include "tools/support/project.hpp"

int main() {
  try {
    const prose::Measurements measurements(tools::source_folder() / "docs/measurements");
    const prose::Library library = prose::project_library(measurements);
    int left = 0;
    for (const auto& file : tools::prose_files()) {
      const prose::Proof first = prose::proofread(file, library);
      if (first.faults.empty()) continue;
      std::ofstream(file) << first.corrected;
      const prose::Proof second = prose::proofread(file, library);
      for (const std::string& fault : second.faults) std::cout << fault << '\n';
      left += static_cast<int>(second.faults.size());
      std::cout << file.string() << ": " << first.faults.size() - second.faults.size()
                << " places corrected\n";
    }
    return left == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "update_prose: " << error.what() << '\n';
    return 2;
  }
}
