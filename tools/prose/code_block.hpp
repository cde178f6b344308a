#pragma once

/// @file
/// Fenced code blocks of prose: held against sources, programs and what there is to call.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/prose/prose.hpp"

namespace prose {

/// A block as it stands in a text.
struct CodeBlock {
  std::string kind;      ///< of the comment above it: "source", "output" and so on; empty for none
  std::string comment;   ///< what the comment says
  std::string language;  ///< behind the fence
  std::vector<std::string> lines;
};

/// What came of comparing it.
struct BlockProof {
  bool is_compared = false;
  std::vector<std::string> faults;
  std::string correction;                         ///< the fault that `right` is without
  std::optional<std::vector<std::string>> right;  ///< the lines as they should be
};

/// Compares a block of a text in `folder`; what kind of comment says what is in prose.hpp.
///
/// @throws std::runtime_error for a place or a command that is not there
BlockProof compare_block(const CodeBlock& block, const std::filesystem::path& folder,
                         const Library& library);

}  // namespace prose
