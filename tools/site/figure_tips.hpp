#pragma once

/// @file
/// Tooltips of figures: the name, the figures it was computed from, and the source.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace site {

/// The figures of one page.
class FigureTips {
 public:
  /// `page` is a Markdown file of the project in `root`, with its figures.txt in the same folder.
  FigureTips(const std::filesystem::path& page, const std::filesystem::path& root,
             const prose::Measurements& measurements);

  /// Returns the page's text with "<!--@3-->" after figure number 3, also in generated tables.
  /// @throws std::runtime_error if a figure cannot be computed, or a table's description is wrong
  std::string marked(const std::string& markdown);

  /// Returns the tooltip of a figure: "speedup, measured: h200/...".
  const std::string& tip(std::size_t number) const { return tips_.at(number); }

  const prose::Figures& figures() const { return figures_; }

 private:
  std::string marked_line(const std::string& line);
  std::string marked_table(const std::string& name);
  std::string mark(const std::string& tip);

  prose::Figures figures_;
  std::vector<std::string> tips_;
};

}  // namespace site
