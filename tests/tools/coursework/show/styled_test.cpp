/// Tests lines for a terminal: wrapped, cut, coloured or not.

#include "tools/coursework/show/styled.hpp"

#include <doctest/doctest.h>
#include <locale.h>

#include <string>
#include <vector>

using namespace coursework;

namespace {

std::vector<std::string> wrapped(const Line& line, int width) {
  std::vector<std::string> rows;
  for (const Line& row : wrap(line, width)) rows.push_back(render(row, Look{}));
  return rows;
}

using Rows = std::vector<std::string>;

Line indented(const std::string& text, int indent) {
  Line line(text);
  line.indent = indent;
  return line;
}

}  // namespace

TEST_CASE("a line is wrapped at blanks, with an indent, and never wider than asked for") {
  CHECK(wrapped(Line("one two three"), 0) == Rows{"one two three"});
  CHECK(wrapped(Line("one two three"), 13) == Rows{"one two three"});
  CHECK(wrapped(Line("one two three"), 12) == Rows{"one two", "three"});
  CHECK(wrapped(Line("one two three"), 3) == Rows{"one", "two", "thr", "ee"});
  CHECK(wrapped(Line(""), 5) == Rows{""});
  CHECK(wrapped(indented("  - one two three", 4), 11) == Rows{"  - one two", "    three"});
  CHECK(wrapped(indented("        a lot of blanks", 4), 9) ==
        Rows{"        a", "    lot", "    of", "    blank", "    s"});
  for (int width = 1; width < 30; ++width)
    for (const Line& row : wrap(indented("  - words of several lengths, wherever", 6), width))
      CHECK(columns_of(row) <= width);
}

TEST_CASE("where there is no room for an indent, there is none") {
  CHECK(wrapped(indented("ab cd ef", 6), 5) == Rows{"ab cd", "ef"});
}

TEST_CASE("a compiler's lines are broken at the edge, so that its marks stay below their columns") {
  Line line("    |   x = y + ^");
  line.verbatim = true;
  CHECK(wrapped(line, 10) == Rows{"    |   x ", "= y + ^"});
}

TEST_CASE("signs of several bytes and of two columns are kept whole") {
  setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(columns_of(Line("\u2713 a")) == 3);
  CHECK(columns_of(Line("\u4e2d")) == 2);
  CHECK(render(cut(Line("\u4e2d\u4e2d"), 3), Look{}) == "\u4e2d");
  CHECK(render(cut(Line("\u2713\u2713\u2713"), 2), Look{}) == "\u2713\u2713");
  CHECK(wrapped(Line("\u2713\u2713\u2713"), 2) == Rows{"\u2713\u2713", "\u2713"});
}

TEST_CASE("no text can do anything to a terminal") {
  CHECK(render(Line("a\033[2Jb\r\nc\ad"), Look{}) == "a?[2Jb??c?d");
  CHECK(render(Line("\xc2\x9b"
                    "1m"),
               Look{}) == "?1m");
  CHECK(render(Line("\xff\xc0\xe2\x82"), Look{}) == "\ufffd\ufffd\ufffd\ufffd");
  CHECK(render(Line("\xe2\x82\xac \xf0\x9f\x98\x80"), Look{}) == "\u20ac \U0001f600");
  CHECK(render(Line("\u2713 a"), Look{.utf8 = false}) == "? a");
}

TEST_CASE("colours are there only where they are wanted") {
  const Line line = Line("a").add("b", Style::good).add("", Style::bad);
  CHECK(render(line, Look{}) == "ab");
  CHECK(render(line, Look{.colour = true}) == "a\033[32mb\033[0m");
  CHECK(render(std::vector{Line("one two"), Line("x")}, Look{.width = 4}) == "one\ntwo\nx\n");
}
