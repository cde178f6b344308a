#pragma once

/// @file
/// The text of the site, section by section, for the search in the reader's browser.

#include <string>
#include <vector>

#include "tools/site/book.hpp"

namespace site {

class SearchIndex {
  /// What the search finds: a section of a page, or a whole source.
  struct Entry {
    std::string address, title, section, kind, text;
  };

 public:
  explicit SearchIndex(const Book& book) : book_(book) {}

  /// Adds a page's sections. `file` is the source that the page is about; pages that only list
  /// others, and a file's own summary, are left out.
  void add(const std::string& name, const std::string& html, const std::string& file);

  /// A script that sets `courseSearchIndex`: an array of {address, title, section, kind, text}.
  std::string script() const;

 private:
  const Book& book_;
  std::vector<Entry> entries_;
};

}  // namespace site
