#pragma once

/// @file
/// The page that says what of CUDA the emulator has: docs/conformance.md.
///
/// Nothing on it is typed. What is supported stands in the emulator's headers and tables, what is
/// refused in emulator/unsupported/features.txt, and what is tested in the sources of the tests.

#include <string>
#include <vector>

namespace conformance {

/// A part of CUDA, such as "Streams" of the runtime API.
struct Area {
  std::string title;
  std::vector<std::string> supported;  ///< names, sorted, each once
  std::vector<std::string> untested;   ///< those among them that no test and no chapter mentions
  std::vector<std::string> refused;    ///< names whose use stops the build with one line
};

/// A chapter of the page.
struct Section {
  std::string title;
  std::string source;  ///< the file that the names come from
  std::vector<Area> areas;
  std::string beside;  ///< what else they come from, in words
};

/// What the emulator of this tree has.
/// @throws std::runtime_error if a file cannot be read
std::vector<Section> sections();

/// The page as Markdown.
std::string page(const std::vector<Section>& all);

}  // namespace conformance
