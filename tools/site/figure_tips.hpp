#pragma once

/// @file
/// The popovers of figures: the exact value or its place in a table, what it was computed from, and
/// where and when that was measured.

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

  /// Returns what the popover of a figure says: a heading, and a line for each of figure_words().
  const std::string& tip(std::size_t number) const { return tips_.at(number); }

  const prose::Figures& figures() const { return figures_; }

 private:
  std::string marked_line(const std::string& line);
  std::string marked_table(const std::string& name);
  std::string mark(const std::string& heading, const prose::Figure& figure);
  /// Marks a figure whose popover begins with its value, for the text rounds it.
  std::string mark_exactly(const prose::Figure& figure);

  prose::Figures figures_;
  const prose::Measurements& measurements_;
  std::vector<std::string> tips_;
};

}  // namespace site
