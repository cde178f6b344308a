#pragma once

/// @file
/// The contents of the site, in reading order.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/prose/measurements.hpp"

namespace site {

/// A Markdown file that becomes a page.
struct Page {
  std::string id;                ///< the page is id + ".html"
  std::filesystem::path source;  ///< relative to the project
  std::string label;             ///< name in the navigation
  std::string part;              ///< heading above the page in the navigation
};

/// The pages of a project, in reading order.
class Book {
 public:
  /// @throws std::runtime_error if a page or docs/measurements is missing
  explicit Book(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }
  const prose::Measurements& measurements() const { return measurements_; }
  const std::vector<Page>& pages() const { return pages_; }
  /// Returns the page made from a file; null if there is none.
  const Page* page_of(const std::filesystem::path& source) const;
  /// Returns the folders of the chapters, relative to the project, in order.
  const std::vector<std::filesystem::path>& chapters() const { return chapters_; }
  bool has_explorer() const;
  /// Returns the newest heading of the changes: "0.2.0 of 2026-11-28".
  /// @throws std::runtime_error if no heading names a version and its date
  std::string edition() const;
  /// Returns the interactive pictures by name, as JSON: the value of "live" in
  /// docs/pictures/pictures.json, with the picture's title unless it has its own.
  const std::map<std::string, std::string>& live_figures() const { return live_figures_; }
  /// Returns the titles of pictures and plots by name, of docs/pictures/pictures.json and
  /// docs/plots/plots.json.
  const std::map<std::string, std::string>& picture_titles() const { return picture_titles_; }
  /// Returns the glossary's words by anchor, each as a line with the word and one with its meaning.
  const std::map<std::string, std::string>& glossary() const { return glossary_; }

 private:
  std::filesystem::path root_;
  prose::Measurements measurements_;
  std::vector<std::filesystem::path> chapters_;
  std::vector<Page> pages_;
  std::map<std::string, std::string> live_figures_;
  std::map<std::string, std::string> picture_titles_;
  std::map<std::string, std::string> glossary_;
};

/// A kernel and its names on the site.
struct Kernel {
  std::string name;            ///< name in the chapter's program
  std::string function;        ///< name of the function in the source
  std::string listed;          ///< name in the emulator's listings, without template arguments
  std::filesystem::path file;  ///< relative to the project
  int first_line = 0, last_line = 0;
  std::string summary;  ///< first sentence of the documentation
};

/// Returns the kernels of a chapter, by file, in source order.
/// @throws std::runtime_error if a kernel has no documentation
std::vector<Kernel> kernels_of(const std::filesystem::path& root,
                               const std::filesystem::path& chapter);

/// Returns the first sentence of a header's `@file` comment.
std::string summary_of(const std::filesystem::path& file);

/// Returns the project's public headers, the library's first, then the emulator's.
std::vector<std::filesystem::path> public_headers(const std::filesystem::path& root);

}  // namespace site
