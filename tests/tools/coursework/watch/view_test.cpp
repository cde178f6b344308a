/// Tests the rows that watch shows, and the keys that it decodes.

#include "tools/coursework/watch/view.hpp"

#include <doctest/doctest.h>
#include <locale.h>

#include <string>
#include <vector>

#include "tools/coursework/watch/keys.hpp"

using namespace coursework;

namespace {

using State = Progress::State;
using Rows = std::vector<std::string>;

Picture picture_of(std::size_t right, std::size_t of) {
  Picture picture;
  for (std::size_t i = 0; i < of; ++i)
    picture.entries.push_back({"02_" + std::to_string(i + 1), "Title " + std::to_string(i + 1), 10,
                               i < right ? State::right : State::not_yet});
  picture.file = "answers/02_1_name.cu";
  picture.body = {Line("02.1  Title 1: not yet")};
  return picture;
}

Rows shown(const Picture& picture, Size size, bool signs = false) {
  Rows rows;
  for (const Line& row : view(picture, size, signs)) rows.push_back(render(row, Look{}));
  return rows;
}

bool contains(const Rows& rows, const std::string& part) {
  for (const std::string& row : rows)
    if (row.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("a whole picture") {
  Picture picture = picture_of(7, 16);
  picture.is_checking = true;
  picture.notice = "Made it.";
  const Rows rows = shown(picture, {60, 16});
  CHECK(rows == Rows{"Warp by Warp  [############-----------------]  7 of 16 right",
                     "answers/02_1_name.cu  checking ...", "", "02.1  Title 1: not yet", "", "", "",
                     "", "", "", "", "", "", "", "Made it.",
                     "h hint  n next  l list  q quit  ? help"});
}

TEST_CASE("the bar shows the first step and only the last one fills it") {
  CHECK(bar(0, 16, 10, false) == "[--------]");
  CHECK(bar(1, 100, 10, false) == "[#-------]");
  CHECK(bar(99, 100, 10, false) == "[#######-]");
  CHECK(bar(16, 16, 10, false) == "[########]");
  CHECK(bar(1, 2, 6, true) == "[\u2588\u2588\u2591\u2591]");
  CHECK(bar(0, 0, 4, false) == "[--]");
}

TEST_CASE("in a terminal of any size, no row too many and none too wide") {
  setlocale(LC_CTYPE, "C.UTF-8");
  Picture picture = picture_of(3, 16);
  picture.notice = "A notice that is long enough to be cut where there is not much room for it.";
  picture.question = "Really?";
  Line indented("         some words that have to be wrapped, more than once if it is narrow");
  indented.indent = 9;
  for (int i = 0; i < 20; ++i) picture.body.push_back(indented);
  for (const auto page : {Picture::Page::verdict, Picture::Page::list, Picture::Page::help,
                          Picture::Page::question}) {
    picture.page = page;
    for (int columns = 1; columns < 130; columns += columns < 12 ? 1 : 13) {
      for (int rows = 1; rows < 50; rows += rows < 14 ? 1 : 11) {
        CAPTURE(columns);
        CAPTURE(rows);
        const auto all = view(picture, {columns, rows}, true);
        CHECK(all.size() == static_cast<std::size_t>(rows));
        for (const Line& row : all) CHECK(columns_of(row) <= columns);
        CHECK(most_scrolled(picture, {columns, rows}) < 2000);
      }
    }
  }
}

TEST_CASE("what does not fit is announced, and can be scrolled to") {
  Picture picture = picture_of(0, 3);
  picture.body.clear();
  for (int i = 1; i <= 30; ++i) picture.body.emplace_back("row " + std::to_string(i));
  const Size size{40, 12};
  const std::size_t room = rows_of_page(picture, size);
  REQUIRE(room == 9);
  CHECK(contains(shown(picture, size), "-- 22 more below --"));
  CHECK(most_scrolled(picture, size) == 21);
  picture.scrolled = 21;
  CHECK(contains(shown(picture, size), "row 30"));
  CHECK_FALSE(contains(shown(picture, size), "more below"));
  picture.scrolled = static_cast<std::size_t>(-1) / 2;  // beyond the end
  CHECK(contains(shown(picture, size), "row 30"));
}

TEST_CASE("the list keeps the chosen exercise in sight") {
  Picture picture = picture_of(2, 46);
  picture.page = Picture::Page::list;
  for (picture.selected = 0; picture.selected < 46; ++picture.selected)
    CHECK(contains(shown(picture, {40, 12}), "> "));
  picture.selected = 45;
  picture.current = 1;
  CHECK(contains(shown(picture, {40, 12}), "> . 02.46  Title 46, 10 points"));
  picture.selected = 0;
  const Rows rows = shown(picture, {60, 12});
  CHECK(contains(rows, "> + 02.1  Title 1, 10 points"));
  CHECK(contains(rows, "  + 02.2  Title 2, 10 points (current)"));
  CHECK(contains(rows, "  . 02.3  Title 3, 10 points"));
}

TEST_CASE("the help names every key") {
  Picture picture = picture_of(0, 1);
  picture.page = Picture::Page::help;
  const Rows rows = shown(picture, {80, 24});
  for (const char* key : {"h  ", "n p", "l  ", "r  ", "c  ", "q  "}) CHECK(contains(rows, key));
}

TEST_CASE("keys: letters, arrows of both kinds, sequences in parts, an escape alone") {
  KeyDecoder keys;
  using Keys = std::vector<Key>;
  CHECK(keys.take("hn") == Keys{key_of('h'), key_of('n')});
  CHECK(keys.take("\033[A\033OB") == Keys{Key::up, Key::down});
  CHECK(keys.take("\n\r") == Keys{Key::enter, Key::enter});
  CHECK(keys.take("\033").empty());
  CHECK(keys.is_waiting());
  CHECK(keys.take("[").empty());
  CHECK(keys.take("6~x") == Keys{Key::page_down, key_of('x')});
  CHECK(keys.take("\033").empty());
  CHECK(keys.settle() == Keys{Key::escape});
  CHECK_FALSE(keys.is_waiting());
  CHECK(keys.take("\033[99;5Zq") == Keys{key_of('q')});  // an unknown sequence
  CHECK(keys.take("\033q") == Keys{Key::escape, key_of('q')});
}
