#include "tools/support/pattern.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tools/support/project.hpp"
#include "tools/support/subprocess.hpp"

namespace fs = std::filesystem;
using tools::Match;
using tools::Pattern;

namespace {

/// Returns the matches of a pattern in a text.
std::vector<std::string> found(const Pattern& pattern, std::string_view text) {
  std::vector<std::string> all;
  for (const Match& match : pattern.all(text)) all.push_back(match.str());
  return all;
}

using Words = std::vector<std::string>;

template <class Text>
concept CanBeSearched = requires(const Pattern& pattern, Text&& text) {
  { pattern.matches(std::forward<Text>(text)) } -> std::same_as<Match>;
  { pattern.search(std::forward<Text>(text)) } -> std::same_as<Match>;
  { pattern.all(std::forward<Text>(text)) } -> std::same_as<std::vector<Match>>;
};

}  // namespace

TEST_CASE("a match is of the whole text, with its groups as views of it") {
  const std::string text = "ab = 12";
  const Match match = Pattern(R"((\w+) *= *(\d+)(;)?)").matches(text);
  REQUIRE(match);
  CHECK(match[0] == text);
  CHECK(match[1] == "ab");
  CHECK(match[1].data() == text.data());
  CHECK(match.str(2) == "12");
  CHECK_FALSE(match.has(3));
  CHECK(match[3].empty());
  CHECK_THROWS_AS(match[4], std::out_of_range);
  CHECK_FALSE(Pattern(R"(\w+)").matches(text));
  CHECK(Pattern("").matches(""));
  CHECK(Pattern("(a)|(b)").matches("b").has(2));
  CHECK_FALSE(Pattern("(a)|(b)").matches("b").has(1));
}

TEST_CASE("a group that matched nothing took part, though it is empty") {
  const Match match = Pattern("a(b*)c").matches("ac");
  REQUIRE(match);
  CHECK(match.has(1));
  CHECK(match[1].empty());
}

TEST_CASE("a search says where the match is, and what stands around it") {
  const std::string text = "one, two, three";
  const Match match = Pattern("t(.)").search(text);
  REQUIRE(match);
  CHECK(match.begin() == 5);
  CHECK(match.end() == 7);
  CHECK(match.before() == "one, ");
  CHECK(match.after() == "o, three");
  CHECK_FALSE(Pattern("x").search(text));
  CHECK_FALSE(Match());
}

TEST_CASE("a search from a place knows what stands before it") {
  const std::string text = "one two";
  const Match second = Pattern("o").search(text, 1);
  REQUIRE(second);
  CHECK(second.begin() == 6);
  CHECK(second.before() == "one tw");
  CHECK_FALSE(Pattern("^n").search(text, 1));
  CHECK_FALSE(Pattern(R"(\bne)").search(text, 1));
  CHECK(Pattern(R"(\btwo)").search(text, 4));
  CHECK(Pattern("^one").search(text, 0));
  CHECK(Pattern("$").search(text, text.size()).begin() == text.size());
  CHECK_THROWS_AS(Pattern("a").search(text, text.size() + 1), std::out_of_range);
}

TEST_CASE("all matches come in order, those of nothing as well") {
  CHECK(found(Pattern(R"(\d+)"), "1, 22 and 333") == Words{"1", "22", "333"});
  CHECK(found(Pattern("aa"), "aaaaa") == Words{"aa", "aa"});
  CHECK(found(Pattern("a*"), "baac") == Words{"", "aa", "", ""});
  CHECK(found(Pattern("^a"), "aaa") == Words{"a"});
  CHECK(found(Pattern("x"), "").empty());
  CHECK(Pattern("b").all("abab")[1].begin() == 3);
}

TEST_CASE("a replacement may name groups, or be worked out") {
  CHECK(Pattern(R"(\[([^\]]*)\]\([^)]*\))").replace("[a](b), [c](d)", "$1") == "a, c");
  CHECK(Pattern("b+").replace("abbbc", "<$&>") == "a<bbb>c");
  CHECK(Pattern("b").replace("abc", "$$") == "a$c");
  CHECK(Pattern("x").replace("abc", "y") == "abc");
  CHECK(Pattern(R"(\d+)").replace("1 + 10", [](const Match& match) {
    return std::to_string(std::stoi(match.str()) + 1);
  }) == "2 + 11");
  CHECK(Pattern("b").replace("abc", [](const Match& match) {
    return std::string(match.after()) + std::string(match.before());
  }) == "acac");
  CHECK(Pattern("b").replace("abc", [](const Match&) { return "$&"; }) == "a$&c");
}

TEST_CASE("what works out a replacement may search itself") {
  const Pattern digits(R"(\d+)"), nine("9");
  CHECK(digits.replace("19 99", [&](const Match& number) {
    return std::to_string(nine.all(number[0]).size());
  }) == "1 2");
}

TEST_CASE("letters may be of either case") {
  CHECK(Pattern("warp", Pattern::Case::is_ignored).search("A Warp"));
  CHECK_FALSE(Pattern("warp").search("A Warp"));
}

TEST_CASE("a point is no end of a line, and ^ is the text's beginning alone") {
  CHECK_FALSE(Pattern("a.b").search("a\nb"));
  CHECK_FALSE(Pattern("^b").search("a\nb"));
  CHECK(Pattern(R"(a[\s\S]b)").search("a\nb"));
}

TEST_CASE("what is no regular expression is named") {
  try {
    const Pattern pattern("(a");
    FAIL("(a is taken");
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).starts_with("\"(a\" is no regular expression: "));
  }
}

TEST_CASE("no temporary string is searched: a match would outlive it") {
  CHECK(CanBeSearched<const std::string&>);
  CHECK(CanBeSearched<std::string&>);
  CHECK(CanBeSearched<std::string_view>);
  CHECK(CanBeSearched<const char(&)[2]>);
  CHECK_FALSE(CanBeSearched<std::string>);
  CHECK_FALSE(CanBeSearched<const std::string>);
}

TEST_CASE("a text may be long") {
  const std::string text = std::string(10'000'000, 'a') + "b";
  CHECK(Pattern("aab").search(text).begin() == text.size() - 3);
  CHECK(Pattern("b").search(text, text.size() - 1));
  CHECK(Pattern("a{100}").all(text).size() == text.size() / 100);
}

TEST_CASE("a match may be as long as a page; a longer one is found or refused, and no crash") {
  const Pattern greedy("[^b]*"), lazy("(a|(b))*?");
  const std::string page(10'000, 'a'), text(300'000, 'a');
  CHECK(greedy.matches(page));

  const auto is_found_or_refused = [](const auto& search) {
    try {
      return search();
    } catch (const std::length_error&) {
      return true;
    }
  };
  const auto search_all = [&] {
    CHECK(is_found_or_refused([&] { return greedy.matches(text).end() == text.size(); }));
    CHECK(is_found_or_refused([&] { return greedy.search(text, 1).end() == text.size(); }));
    CHECK(is_found_or_refused([&] { return greedy.all(text).size() == 2; }));
    CHECK(is_found_or_refused([&] { return greedy.replace(text, "c") == "cc"; }));
    CHECK(is_found_or_refused([&] { return lazy.matches(text).end() == text.size(); }));
    CHECK(greedy.matches("aa").end() == 2);  // the next search begins afresh
  };
  search_all();
  std::thread(search_all).join();  // another stack
}

TEST_CASE("no other source includes <regex>") {
  const std::string line = "#include <" + std::string("regex>");
  std::vector<std::string> sources;
  for (const char* part : {"chapters", "common", "emulator", "tests", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(tools::source_folder() / part)) {
      const std::string kind = entry.path().extension();
      if (kind != ".cpp" && kind != ".hpp" && kind != ".cu" && kind != ".cuh" && kind != ".h")
        continue;
      if (tools::read_file(entry.path()).find(line) != std::string::npos)
        sources.push_back(fs::relative(entry.path(), tools::source_folder()));
    }
  CHECK(sources == Words{"tools/support/pattern.cpp"});
}
