/// Writes docs/exercises.json, which ./course list --exercises prints.
///
///     update_exercises            after a change of an exercise

#include <fstream>
#include <iostream>

#include "tools/coursework/list/listing.hpp"
#include "tools/support/project.hpp"

int main() {
  try {
    const std::filesystem::path root = tools::source_folder();
    const std::filesystem::path file = root / coursework::kListingFile;
    const std::string listing = coursework::listing_of(coursework::read_exercises(root));
    if (!(std::ofstream(file, std::ios::binary) << listing).flush())
      throw std::runtime_error("cannot write " + file.string());
  } catch (const std::exception& error) {
    std::cerr << "update_exercises: " << error.what() << '\n';
    return 2;
  }
}
