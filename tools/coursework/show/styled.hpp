#pragma once

/// @file
/// Text for a terminal: lines of coloured pieces, wrapped and cut to a width in columns.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// What a terminal or file can show.
struct Look {
  bool colour = false;
  bool utf8 = true;    ///< texts may contain non-ASCII characters
  bool signs = false;  ///< we add such characters: check marks and bars
  int width = 0;       ///< columns; 0: no wrapping
};

/// Returns what standard output can show: colours only in a terminal without NO_COLOR, our signs
/// only in a terminal with a UTF-8 locale. Other outputs receive all characters unchanged.
Look look_of_output();

/// Size of a terminal.
struct Size {
  int columns = 80;
  int rows = 24;
};

enum class Style { plain, good, bad, faint, strong, inverse };

struct Piece {
  std::string text;
  Style style = Style::plain;
};

/// One line. Continuation lines are indented by `indent`. In `verbatim` lines, such as a compiler's
/// output, columns matter: they break at the edge, not between words.
struct Line {
  std::vector<Piece> pieces;
  int indent = 0;
  bool verbatim = false;

  Line() = default;
  Line(std::string text, Style style = Style::plain) { add(std::move(text), style); }
  Line& add(std::string text, Style style = Style::plain) {
    pieces.push_back({std::move(text), style});
    return *this;
  }
};

/// Breaks the line into pieces of at most `width` columns; 0: no breaks.
std::vector<Line> wrap(const Line& line, int width);

/// Cuts the line to at most `width` columns.
Line cut(const Line& line, int width);

/// Returns the width of the line in columns.
int columns_of(const Line& line);

/// Returns the line as bytes for the terminal, without a newline. Control characters are replaced,
/// because they could control the terminal; without UTF-8, so are non-ASCII characters.
std::string render(const Line& line, const Look& look);

/// Returns the lines with newlines, wrapped to the look's width.
std::string render(const std::vector<Line>& lines, const Look& look);

}  // namespace coursework
