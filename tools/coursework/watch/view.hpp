#pragma once

/// @file
/// What `watch` shows, as lines: no terminal, no files.

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

/// Everything that the picture depends on.
struct Picture {
  enum class Page { verdict, list, help, question };

  Page page = Page::verdict;
  std::vector<ListEntry> entries;
  std::size_t current = 0;   ///< in entries
  std::size_t selected = 0;  ///< of the list
  std::string file;          ///< of the current exercise
  bool is_checking = false;
  std::vector<Line> body;    ///< the verdict and hints
  std::size_t scrolled = 0;  ///< rows of the body above the first that is shown
  std::string notice;        ///< one sentence about what has just been done
  std::string question;      ///< to be answered with y or n
};

/// The rows of a terminal of this size, from its top; never more than it has, nor wider.
std::vector<Line> view(const Picture& picture, Size size, bool signs);

/// The furthest that the page can be scrolled to.
std::size_t most_scrolled(const Picture& picture, Size size);
/// How many rows of the page are seen at a time; at least one.
std::size_t rows_of_page(const Picture& picture, Size size);

/// A bar of `columns` columns, the first `done` of `of` parts full.
std::string bar(std::size_t done, std::size_t of, int columns, bool signs);

}  // namespace coursework
