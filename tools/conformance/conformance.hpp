#pragma once

/// @file
/// Writes docs/conformance.md, the page about which parts of CUDA the emulator supports.
///
/// Everything on the page is generated: supported names from the emulator's headers and tables,
/// refused ones from emulator/unsupported/features.txt, tested ones from the tests' sources.

#include <string>
#include <vector>

namespace conformance {

/// A part of CUDA, such as "Streams" of the runtime API.
struct Area {
  std::string title;
  std::vector<std::string> supported;  ///< sorted names without duplicates
  std::vector<std::string> untested;   ///< supported names that no test and no chapter mentions
  std::vector<std::string> refused;    ///< names whose use stops the build with a one-line message
};

/// A chapter of the page.
struct Section {
  std::string title;
  std::string source;  ///< the file that contains the names
  std::vector<Area> areas;
  std::string beside;  ///< further sources, in words
};

/// Returns the emulator's features in this tree.
/// @throws std::runtime_error if a file cannot be read
std::vector<Section> sections();

/// Returns the page as Markdown.
std::string page(const std::vector<Section>& all);

}  // namespace conformance
