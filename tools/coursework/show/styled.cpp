#include "tools/coursework/show/styled.hpp"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace coursework {
namespace {

constexpr char32_t kUnreadable = 0xfffd;
constexpr int kTabColumns = 4;

/// A character of a text with its bytes.
struct Sign {
  char32_t code = kUnreadable;
  std::size_t bytes = 1;
};

/// Returns the first character of a text that is not empty. An invalid byte counts as an unreadable
/// character.
Sign first_sign(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  char32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((at(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (at(i) & 0x3fU);
  }
  return {code, bytes};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

int columns_of(const Sign& sign) {
  if (sign.code == '\t') return kTabColumns;
  if (is_control(sign.code)) return 1;
  // wcwidth() only knows characters of the locale's character set.
  const int width = wcwidth(static_cast<wchar_t>(sign.code));
  return width < 0 ? 1 : width;
}

/// A character with its style, so that lines can be broken anywhere.
struct Cell {
  std::string_view bytes;
  int columns = 0;
  Style style = Style::plain;
};

std::vector<Cell> cells_of(const Line& line) {
  std::vector<Cell> cells;
  for (const Piece& piece : line.pieces) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const Sign sign = first_sign(rest);
      cells.push_back({rest.substr(0, sign.bytes), columns_of(sign), piece.style});
      rest.remove_prefix(sign.bytes);
    }
  }
  return cells;
}

Line line_of(const Cell* begin, const Cell* end) {
  Line line;
  for (const Cell* cell = begin; cell != end; ++cell) {
    if (line.pieces.empty() || line.pieces.back().style != cell->style) line.add("", cell->style);
    line.pieces.back().text += cell->bytes;
  }
  return line;
}

/// Returns the end of the row that begins at `begin`: the last blank that fits into `columns`, or
/// where the width ends. A row has at least one character.
const Cell* end_of_row(const Cell* begin, const Cell* end, int columns, bool verbatim) {
  const Cell* last = begin;
  for (int used = 0; last != end && used + last->columns <= columns; ++last) used += last->columns;
  if (last == end || verbatim) return std::max(last, begin + 1);
  const Cell* blank = last;
  while (blank != begin && blank->bytes != " ") --blank;
  // Blanks at the beginning of a row are no break.
  const bool has_word =
      std::any_of(begin, blank, [](const Cell& cell) { return cell.bytes != " "; });
  return has_word ? blank : std::max(last, begin + 1);
}

/// Returns a text without characters that control the terminal.
std::string harmless(std::string_view text, bool utf8) {
  std::string result;
  while (!text.empty()) {
    const Sign sign = first_sign(text);
    if (sign.code == '\t') {
      result += std::string(kTabColumns, ' ');
    } else if (is_control(sign.code) || (!utf8 && sign.code >= 0x80)) {
      result += '?';
    } else if (sign.code == kUnreadable) {
      result += "\xef\xbf\xbd";
    } else {
      result += text.substr(0, sign.bytes);
    }
    text.remove_prefix(sign.bytes);
  }
  return result;
}

const char* code_of(Style style) {
  switch (style) {
    case Style::good:
      return "\033[32m";
    case Style::bad:
      return "\033[31m";
    case Style::faint:
      return "\033[2m";
    case Style::strong:
      return "\033[1m";
    case Style::inverse:
      return "\033[7m";
    case Style::plain:
      break;
  }
  return "";
}

}  // namespace

Look look_of_output() {
  setlocale(LC_CTYPE, "");
  Look look;
  if (isatty(STDOUT_FILENO) != 1) return look;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  look.colour = (no_colour == nullptr || *no_colour == '\0') && !is_dumb;
  look.utf8 = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  look.signs = look.utf8;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) look.width = size.ws_col;
  return look;
}

int columns_of(const Line& line) {
  int columns = 0;
  for (const Cell& cell : cells_of(line)) columns += cell.columns;
  return columns;
}

std::vector<Line> wrap(const Line& line, int width) {
  if (width <= 0) return {line};
  const std::vector<Cell> cells = cells_of(line);
  const Cell* const end = cells.data() + cells.size();
  // A narrow terminal has no room for an indent.
  const int indent = line.indent * 2 < width ? line.indent : 0;
  std::vector<Line> rows;
  const Cell* begin = cells.data();
  do {
    const int room = rows.empty() ? width : width - indent;
    const Cell* row_end = begin == end ? end : end_of_row(begin, end, room, line.verbatim);
    Line row = line_of(begin, row_end);
    if (!rows.empty() && indent > 0)
      row.pieces.insert(row.pieces.begin(), {std::string(indent, ' '), Style::plain});
    rows.push_back(std::move(row));
    begin = row_end;
    while (!line.verbatim && begin != end && begin->bytes == " ") ++begin;
  } while (begin != end);
  return rows;
}

Line cut(const Line& line, int width) {
  const std::vector<Cell> cells = cells_of(line);
  const Cell* const begin = cells.data();
  const Cell* last = begin;
  for (int used = 0; last != begin + cells.size() && used + last->columns <= width; ++last)
    used += last->columns;
  return line_of(begin, last);
}

std::string render(const Line& line, const Look& look) {
  std::string text;
  for (const Piece& piece : line.pieces) {
    const bool styled = look.colour && piece.style != Style::plain && !piece.text.empty();
    if (styled) text += code_of(piece.style);
    text += harmless(piece.text, look.utf8);
    if (styled) text += "\033[0m";
  }
  return text;
}

std::string render(const std::vector<Line>& lines, const Look& look) {
  std::string text;
  for (const Line& line : lines)
    for (const Line& row : wrap(line, look.width)) text += render(row, look) + '\n';
  return text;
}

}  // namespace coursework
