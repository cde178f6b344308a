#include "tools/coursework/watch/view.hpp"

#include <algorithm>
#include <array>

#include "tools/coursework/show/verdict_lines.hpp"

namespace coursework {
namespace {

using State = Progress::State;

constexpr int kRowsForBlankLines = 16;  // a terminal with fewer rows shows no blank lines

std::size_t count_right(const Picture& picture) {
  return std::ranges::count(picture.entries, State::right, &ListEntry::state);
}

/// "Warp by Warp  [#####-----]  7 of 16 right"
Line progress_line(const Picture& picture, int columns, bool signs) {
  const std::size_t right = count_right(picture), of = picture.entries.size();
  const std::string count = "  " + std::to_string(right) + " of " + std::to_string(of) + " right";
  const std::string name = columns >= 60 ? "Warp by Warp  " : "";
  constexpr int kMostColumns = 40;
  const int room = columns - static_cast<int>(name.size() + count.size());
  Line line(name, Style::strong);
  if (room > 4) line.add(bar(right, of, std::min(room, kMostColumns), signs), Style::good);
  return line.add(count);
}

Line file_line(const Picture& picture) {
  Line line(picture.file, Style::faint);
  if (picture.is_checking) line.add("  checking ...", Style::strong);
  return line;
}

Line keys_line(const Picture& picture, int columns) {
  using Texts = std::array<const char*, 3>;
  static constexpr Texts kVerdict = {
      "h hint  n next  p previous  l list  r reset  c check  q quit  ? help",
      "h hint  n next  l list  q quit  ? help", "? help"};
  static constexpr Texts kList = {"up, down: choose  enter: go there  l: back",
                                  "enter: go  l: back", "l: back"};
  static constexpr Texts kHelp = {"any other key: back", "back: any key", "?: back"};
  static constexpr Texts kQuestion = {"y: yes  n: no", "y: yes  n: no", "y/n"};
  const Texts& texts = picture.page == Picture::Page::verdict ? kVerdict
                       : picture.page == Picture::Page::list  ? kList
                       : picture.page == Picture::Page::help  ? kHelp
                                                              : kQuestion;
  for (const char* text : texts)
    if (columns_of(Line(text)) <= columns) return Line(text, Style::faint);
  return {};
}

Line list_row(const ListEntry& entry, bool is_selected, bool is_current, bool signs) {
  const char* mark = entry.state == State::right     ? (signs ? "\u2713" : "+")
                     : entry.state == State::unknown ? "?"
                                                     : (signs ? "\u00b7" : ".");
  Line line(is_selected ? "> " : "  ", Style::strong);
  line.add(mark, entry.state == State::right ? Style::good : Style::faint);
  const std::string text = " " + shown_id(entry.id) + "  " + entry.title + ", " +
                           counted(entry.points, "point") + (is_current ? " (current)" : "");
  return line.add(text, is_selected ? Style::inverse : Style::plain);
}

std::vector<Line> help_lines() {
  std::vector<Line> lines;
  const auto add = [&](const std::string& key, const std::string& what) {
    lines.push_back(Line(key, Style::strong).add(std::string(9 - key.size(), ' ') + what));
    lines.back().indent = 9;
  };
  add("h", "the next hint, from a nudge to nearly the answer");
  add("n p", "the next exercise, the previous one");
  add("l", "all exercises, to choose one");
  add("r", "begin again: the starter takes your file's place; your file is kept beside it as .bak");
  add("c", "check again");
  add("up down", "scroll; so do j and k, space and b");
  add("q", "quit; what is right stays right");
  lines.emplace_back("");
  lines.emplace_back(
      "Open the file that stands above in your editor. Whenever you save it, it is checked.");
  return lines;
}

/// Returns the rows of the whole page, regardless of scrolling.
std::vector<Line> page_rows(const Picture& picture, int columns, bool signs) {
  std::vector<Line> lines;
  if (picture.page == Picture::Page::list) {
    for (std::size_t i = 0; i < picture.entries.size(); ++i)
      lines.push_back(
          list_row(picture.entries[i], i == picture.selected, i == picture.current, signs));
    return lines;
  }
  if (picture.page == Picture::Page::question)
    lines = {Line(picture.question, Style::strong), Line("")};
  const auto& rest = picture.page == Picture::Page::help ? help_lines() : picture.body;
  lines.insert(lines.end(), rest.begin(), rest.end());
  std::vector<Line> rows;
  for (const Line& line : lines)
    for (Line& row : wrap(line, columns)) rows.push_back(std::move(row));
  return rows;
}

/// The distribution of a terminal's rows.
struct Shares {
  int head = 0;        ///< progress and file
  bool blank = false;  ///< between head and page, and between page and foot
  int page = 0;
  int foot = 0;  ///< a notice, keys
};

Shares share_out(const Picture& picture, Size size) {
  Shares shares;
  const int notice = picture.notice.empty() ? 0 : 1;
  shares.blank = size.rows >= kRowsForBlankLines;
  shares.head = size.rows >= 5 ? 2 : size.rows >= 3 ? 1 : 0;
  shares.foot = size.rows >= 6 ? 1 + notice : notice;
  shares.page = std::max(0, size.rows - shares.head - shares.foot - (shares.blank ? 2 : 0));
  return shares;
}

/// Returns the visible part of the page. Its last row says how much follows, if the page is text.
std::vector<Line> seen_part(const std::vector<Line>& rows, std::size_t from, std::size_t room,
                            bool is_text) {
  std::vector<Line> seen;
  for (std::size_t i = from; i < rows.size() && seen.size() < room; ++i) seen.push_back(rows[i]);
  const std::size_t below = rows.size() - std::min(rows.size(), from + seen.size());
  if (below > 0 && room > 1 && is_text)
    seen.back() = Line("-- " + std::to_string(below + 1) + " more below --", Style::faint);
  return seen;
}

}  // namespace

std::string bar(std::size_t done, std::size_t of, int columns, bool signs) {
  const int inner = std::max(0, columns - 2);
  int full = of == 0 ? 0 : static_cast<int>(done * inner / of);
  if (done > 0) full = std::max(full, 1);
  std::string text = "[";
  for (int i = 0; i < inner; ++i)
    text += i < full ? (signs ? "\u2588" : "#") : signs ? "\u2591" : "-";
  return text + "]";
}

std::size_t rows_of_page(const Picture& picture, Size size) {
  return std::max(1, share_out(picture, size).page);
}

std::size_t most_scrolled(const Picture& picture, Size size) {
  const std::size_t rows = page_rows(picture, size.columns, false).size();
  const std::size_t room = rows_of_page(picture, size);
  return rows > room ? rows - room : 0;
}

std::vector<Line> view(const Picture& picture, Size size, bool signs) {
  const Shares shares = share_out(picture, size);
  std::vector<Line> rows;
  if (shares.head > 0) rows.push_back(progress_line(picture, size.columns, signs));
  if (shares.head > 1) rows.push_back(file_line(picture));
  if (shares.blank) rows.emplace_back("");

  const std::vector<Line> page = page_rows(picture, size.columns, signs);
  std::size_t from = std::min(picture.scrolled, most_scrolled(picture, size));
  const std::size_t room = shares.page;
  if (picture.page == Picture::Page::list && room > 0)  // keep the selected entry in the middle
    from = std::min(picture.selected > room / 2 ? picture.selected - room / 2 : 0,
                    most_scrolled(picture, size));
  const auto seen = seen_part(page, from, room, picture.page != Picture::Page::list);
  rows.insert(rows.end(), seen.begin(), seen.end());

  rows.resize(static_cast<std::size_t>(std::max(0, size.rows - shares.foot)));
  if (!picture.notice.empty() && shares.foot > 0) rows.emplace_back(picture.notice, Style::strong);
  if (shares.foot > (picture.notice.empty() ? 0 : 1))
    rows.push_back(keys_line(picture, size.columns));
  for (Line& row : rows) row = cut(row, size.columns);
  return rows;
}

}  // namespace coursework
