/// Writes docs/conformance.md.
///
///     update_conformance        after the emulator got a new feature

#include <fstream>
#include <iostream>

#include "tools/conformance/conformance.hpp"
#include "tools/support/project.hpp"

int main() {
  try {
    const auto file = tools::source_folder() / "docs/conformance.md";
    if (!(std::ofstream(file) << conformance::page(conformance::sections())).flush())
      throw std::runtime_error("cannot write " + file.string());
  } catch (const std::exception& error) {
    std::cerr << "update_conformance: " << error.what() << '\n';
    return 2;
  }
}
