#pragma once

/// @file
/// The steps of a chapter as a ladder: where each is explained, and how fast it is.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/site/book.hpp"

namespace site {

/// A step whose section stands on one of the chapter's pages.
struct Rung {
  std::string step;        ///< name of the step: "thread_tile_1d"
  std::string label;       ///< beginning of the section's heading: "04 thread tile, 1-D"
  std::string idea;        ///< its rest: "one load, eight uses"
  std::string page;        ///< Page::id of the page
  std::string anchor;      ///< of the section
  double gflop_per_s = 0;  ///< on an H200 with matrices of 4096 x 4096; 0 if it was not measured

  std::string number() const { return label.substr(0, label.find(' ')); }
  std::string name() const { return label.substr(label.find(' ') + 1); }
  std::string address() const { return page + ".html#" + anchor; }
};

/// Returns the rungs of a chapter, in reading order: of each section whose heading begins with the
/// number of a file in the chapter's folder `steps`.
std::vector<Rung> rungs_of(const Book& book, const std::filesystem::path& chapter);

/// Returns the speed of a chapter's program or of the library that it is compared with, as in
/// Rung::gflop_per_s.
double speed_of(const Book& book, const std::filesystem::path& chapter, const std::string& step);

/// Returns the rail above a page of the chapter: all rungs, and how far up the page is. Nothing if
/// the page stands below the first rung's page or above the last one's.
std::string rail(const Book& book, const Page& page);

/// Returns bars of the speeds of these steps, and of a yardstick, each with a link to its section.
std::string speed_bars(const Book& book, const std::filesystem::path& chapter,
                       const std::vector<std::string>& steps, const std::string& yardstick);

}  // namespace site
