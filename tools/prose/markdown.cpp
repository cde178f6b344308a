#include "tools/prose/markdown.hpp"

#include <algorithm>

#include "tools/prose/limits.hpp"
#include "tools/support/pattern.hpp"
#include "tools/support/source_text.hpp"

namespace prose {
namespace {

using tools::Match;
using tools::Pattern;

const Pattern kComment(R"(<!--.*?-->)");

/// Replaces inline code by blanks.
std::string without_code(std::string line) {
  for (std::size_t open; (open = line.find('`')) != std::string::npos;) {
    const std::size_t close = line.find('`', open + 1);
    if (close == std::string::npos) break;
    std::fill(line.begin() + static_cast<std::ptrdiff_t>(open),
              line.begin() + static_cast<std::ptrdiff_t>(close) + 1, ' ');
  }
  return line;
}

}  // namespace

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // the first byte of a character
  }));
}

bool is_too_long(const std::string& line) {
  static const Pattern kImageOrMarkup(R"(^ *(!\[|<(?!!)))");
  static const Pattern kFirstWord(R"(^ *((- |\d+\. |> ) *)?(!?\[[^\]]*\]\([^)]*\)|[^ ])*)");
  if (columns_of(line) <= kMaxColumns || kImageOrMarkup.search(line)) return false;
  const std::size_t first_word = kFirstWord.search(line).end();
  return first_word < line.size() && columns_of(line.substr(0, first_word)) <= kMaxColumns;
}

std::optional<std::string> unbound_number(const std::string& text) {
  static const Pattern kNotProse(R"(`[^`]*`|\]\([^)]*\)|https?://\S+|<!--.*?-->)");
  static const Pattern kUnit(
      R"(\d[\d,.]* ?(%|[GT]B/s|[GT]FLOP/s|[GT]FLOPS|[KMG]i?B\b|ms\b|µs|[MG]Hz|times (as|faster|slower)))");
  static const Pattern kLarge(R"(\b\d{1,3}(,\d{3})+\b|\b\d{5,}\b)");
  const std::string prose = kNotProse.replace(text, " ");
  for (const Pattern* pattern : {&kUnit, &kLarge})
    if (const Match match = pattern->search(prose)) return match.str();
  return {};
}

std::string sentence_around(const std::string& paragraph, std::size_t at) {
  const auto ends_at = [&](std::size_t i) {
    return std::string_view(".?!").find(paragraph[i]) != std::string_view::npos &&
           (i + 1 == paragraph.size() || paragraph[i + 1] == ' ');
  };
  std::size_t begin = at, end = at;
  while (begin > 0 && !ends_at(begin - 1)) --begin;
  while (end < paragraph.size() && !ends_at(end)) ++end;
  return tools::trimmed(kComment.replace(paragraph.substr(begin, end - begin + 1), ""));
}

std::vector<BoundNumber> bound_numbers(const std::string& line) {
  static const Pattern kBound(R"((\d[\d,]*(?:\.\d+)?|\?)<!--([a-z][a-z0-9_]*)-->)");
  if (line.find("<!--") == std::string::npos) return {};
  const std::string text = without_code(line);
  std::vector<BoundNumber> numbers;
  for (const Match& match : kBound.all(text))
    numbers.push_back({match.begin(), match.end(), match.str(1), match.str(2)});
  return numbers;
}

std::optional<std::string> stray_comment(const std::string& line) {
  std::string text = without_code(line);
  for (const BoundNumber& bound : bound_numbers(line))
    std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(bound.begin), bound.end - bound.begin,
                ' ');
  const Match match = kComment.search(text);
  if (!match) return {};
  return match.str();
}

}  // namespace prose
