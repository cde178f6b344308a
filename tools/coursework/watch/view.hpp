#pragma once

/// @file
/// Lays out the screen of `watch` as lines; uses neither terminal nor files.

#include <cstddef>
#include <string>
#include <vector>

#include "tools/coursework/answers/progress.hpp"
#include "tools/coursework/show/styled.hpp"

namespace coursework {

/// An exercise in the list.
struct ListEntry {
  std::string id;  ///< "02_1"
  std::string title;
  int points = 0;
  Progress::State state = Progress::State::unknown;
};

/// All data that the screen shows.
struct Picture {
  enum class Page { verdict, list, help, question };

  Page page = Page::verdict;
  std::vector<ListEntry> entries;
  std::size_t current = 0;   ///< index in `entries`
  std::size_t selected = 0;  ///< index of the list's selected entry
  std::string file;          ///< file name of the current exercise
  bool is_checking = false;
  std::vector<Line> body;    ///< the verdict and hints
  std::size_t scrolled = 0;  ///< rows of the body above the first visible one
  std::string notice;        ///< a sentence about the last action
  std::string question;      ///< a question to answer with y or n
};

/// Returns the rows of a terminal of this size, from the top; none is too wide.
std::vector<Line> view(const Picture& picture, Size size, bool signs);

/// Returns the largest valid `scrolled`.
std::size_t most_scrolled(const Picture& picture, Size size);
/// Returns how many rows of the page are visible; at least one.
std::size_t rows_of_page(const Picture& picture, Size size);

/// Returns a bar of `columns` columns, filled by `done` / `of`.
std::string bar(std::size_t done, std::size_t of, int columns, bool signs);

}  // namespace coursework
