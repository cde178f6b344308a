#pragma once

/// @file
/// What the site holds, in reading order.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace site {

/// A Markdown file that becomes a page.
struct Page {
  std::string id;                ///< the page is id + ".html"
  std::filesystem::path source;  ///< relative to the project
  std::string label;             ///< in the navigation
  std::string part;              ///< heading above it in the navigation
};

/// The pages of a project, in the order in which they are read.
class Book {
 public:
  /// @throws std::runtime_error if one of the pages is not there, or docs/measurements
  explicit Book(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }
  const prose::Measurements& measurements() const { return measurements_; }
  const std::vector<Page>& pages() const { return pages_; }
  /// The page made from a file; null if there is none.
  const Page* page_of(const std::filesystem::path& source) const;
  /// The folders of the chapters, relative to the project, in order.
  const std::vector<std::filesystem::path>& chapters() const { return chapters_; }
  bool has_explorer() const;
  /// What the newest heading of the changes says: "0.2.0 of 2026-11-28".
  /// @throws std::runtime_error if no heading names a version and its date
  std::string edition() const;
  /// The pictures that a reader can move, by name: what docs/pictures/pictures.json calls "live",
  /// with the picture's title unless it has its own, as JSON.
  const std::map<std::string, std::string>& live_figures() const { return live_figures_; }
  /// The anchors of the glossary's words.
  const std::set<std::string>& glossary() const { return glossary_; }

 private:
  std::filesystem::path root_;
  prose::Measurements measurements_;
  std::vector<std::filesystem::path> chapters_;
  std::vector<Page> pages_;
  std::map<std::string, std::string> live_figures_;
  std::set<std::string> glossary_;
};

/// A kernel as the site refers to it.
struct Kernel {
  std::string name;            ///< as the chapter's program calls it
  std::string function;        ///< in the source
  std::string listed;          ///< as the emulator's listings call it, less template arguments
  std::filesystem::path file;  ///< relative to the project
  int first_line = 0, last_line = 0;
  std::string summary;  ///< first sentence of its documentation
};

/// The kernels of a chapter, file by file in the order in which they stand.
/// @throws std::runtime_error if one has no documentation
std::vector<Kernel> kernels_of(const std::filesystem::path& root,
                               const std::filesystem::path& chapter);

/// The first sentence of a header's `@file` comment.
std::string summary_of(const std::filesystem::path& file);

/// The project's headers that readers may include, the library's first, then the emulator's.
std::vector<std::filesystem::path> public_headers(const std::filesystem::path& root);

}  // namespace site
