#pragma once

/// @file
/// Text for a terminal: lines of coloured pieces, wrapped and cut by the columns they take.

#include <string>
#include <string_view>
#include <vector>

namespace coursework {

/// What a terminal, or a file, can show.
struct Look {
  bool colour = false;
  bool utf8 = true;    ///< other signs than ASCII's may be in texts
  bool signs = false;  ///< we put some there ourselves: check marks, bars
  int width = 0;       ///< columns; 0: lines are never wrapped
};

/// What standard output can show: colours only in a terminal and without NO_COLOR, signs only in a
/// terminal whose locale has UTF-8. What is no terminal takes everything as it comes.
Look look_of_output();

/// Of a terminal.
struct Size {
  int columns = 80;
  int rows = 24;
};

enum class Style { plain, good, bad, faint, strong, inverse };

struct Piece {
  std::string text;
  Style style = Style::plain;
};

/// One line. `indent` is where the lines begin that it is wrapped into; compilers' output, whose
/// columns mean something, is `verbatim`: broken at the edge, but not between words.
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

/// The line in pieces no wider than `width` columns; itself if that is 0.
std::vector<Line> wrap(const Line& line, int width);

/// The line, not wider than `width` columns.
Line cut(const Line& line, int width);

/// The columns that the line takes.
int columns_of(const Line& line);

/// The line as bytes for the terminal, without a line end. Control characters of the text are
/// replaced, so that it cannot do anything to the terminal; so are, without UTF-8, other signs than
/// ASCII's.
std::string render(const Line& line, const Look& look);

/// Lines, each with its line end, wrapped to the look's width.
std::string render(const std::vector<Line>& lines, const Look& look);

}  // namespace coursework
