#pragma once

/// @file
/// Indexes the text of the site by section, for searching in the browser.

#include <string>
#include <vector>

#include "tools/site/book.hpp"

namespace site {

class SearchIndex {
  /// A search result: a section of a page, or a whole source.
  struct Entry {
    std::string address, title, section, kind, text;
  };

 public:
  explicit SearchIndex(const Book& book) : book_(book) {}

  /// Adds a page's sections. `file` is the source that the page documents. Pages that only list
  /// other pages, and a file's own summary, are left out.
  void add(const std::string& name, const std::string& html, const std::string& file);

  /// Returns a script that sets `courseSearchIndex`: an array of {address, title, section, kind,
  /// text}.
  std::string script() const;

 private:
  const Book& book_;
  std::vector<Entry> entries_;
};

}  // namespace site
