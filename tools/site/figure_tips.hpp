#pragma once

/// @file
/// What a figure tells who points at it: its name, what it was worked out from, and its source.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/prose/figures.hpp"

namespace site {

/// The figures of one page.
class FigureTips {
 public:
  /// `page` is a Markdown file of the project in `root`; its figures.txt stands beside it.
  FigureTips(const std::filesystem::path& page, const std::filesystem::path& root,
             const prose::Measurements& measurements);

  /// The page's text with "<!--@3-->" behind the figure number 3, in generated tables too.
  /// @throws std::runtime_error if a figure cannot be worked out, or a table is described wrongly
  std::string marked(const std::string& markdown);

  /// What to tell of that figure: "speedup, measured: h200/...".
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
