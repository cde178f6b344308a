#pragma once

/// @file
/// Checks fenced code blocks of prose against sources, programs and commands.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/prose/prose.hpp"

namespace prose {

/// A block as it appears in a text.
struct CodeBlock {
  /// Kind of the comment above: "source", "output" and so on; empty if there is none.
  std::string kind;
  std::string comment;   ///< text of that comment
  std::string language;  ///< language after the fence
  std::vector<std::string> lines;
};

/// The result of comparing a block.
struct BlockProof {
  bool is_compared = false;
  std::vector<std::string> faults;
  std::string correction;                         ///< the fault that `right` corrects
  std::optional<std::vector<std::string>> right;  ///< the lines as they should be
};

/// Compares a block of a text in `folder`; prose.hpp lists the kinds of comments.
///
/// @throws std::runtime_error for a place or command that does not exist
BlockProof compare_block(const CodeBlock& block, const std::filesystem::path& folder,
                         const Library& library);

}  // namespace prose
