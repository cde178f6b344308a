#pragma once

/// @file
/// Indexes the text of the site by section, for searching in the browser.

#include <string>
#include <vector>

#include "tools/site/frame.hpp"

namespace site {

class SearchIndex {
  /// A search result: a section of a page, or a whole source.
  struct Entry {
    std::string address, title, section, kind, text;
  };

 public:
  /// Adds the sections of a page; `kind` is "lesson" or "reference".
  void add_sections(const Contents& page, const std::string& kind);

  /// Adds the lines of a source.
  void add_source(const Contents& page);

  /// A script that sets a variable of this name: an array of {address, title, section, kind, text}.
  std::string script(const std::string& variable) const;

 private:
  void add(const Contents& page, const std::string& kind, const std::string& anchor,
           const std::string& section, const std::string& text);

  std::vector<Entry> entries_;
};

}  // namespace site
